"""Training speech held on the GPU, and examples made of it: one clip or several in a row, or noise without words."""
import glob
import os
import random

import torch

import clips

RATE = 16000
SHORTEST, LONGEST = RATE // 4, 27 * RATE
CHAINED, EMPTY = 0.3, 0.015


def sent(tensor, device):
    """To the GPU without waiting for it."""
    return tensor.pin_memory().to(device, non_blocking=True) if device == 'cuda' else tensor


class Clip:
    def __init__(self, start, line, tokens):
        self.start, self.samples, self.language, self.kind = start, line['samples'], line['language'], line['kind']
        self.tokens = tokens.encode(' ' + line['text'])


class Speech:
    def __init__(self, folder, tokens, device):
        self.folder, self.tokens, self.device = folder, tokens, device
        self.known, self.clips, self.bank = set(), [], torch.zeros(1, dtype=torch.int16, device=device)

    def refresh(self):
        """Take in the shards that were finished since the last look; hours of speech held."""
        waves, start = [self.bank], len(self.bank)
        for path in sorted(glob.glob(os.path.join(self.folder, '*.jsonl'))):
            if path in self.known:
                continue
            self.known.add(path)
            wave, lines = clips.read(path[:-len('.jsonl')])
            waves.append(torch.from_numpy(wave).to(self.device))
            self.clips += [Clip(start + line['offset'], line, self.tokens) for line in lines if SHORTEST < line['samples'] < LONGEST]
            start += len(wave)
        self.bank = torch.cat(waves)
        return len(self.bank) / RATE / 3600

    def examples(self):
        """Every clip once, in random order, some of them chained."""
        order = random.sample(self.clips, len(self.clips))
        while order:
            chosen = [order.pop()]
            wanted = random.choice((2, 2, 3, 4, 5)) if random.random() < CHAINED else 1
            samples = chosen[0].samples
            while order and len(chosen) < wanted:
                samples += order[-1].samples
                if order[-1].language != chosen[0].language or samples > LONGEST * .85:
                    break
                chosen.append(order.pop())
            yield chosen
            if random.random() < EMPTY:
                yield []

    def batches(self, seconds, most):
        """Examples of like length together; a batch holds up to so many seconds of window."""
        made = [(sum(clip.samples for clip in chosen) or random.randrange(RATE, 12 * RATE), chosen) for chosen in self.examples()]
        made.sort(key=lambda e: e[0] * random.uniform(.9, 1.1))
        batches, batch, longest = [], [], 0
        for length, chosen in made:
            longest = max(longest, length)
            if batch and ((len(batch) + 1) * (longest / RATE + 1.5) > seconds or len(batch) == most):
                batches.append(batch)
                batch, longest = [], length
            batch.append((length, chosen))
        batches.append(batch)
        random.shuffle(batches)
        return batches

    def plan(self, batch):
        """Where each clip goes: its row, its place in it, its source, its pace (a little faster and higher, or slower and lower) and loudness."""
        segments, width = [], 0
        for row, (length, chosen) in enumerate(batch):
            place = int(RATE * max(0, random.uniform(-.3, .5)))
            for clip in chosen:
                pace = random.uniform(.88, 1.14) if random.random() < .6 else 1.0
                samples = int((clip.samples - 2) / pace)
                segments.append((row, place, clip.start, samples, pace, random.uniform(.5, 1)))
                place += samples + int(RATE * random.uniform(.05, .7))
            width = max(width, place if chosen else length)
        return segments, min(width, int(29.5 * RATE))

    def load(self, batch):
        """Waves [examples, samples], and for each example its language and tokens."""
        segments, width = self.plan(batch)
        total, room = sum(segment[3] for segment in segments), max([width] + [segment[1] + segment[3] for segment in segments])
        waves = torch.zeros(len(batch), room, device=self.device)
        if segments:
            table = sent(torch.tensor(segments, dtype=torch.float64), self.device)
            which = torch.repeat_interleave(torch.arange(len(segments), device=self.device), table[:, 3].long(), output_size=total)
            inside = torch.arange(total, device=self.device) - (table[:, 3].cumsum(0) - table[:, 3]).long()[which]
            at = inside * table[which, 4]
            left = at.long()
            share, left = (at - left).float(), left + table[:, 2].long()[which]
            sound = torch.lerp(self.bank[left].float(), self.bank[left + 1].float(), share) * (table[:, 5].float() / 32768)[which]
            waves.view(-1)[(table[:, 0] * room + table[:, 1]).long()[which] + inside] = sound
        waves = waves[:, :width].contiguous()
        for i, (_, chosen) in enumerate(batch):
            if not chosen:
                waves[i] = torch.randn(width, device=self.device) * 10 ** random.uniform(-6, -1)
        languages = [chosen[0].language if chosen else 'hi' for _, chosen in batch]
        return waves, languages, [[t for clip in chosen for t in clip.tokens] for _, chosen in batch]
