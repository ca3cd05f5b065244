"""Whisper's byte-level BPE, from the vocab.json and merges.txt beside the model."""
import json
import os

import regex

PIECES = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")


def byte_letters():
    """GPT-2's printable stand-in for each byte."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in plain]
    return {**{b: chr(b) for b in plain}, **{b: chr(256 + i) for i, b in enumerate(others)}}


class Tokens:
    def __init__(self, folder):
        self.ids = json.load(open(os.path.join(folder, 'vocab.json'), encoding='utf-8'))
        merges = open(os.path.join(folder, 'merges.txt'), encoding='utf-8').read().split('\n')
        pairs = [tuple(line.split()) for line in merges if line and not line.startswith('#version')]
        self.ranks = {pair: i for i, pair in enumerate(pairs)}
        self.letters = byte_letters()
        self.bytes = {letter: byte for byte, letter in self.letters.items()}
        self.names = {i: name for name, i in self.ids.items()}
        self.known = {}

    def merge(self, piece):
        parts = [self.letters[b] for b in piece.encode('utf-8')]
        while len(parts) > 1:
            best = min(zip(parts, parts[1:]), key=lambda pair: self.ranks.get(pair, 1 << 30))
            if best not in self.ranks:
                break
            merged, i = [], 0
            while i < len(parts):
                if tuple(parts[i:i + 2]) == best:
                    merged.append(parts[i] + parts[i + 1])
                    i += 2
                else:
                    merged.append(parts[i])
                    i += 1
            parts = merged
        return [self.ids[p] for p in parts]

    def encode(self, text):
        out = []
        for piece in PIECES.findall(text):
            if piece not in self.known:
                self.known[piece] = self.merge(piece)
            out += self.known[piece]
        return out

    def decode(self, ids):
        letters = ''.join(self.names[i] for i in ids if i < 50257)
        return bytes(self.bytes[c] for c in letters).decode('utf-8', 'replace')
