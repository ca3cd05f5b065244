"""Text to the IPA that Kokoro reads, through libespeak-ng: Hindi words with Hindi sounds, Latin words with English ones."""
import ctypes
import ctypes.util
import random
import re
import unicodedata

UTF8, IPA = 1, 2
library = ctypes.CDLL(ctypes.util.find_library('espeak-ng') or 'libespeak-ng.so.1')
library.espeak_TextToPhonemes.restype = ctypes.c_char_p
library.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_int]
library.espeak_Initialize(1, 0, None, 0)

# Kokoro's own letters for English diphthongs and affricates.
ENGLISH = [('eɪ', 'A'), ('aɪ', 'I'), ('aʊ', 'W'), ('oʊ', 'O'), ('əʊ', 'O'), ('ɔɪ', 'Y'), ('tʃ', 'ʧ'), ('dʒ', 'ʤ'), ('ɜː', 'ɜɹ'), ('ɚ', 'əɹ'), ('ɐ', 'ə'), ('r', 'ɹ'), ('ᵻ', 'ɪ')]
# espeak-ng before 1.52 writes the Hindi palatals as stops (c, ɟ), which Kokoro cannot say.
HINDI = [('t\u0361ʃ', 'ʧ'), ('tʃ', 'ʧ'), ('dʒ', 'ʤ'), ('c', 'ʧ'), ('ɟ', 'ʤ'), ('ʱ', 'ʰ'), ('r.', 'ɽ')]
SAID_AS_WORDS = {'SIM', 'PIN', 'PAN', 'NASA'}
# English as it is mostly said in India: retroflex stops, no th, one v, long plain vowels.
INDIAN = [('ɾ', 'ʈ'), ('θ', 'tʰ'), ('t', 'ʈ'), ('ʈʰ', 'tʰ'), ('d', 'ɖ'), ('ð', 'd'), ('w', 'ʋ'), ('v', 'ʋ'), ('A', 'eː'), ('O', 'oː'), ('ɜɹ', 'əɾ'), ('ɹ', 'ɾ'), ('æ', 'ɛ'), ('ʌ', 'ə'), ('ɑː', 'aː'), ('ʒ', 'z'),
          ('I', 'aːɪ'), ('W', 'aːʊ'), ('ɔː', 'ɔ')]
# Differences between speakers that do not change the spelling.
LIBERTIES = [('ʰ', ''), ('ʋ', 'v'), ('ʋ', 'w'), ('z', 'ʤ'), ('f', 'pʰ'), ('ʃ', 's'), ('ɽ', 'ɾ'), ('ɽ', 'ɖ'), ('ʈ', 't'), ('ɖ', 'd'), ('iː', 'i'), ('uː', 'u'), ('aː', 'a'), ('ɪ', 'i'), ('ʊ', 'u'), ('ɛ', 'eː'), ('ɔ', 'oː'), ('ə', 'ʌ'),
             ('ʌ', 'ə'), ('\u0303', ''), ('ɳ', 'n'), ('ˈ', ''), ('ɡ', 'ɡʰ'), ('t', 'tʰ'), ('b', 'ʋ'), ('kʃ', 'ʧʰ'), ('h', ''), ('ə', '')]


def espeak(voice, text):
    library.espeak_SetVoiceByName(voice)
    buffer = ctypes.create_string_buffer(text.encode('utf-8') + b'\0')
    rest, out = ctypes.c_void_p(ctypes.addressof(buffer)), []
    while rest.value:
        out.append(library.espeak_TextToPhonemes(ctypes.byref(rest), UTF8, IPA).decode('utf-8'))
    return re.sub(r'\(.*?\)|_|\u200d', '', ' '.join(out)).strip()


def replaced(ipa, pairs):
    for old, new in pairs:
        ipa = ipa.replace(old, new)
    return ipa


def hindi(text):
    return unicodedata.normalize('NFD', replaced(espeak(b'hi', text), HINDI))


def english(text, indian=False):
    """Abbreviations are spelt letter by letter."""
    text = re.sub(r'\b[A-Z]{2,5}\b', lambda m: m[0] if m[0] in SAID_AS_WORDS else ' '.join(m[0]), text)
    ipa = replaced(espeak(b'en-us', text), ENGLISH)
    return replaced(ipa, INDIAN) if indian else ipa


def ipa(text, indian=False):
    parts = []
    for piece in re.findall(r"[A-Za-z][A-Za-z'\-\s]*|[,.!?।;:]|[^A-Za-z,.!?।;:]+", text):
        piece = piece.strip(' -')
        if not piece:
            continue
        if piece in ',.!?;:।':
            parts.append('.' if piece == '।' else piece)
        else:
            parts.append(english(piece, indian) if re.match('[A-Za-z]', piece) else hindi(piece))
    return re.sub(r'\s+', ' ', re.sub(r' ([,.!?;:])', r'\1', ' '.join(parts)))


def roughened(text, share, rnd=random):
    """Another speaker's way of saying it: each liberty taken at each place with the given probability."""
    out, i = [], 0
    while i < len(text):
        options = [(old, new) for old, new in LIBERTIES if text.startswith(old, i)]
        if options and rnd.random() < share:
            old, new = rnd.choice(options)
            out.append(new)
            i += len(old)
        else:
            out.append(text[i])
            i += 1
    return ''.join(out)
