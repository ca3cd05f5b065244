"""Synthesise training speech: Kokoro on the GPU, several processes, mixed voices and speeds, 16 kHz shards.

usage: speak.py KOKORO.onnx VOICES_FOLDER lines.jsonl OUT_FOLDER --seconds N [--processes N] [--plain]
--plain speaks with the four Hindi voices as they are, at normal speed (for held-out sets)."""
import argparse
import json
import os
import random
import time

import numpy as np
import torch
import torch.multiprocessing as multiprocessing

from clips import ClipWriter
from onnx_on_torch import Graph

SHARD = 400
FRAME_BLOCK = 16
HINDI_SHARE, BLEND_SHARE = 0.6, 0.6


def symbols():
    here = os.path.dirname(os.path.abspath(__file__))
    return json.load(open(os.path.join(here, 'kokoro_symbols.json'), encoding='utf-8'))


class Voices:
    """A voice is 510 style vectors, by text length: 128 numbers for the sound, 128 for the delivery."""

    def __init__(self, folder, rnd):
        self.rnd = rnd
        self.table = {f[:-4]: torch.from_numpy(np.fromfile(os.path.join(folder, f), np.float32).reshape(-1, 256)) for f in sorted(os.listdir(folder)) if f.endswith('.bin')}
        self.hindi = [v for v in self.table if v[0] == 'h']
        self.english = [v for v in self.table if v[0] in 'ab']
        self.all = list(self.table)

    def plain(self, length):
        return self.table[self.rnd.choice(self.hindi)][length]

    def one(self, length, language):
        native = self.english if language == 'en' else self.hindi
        return self.table[self.rnd.choice(native if self.rnd.random() < HINDI_SHARE else self.all)][length]

    def mixed(self, length, language):
        """A speaker of its own: sound and delivery each blended from two voices, and a little chance."""
        style = self.one(length, language)
        if self.rnd.random() < BLEND_SHARE:
            share = torch.tensor([self.rnd.uniform(0, .8), self.rnd.uniform(0, .5)]).repeat_interleave(128)
            style = (1 - share) * style + share * self.one(length, language)
            style = style + torch.randn(256) * style.std() * self.rnd.uniform(0, .15)
        return style


def whole_blocks(durations, low=None, high=None):
    """Kokoro's one clamp bounds how many frames each sound lasts. The last sound, silence, is drawn out until the frames fill
    blocks of 16: few different lengths, for which the GPU library has its plans ready."""
    durations = torch.clamp(durations, low, high)
    spare = -durations.sum() % FRAME_BLOCK
    return torch.cat([durations[..., :-1], durations[..., -1:] + spare], -1)


def to_16_khz(wave):
    """24 kHz to 16 kHz by cutting the spectrum at 8 kHz."""
    wave = wave[:len(wave) // 3 * 3]
    samples = len(wave) // 3 * 2
    return torch.fft.irfft(torch.fft.rfft(wave)[:samples // 2 + 1], samples) * (2 / 3)


def work(index, arguments):
    torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    rnd = random.Random(1000 * arguments.seed + index)
    torch.manual_seed(1000 * arguments.seed + index)
    kokoro, voices, table = Graph(arguments.kokoro, device, {'Clip': whole_blocks}), Voices(arguments.voices, rnd), symbols()
    lines = [json.loads(text) for i, text in enumerate(open(arguments.lines, encoding='utf-8')) if i % arguments.processes == index]
    start, seconds, shard, writer, bad = time.time(), 0.0, 0, None, 0
    for line in lines:
        if time.time() - start > arguments.seconds or os.path.exists(os.path.join(arguments.out, 'stop')):
            break
        ids = [table[c] for c in line['ipa'] if c in table][:505]
        if len(ids) < 2:
            continue
        style = voices.plain(len(ids)) if arguments.plain else voices.mixed(len(ids), line['language'])
        speed = 1.0 if arguments.plain else rnd.uniform(0.75, 1.4)
        wave = to_16_khz(kokoro(input_ids=torch.tensor([[0, *ids, 0]]), style=style[None], speed=torch.tensor([speed]))[0])
        peak = float(wave.abs().max())
        if not 0.01 < peak < 10:
            bad += 1
            continue
        writer = writer or ClipWriter(os.path.join(arguments.out, f'{arguments.seed}-{index}-{shard}'))
        writer.add((wave * (min(1.0, 0.98 / peak) * 32767)).to(torch.int16).cpu().numpy(), text=line['text'], language=line['language'], kind=line['kind'])
        seconds += len(wave) / 16000
        if len(writer.lines) == SHARD:
            writer.close()
            writer, shard = None, shard + 1
    if writer:
        writer.close()
    print(f'process {index}: {seconds / 3600:.2f} h of speech in {time.time() - start:.0f} s, {bad} clips dropped', flush=True)


def main():
    parser = argparse.ArgumentParser()
    for name in ('kokoro', 'voices', 'lines', 'out'):
        parser.add_argument(name)
    parser.add_argument('--seconds', type=float, default=1e9)
    parser.add_argument('--processes', type=int, default=10)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--plain', action='store_true')
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    multiprocessing.spawn(work, (arguments,), arguments.processes)


if __name__ == '__main__':
    main()
