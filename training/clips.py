"""Speech on disk: NAME.pcm (16-bit, 16 kHz, clips one after the other) and NAME.jsonl (one line per clip: offset, samples, text, language)."""
import json
import os

import numpy as np


class ClipWriter:
    def __init__(self, base):
        self.base, self.offset, self.lines = base, 0, []
        self.file = open(base + '.pcm', 'wb')

    def add(self, wave, **about):
        self.file.write(np.asarray(wave, np.int16).tobytes())
        self.lines.append({'offset': self.offset, 'samples': len(wave), **about})
        self.offset += len(wave)

    def close(self):
        """The list appears last and whole: a shard without one is not finished."""
        self.file.close()
        with open(self.base + '.part', 'w', encoding='utf-8') as f:
            f.writelines(json.dumps(line, ensure_ascii=False) + '\n' for line in self.lines)
        os.replace(self.base + '.part', self.base + '.jsonl')


def read(base):
    waves = np.fromfile(base + '.pcm', np.int16)
    lines = [json.loads(line) for line in open(base + '.jsonl', encoding='utf-8')]
    return waves, lines
