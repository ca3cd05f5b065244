"""Greedy transcription of many clips at once, encoder windows cut to each clip's length."""
import math

import torch
import torch.nn.functional as F

import whisper

SPARE_SECONDS = 1.0


def windows(waves, spare=SPARE_SECONDS, full=False):
    """Clips grouped by the window they need, in whole seconds."""
    groups = {}
    for i, wave in enumerate(waves):
        seconds = whisper.LONGEST if full else min(whisper.LONGEST, math.ceil(len(wave) / whisper.RATE + spare))
        groups.setdefault(seconds, []).append(i)
    return groups


def most_tokens(samples):
    """Hindi takes up to 16 tokens a second; what goes on much longer is a loop."""
    return int(20 + 18 * samples / whisper.RATE)


class Transcriber:
    def __init__(self, model, mel, tokens, config, device):
        self.model, self.mel, self.tokens, self.device = model, mel, tokens, device
        self.never = torch.zeros(whisper.VOCABULARY, device=device)
        self.never[config['suppress_tokens'] + list(range(whisper.START, whisper.VOCABULARY))] = -1e9
        self.never[whisper.END] = 0
        self.first = self.never.clone()
        self.first[config['begin_suppress_tokens']] = -1e9
        self.first[whisper.END] = 0  # an empty text is an answer

    def autocast(self):
        return torch.autocast(self.device, torch.bfloat16, enabled=self.device == 'cuda' and not self.precise)

    def encode(self, waves, full):
        states = [None] * len(waves)
        for seconds, members in windows(waves, full=full).items():
            for start in range(0, len(members), 64):
                part = members[start:start + 64]
                batch = torch.zeros(len(part), seconds * whisper.RATE)
                for row, i in enumerate(part):
                    wave = torch.as_tensor(waves[i]).float()[:seconds * whisper.RATE] / 32768
                    batch[row, :len(wave)] = wave
                with self.autocast():
                    out = self.model.encoder(self.mel(batch.to(self.device)))
                for row, i in enumerate(part):
                    states[i] = out[row]
        return states

    @torch.no_grad()
    def __call__(self, waves, language, full=False, precise=False):
        self.model.eval()
        self.precise = precise
        states = self.encode(waves, full)
        longest = max(s.shape[0] for s in states)
        padded = torch.stack([F.pad(s, (0, 0, 0, longest - s.shape[0])) for s in states])
        lengths = torch.tensor([s.shape[0] for s in states], device=self.device)
        mask = (torch.arange(longest, device=self.device)[None] < lengths[:, None])[:, None, None]
        with self.autocast():
            cross, past = self.model.decoder.cross(padded), None
            tokens = torch.tensor([whisper.prompt(language)] * len(waves), device=self.device)
            done, out = torch.zeros(len(waves), dtype=torch.bool, device=self.device), []
            limit = torch.tensor([most_tokens(len(wave)) for wave in waves], device=self.device)
            for step in range(int(limit.max())):
                logits, past = self.model.decoder(tokens, cross, past, mask)
                best = (logits[:, -1].float() + (self.never if step else self.first)).argmax(-1)
                best = torch.where(done, whisper.END, best)
                done |= (best == whisper.END) | (step >= limit)
                out.append(best)
                tokens = best[:, None]
                if step % 8 == 0 and bool(done.all()):
                    break
        rows = torch.stack(out, 1).tolist()
        return [self.tokens.decode(row).strip() for row in rows]
