"""Word and character error rates of Hindi and mixed text, after folding spellings that are free in Hindi."""
import re
import unicodedata

CHANDRABINDU, ANUSVARA, NUKTA = '\u0901', '\u0902', '\u093c'


def fold(text):
    """हूँ = हूं, ज़रूर = जरूर; no case, no punctuation."""
    text = unicodedata.normalize('NFC', text).lower().replace(CHANDRABINDU, ANUSVARA)
    text = ''.join(c for c in unicodedata.normalize('NFD', text) if c != NUKTA) if re.search('[\u0900-\u097f]', text) else text
    text = unicodedata.normalize('NFC', text)
    text = re.sub('[\u200b-\u200f\ufeff]', '', text)
    return ' '.join(re.sub(r'[^\w\u0900-\u0963\u0966-\u097f]+', ' ', text).replace('_', ' ').split())


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (x != y))
    return row[-1]


def rates(references, texts):
    """Word and character error rate in percent over the whole set."""
    words = letters = all_words = all_letters = 0
    for reference, text in zip(references, texts):
        reference, text = fold(reference), fold(text)
        words += distance(reference.split(), text.split())
        letters += distance(reference, text)
        all_words += len(reference.split())
        all_letters += len(reference)
    return 100 * words / max(1, all_words), 100 * letters / max(1, all_letters)


def latin_recall(references, texts):
    """Per cent of the Latin words of the references that are in the text, in Latin and spelt the same."""
    found = wanted = 0
    for reference, text in zip(references, texts):
        have = fold(text).split()
        for word in fold(reference).split():
            if re.match('[a-z]', word):
                wanted += 1
                if word in have:
                    have.remove(word)
                    found += 1
    return 100 * found / max(1, wanted)
