"""Pack real clips with references for scoring: sets by folder, from a folder with manifest.tsv (file, language, seconds, transcript).
usage: pack_eval.py AUDIO_FOLDER OUT_FOLDER   (needs the flac command; clips are 16 kHz mono)"""
import csv
import os
import subprocess
import sys

import numpy as np

from clips import ClipWriter

SETS = {'hi_common_voice': 'common_voice', 'hi_speech_corpus': 'broadcast', 'hi_isolated_words': 'words', 'en_ljspeech': 'english',
        'en_pocketsphinx': 'english', 'en_speechbrain': 'english', 'emotion_ravdess': 'english'}


def samples(path):
    bits = int(subprocess.run(['metaflac', '--show-bps', path], capture_output=True, check=True, text=True).stdout)
    raw = subprocess.run(['flac', '-dcs', '--force-raw-format', '--endian=little', '--sign=signed', path], capture_output=True, check=True).stdout
    width = bits // 8
    # The two highest bytes of each little-endian sample are its 16-bit value.
    return np.frombuffer(raw, np.uint8).reshape(-1, width)[:, width - 2:].copy().view(np.int16)[:, 0]


def main(audio, out):
    os.makedirs(out, exist_ok=True)
    writers = {name: ClipWriter(os.path.join(out, name)) for name in sorted(set(SETS.values()))}
    for row in csv.DictReader(open(os.path.join(audio, 'manifest.tsv'), encoding='utf-8'), delimiter='\t'):
        name = SETS.get(row['file'].split('/')[0])
        if name and row['transcript']:
            writers[name].add(samples(os.path.join(audio, row['file'])), text=row['transcript'], language=row['language'][:2])
    for name, writer in writers.items():
        writer.close()
        print(name, len(writer.lines), 'clips', round(writer.offset / 16000), 's')


if __name__ == '__main__':
    main(*sys.argv[1:])
