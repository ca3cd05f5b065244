"""All sentences to speak, with their IPA, as JSON lines: text (what the model shall write), ipa, language, kind.

usage: text.py OUT_FOLDER [--sentences FILE] [--leave-out FILE]
Without --sentences the Common Voice sentence collection (CC0) is downloaded; --leave-out names a manifest.tsv whose transcripts must not be trained on.
Writes lines.jsonl (training) and held_out.jsonl (mixed sentences from templates that training never sees)."""
import argparse
import csv
import json
import os
import random
import re
import string
import unicodedata
import urllib.request

import everyday
import slots
import templates
from error_rates import NUKTA, fold
from hindi_numbers import WORDS, cardinal, digit_by_digit, in_words, year
from phonemes import ipa, roughened

COMMON_VOICE = 'https://raw.githubusercontent.com/common-voice/common-voice/271cf714750c635aad71be948ab22b2329aa83c3/server/data/hi/sentence-collector.txt'
VISARGA = 'ः'
COUNTS = {'headlines': 17000, 'everyday': 7000, 'mixed': 8500, 'swapped': 5500, 'hindi': 4000, 'formal': 3000, 'english': 2500, 'english in hindi': 1000,
          'short': 6000, 'short english': 1200, 'held out': 150}
SENTENCE_COPIES = 3  # whole sentences are the smaller part of Common Voice's text and the larger part of its recordings


def amount(rnd):
    n = rnd.choice([rnd.randrange(10, 100), rnd.randrange(1, 100) * 10, rnd.randrange(100, 1000), rnd.randrange(1, 100) * 100, rnd.randrange(1, 100) * 1000, rnd.randrange(1000, 100000), rnd.randrange(1, 90) * 100000])
    return f'{cardinal(n)} रुपये'


def clock(rnd):
    hour, part = rnd.randrange(1, 13), rnd.choice(slots.DAY_PARTS)
    return f'{part} ' + rnd.choice([f'{WORDS[hour]} बजे', f'साढ़े {WORDS[max(3, hour)]} बजे', f'सवा {WORDS[hour]} बजे', f'पौने {WORDS[max(2, hour)]} बजे', f'{WORDS[hour]} बजकर {WORDS[rnd.randrange(1, 60)]} मिनट पर'])


NUMBER_SLOTS = {
    'small': lambda r: WORDS[r.randrange(2, 100) if r.random() < .5 else r.randrange(2, 13)],
    'number': lambda r: cardinal(r.choice([r.randrange(10, 1000), r.randrange(1000, 10000), r.randrange(1, 50) * 100])),
    'money': amount,
    'digits': lambda r: digit_by_digit(''.join(r.choice(string.digits) for _ in range(r.randrange(4, 9)))),
    'phone': lambda r: digit_by_digit(r.choice('6789') + ''.join(r.choice(string.digits) for _ in range(9))),
    'year': lambda r: year(r.randrange(1850, 2031)),
    'time': clock,
    'date': lambda r: f'{WORDS[r.randrange(1, 32)]} {r.choice(slots.MONTHS)}',
    'percent': lambda r: f'{cardinal(r.randrange(1, 101))} प्रतिशत',
    'pincode': lambda r: digit_by_digit(r.choice('12345678') + ''.join(r.choice(string.digits) for _ in range(5))),
}
WORD_SLOTS = {
    'name': slots.NAMES, 'surname': slots.SURNAMES, 'city': slots.CITIES, 'area': slots.AREAS, 'day': slots.DAYS, 'when': slots.WHEN, 'past': slots.PAST,
    'month': slots.MONTHS, 'part': slots.DAY_PARTS, 'food': slots.FOODS, 'kin': slots.KIN, 'goods': slots.GOODS, 'paper': slots.PAPERS, 'service': slots.SERVICES,
    'verb': slots.VERBS, 'feeling': slots.FEELINGS, 'person': slots.PEOPLE, 'place': slots.PLACES, 'topic': slots.TOPICS, 'fault': slots.FAULTS, 'filler': slots.FILLERS,
    'clause': slots.CLAUSES, 'brand': slots.BRANDS, 'en_day': slots.EN_DAYS, 'en_month': slots.EN_MONTHS, 'subject': templates.SUBJECTS, 'people': templates.CITIZENS,
    'effort': templates.EFFORTS,
}


def filled(template, rnd):
    def fill(match):
        name = match[1].rstrip('0123456789')
        return NUMBER_SLOTS[name](rnd) if name in NUMBER_SLOTS else rnd.choice(WORD_SLOTS[name])
    text = re.sub(r'\{(\w+)\}', fill, template)
    return text[0].upper() + text[1:]


def from_templates(lines, count, rnd):
    """Every template equally often, no sentence twice."""
    seen = {}
    for i in range(count * 3):
        seen.setdefault(filled(lines[i % len(lines)], rnd), None)
        if len(seen) == count:
            break
    return list(seen)


def cleaned(sentence):
    """Without quotation marks and list dashes; a colon, or a visarga standing for one, is a pause."""
    text = re.sub('["“”‘’\'\u200b-\u200f\ufeff]', '', in_words(unicodedata.normalize('NFC', sentence)))
    text = re.sub('([\u0904-\u0963]{2,})' + VISARGA + r'(?=\s|$)', lambda m: m[0] if m[1][-1] in 'तशनय' else m[1] + ',', text)
    text = re.sub(r'\s*[:;…]+\s*|\s+[-–—]+\s*|[-–—]+\s+', ', ', text)
    text = re.sub(r'\.{2,}', ' ', text)
    return re.sub(r'\s+', ' ', re.sub(r'\s+([,.!?।])', r'\1', text)).strip(' ,')


def common_voice(path):
    if path:
        lines = open(path, encoding='utf-8').read().split('\n')
        lines = [line.split('\t')[-1] for line in lines if 'own CC0' not in line]
    else:
        lines = urllib.request.urlopen(COMMON_VOICE).read().decode('utf-8').split('\n')
    return [text for text in map(cleaned, lines) if re.search('[\u0900-\u097f]', text) and 4 < len(text) < 200]


def swapped(sentences, words, rnd):
    """Hindi sentences with some words said in English, as mixed speech does."""
    out = []
    for sentence in sentences:
        parts = sentence.split(' ')
        places = [i for i, part in enumerate(parts) if part.strip(',.!?।') in words]
        if not places or (len(places) == 1 and rnd.random() < .5):
            continue
        for i in places:
            if rnd.random() < .85:
                word = parts[i].strip(',.!?।')
                parts[i] = parts[i].replace(word, words[word])
        text = ' '.join(parts)
        if text != sentence:
            out.append(text)
    return out


def fragments(sentences, count, rnd):
    """One to three words in a row, as in short answers: without them the model babbles on clips of a second."""
    out = {}
    while len(out) < count:
        words = re.findall("[\\w\u0900-\u0963'-]+", rnd.choice(sentences))
        size = rnd.choice((1, 1, 1, 2, 3))
        start = rnd.randrange(max(1, len(words) - size + 1))
        out.setdefault(' '.join(words[start:start + size]), None)
    return [text for text in out if len(text) > 1]


def bare(word):
    return unicodedata.normalize('NFC', unicodedata.normalize('NFD', word).replace(NUKTA, ''))


def dotted_words(sentences):
    """Words written with a nukta somewhere (बाज़ार), by their spelling without it: both are said alike."""
    words = {word for sentence in sentences for word in re.findall('[\u0900-\u0963]+', unicodedata.normalize('NFD', sentence)) if NUKTA in word}
    return {bare(word): unicodedata.normalize('NFC', word) for word in words}


def as_said(text, dotted, rnd):
    """Spelling leaves out the dots that speech keeps."""
    if rnd.random() < .6:
        text = re.sub('[\u0900-\u0963]+', lambda m: dotted.get(m[0], m[0]), text)
    return text.replace('फ', 'फ़') if rnd.random() < .5 else text


def spoken(text, kind, rnd):
    indian = bool(re.search('[A-Za-z]', text)) and rnd.random() < {'mixed': .45, 'swapped': .2, 'english in hindi': .5, 'common voice': .5}.get(kind, 0)
    sounds = ipa(text, indian)
    return roughened(sounds, rnd.uniform(0, .08), rnd) if kind not in ('english', 'held out', 'short') and rnd.random() < .5 else sounds


def line(text, kind, rnd, dotted={}):
    return {'text': text, 'ipa': spoken(as_said(text, dotted, rnd), kind, rnd), 'language': 'en' if kind == 'english' else 'hi', 'kind': kind}


def write(path, lines):
    with open(path, 'w', encoding='utf-8') as f:
        f.writelines(json.dumps(entry, ensure_ascii=False) + '\n' for entry in lines)
    kinds = {}
    for entry in lines:
        kinds[entry['kind']] = kinds.get(entry['kind'], 0) + 1
    print(path, kinds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('out')
    parser.add_argument('--sentences', nargs='*', default=[''])
    parser.add_argument('--leave-out')
    arguments = parser.parse_args()
    rnd = random.Random(5)
    held = {fold(row['transcript']) for row in csv.DictReader(open(arguments.leave_out, encoding='utf-8'), delimiter='\t')} if arguments.leave_out else set()
    hindi = list(dict.fromkeys(text for path in arguments.sentences for text in common_voice(path) if fold(text) not in held))
    here = os.path.dirname(os.path.abspath(__file__))
    words = dict(row.strip().split(' ', 1) for row in open(os.path.join(here, 'loanwords.txt'), encoding='utf-8'))
    english = from_templates(templates.ENGLISH, COUNTS['english'] + COUNTS['english in hindi'], rnd)
    rnd.shuffle(english)
    whole = [text for text in hindi if text[-1] in '।.?!']
    headlines = [text for text in hindi if text[-1] not in '।.?!']
    kinds = {
        'common voice': whole * SENTENCE_COPIES + rnd.sample(headlines, min(len(headlines), COUNTS['headlines'])),
        'everyday': everyday.sentences(COUNTS['everyday'], rnd),
        'mixed': from_templates(templates.MIXED, COUNTS['mixed'], rnd),
        'swapped': rnd.sample(pool, min(len(pool), COUNTS['swapped'])) if (pool := swapped(hindi, words, rnd)) else [],
        'hindi': from_templates(templates.HINDI, COUNTS['hindi'], rnd),
        'formal': from_templates(templates.FORMAL, COUNTS['formal'], rnd),
        'english': english[:COUNTS['english']] + fragments(english, COUNTS['short english'], rnd),
        'english in hindi': english[COUNTS['english']:],
    }
    kinds['short'] = fragments(whole + headlines + kinds['everyday'] + kinds['hindi'] + kinds['mixed'], COUNTS['short'], rnd) + WORDS * 5
    dotted = dotted_words(hindi)
    lines = [line(text, kind, rnd, dotted) for kind, texts in kinds.items() for text in texts]
    rnd.shuffle(lines)
    os.makedirs(arguments.out, exist_ok=True)
    write(os.path.join(arguments.out, 'lines.jsonl'), lines)
    write(os.path.join(arguments.out, 'held_out.jsonl'), [line(t, 'held out', rnd) for t in from_templates(templates.MIXED_HELD_OUT, COUNTS['held out'], rnd)])


if __name__ == '__main__':
    main()
