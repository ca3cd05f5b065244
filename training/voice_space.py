"""The directions in which voices differ: linear discriminants of half seconds of speech by many voices.

usage: voice_space.py stretches.json directions.json
stretches.json, from scripts/describe-voices.ts: [{"voice": name, "stretches": [VoiceStretch, ...]}, ...]
directions.json: the rows of DIRECTIONS in src/transcription/voice/voice-space.ts."""
import json
import sys

import numpy as np

DIRECTIONS, SHRINK, LEAST_SPEECH_MS = 14, 0.1, 240


def read(path):
    voices = {}
    for clip in json.load(open(path, encoding='utf-8')):
        for each in clip['stretches']:
            if each['speechMs'] >= LEAST_SPEECH_MS:
                voices.setdefault(clip['voice'], []).append([*each['timbre'], each['pitch'][0] if each['pitch'] else np.nan])
    return [np.array(rows) for rows in voices.values()]


def discriminants(voices):
    means, within, count = [], 0, 0
    for rows in voices:
        mean = np.nanmean(rows, 0)
        off = np.where(np.isnan(rows), mean, rows) - mean
        means.append(mean)
        within = within + off.T @ off
        count += len(rows)
    within = within / (count - len(voices))
    between = np.cov(np.array(means).T) - within * len(voices) / count
    within = (1 - SHRINK) * within + SHRINK * np.diag(np.diag(within))
    root = np.linalg.inv(np.linalg.cholesky(within))
    values, vectors = np.linalg.eigh(root @ between @ root.T)
    return (vectors.T @ root)[np.argsort(-values)][:DIRECTIONS]


if __name__ == '__main__':
    json.dump(discriminants(read(sys.argv[1])).round(3).tolist(), open(sys.argv[2], 'w', encoding='utf-8'))
