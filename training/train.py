"""Adapt Whisper-small's decoder to Hindi and mixed speech with LoRA, scoring real clips on the way.

usage: train.py WHISPER_FOLDER SPEECH_FOLDER EVAL_FOLDER OUT_FOLDER [options]
The encoder is frozen; its window is cut at random, so that short windows cost nothing later."""
import argparse
import math
import os
import random
import time

import torch
import torch.nn.functional as F

import adapter_file
import whisper
from augment import augment, masked
from score import Scorer
from speech import Speech, sent
from tokens import Tokens
from whisper import lower

RATE = whisper.RATE
ROUNDED = 0.25  # share of batches for which the encoder works as in 8 bits


def arguments():
    parser = argparse.ArgumentParser()
    for name in ('whisper', 'speech', 'eval', 'out'):
        parser.add_argument(name)
    parser.add_argument('--name', default='hindi')
    parser.add_argument('--rank', type=int, default=48)
    parser.add_argument('--rate', type=float, default=6e-4)
    parser.add_argument('--seconds', type=float, default=480, help='training time; the learning rate falls to zero over it')
    parser.add_argument('--save-every', type=float, default=120, help='seconds')
    parser.add_argument('--batch-seconds', type=float, default=2400)
    parser.add_argument('--batch', type=int, default=400)
    parser.add_argument('--average', type=float, default=0.995, help='decay of the moving average that is kept')
    parser.add_argument('--start', help='go on from this adapter')
    parser.add_argument('--encoder', action='store_true', help='adapt the encoder too')
    return parser.parse_args()


def windowed(waves):
    """Silence behind the speech, so that the window is a little, or much, longer than it."""
    needed = waves.shape[1] / RATE
    kind = random.random()
    seconds = needed + random.uniform(.3, 2.2) if kind < .8 else random.uniform(needed + .3, 30) if kind < .95 else 30
    samples = int(min(30, seconds) * 50) * (RATE // 50)
    return F.pad(waves, (0, max(0, samples - waves.shape[1])))[:, :max(samples, 320)]


def targets(languages, texts, device):
    """The decoder's input, and for the places where it is asked: their indices in the flattened input, and the tokens wanted there."""
    rows = [whisper.prompt(language) + text[:430] + [whisper.END] for language, text in zip(languages, texts)]
    width = max(map(len, rows)) - 1
    inputs = torch.tensor([row[:-1] + [whisper.END] * (width + 1 - len(row)) for row in rows])
    places = torch.tensor([i * width + j for i, row in enumerate(rows) for j in range(3, len(row) - 1)])
    wanted = torch.tensor([token for row in rows for token in row[4:]])
    return sent(inputs, device), sent(places, device), sent(wanted, device)


class Average:
    """A moving average of the adapter: steadier than its last step."""

    def __init__(self, parameters, decay):
        self.parameters, self.decay, self.steps = parameters, decay, 0
        self.kept = [p.detach().clone() for p in parameters]

    @torch.no_grad()
    def update(self):
        self.steps += 1
        decay = min(self.decay, self.steps / (self.steps + 10))
        torch._foreach_lerp_(self.kept, [p.detach() for p in self.parameters], 1 - decay)

    @torch.no_grad()
    def swap(self):
        for parameter, kept in zip(self.parameters, self.kept):
            held = parameter.detach().clone()
            parameter.copy_(kept)
            kept.copy_(held)


def loss_of(model, mel, speech, batch, device, encoder_learns):
    waves, languages, texts = speech.load(batch)
    with torch.no_grad():
        frames = waves.shape[1] // whisper.HOP
        spectrum = masked(mel(augment(windowed(waves))), frames)
    inputs, places, wanted = targets(languages, texts, device)
    model.round_encoder(random.random() < ROUNDED)
    with torch.autocast(device, torch.bfloat16, enabled=device == 'cuda'):
        with torch.set_grad_enabled(encoder_learns):
            states = model.encoder(spectrum)
        logits, _ = model.decoder(inputs, model.decoder.cross(lower(states)), places=places)
    return F.cross_entropy(logits.float(), wanted, label_smoothing=.05)


def main():
    a = arguments()
    os.makedirs(a.out, exist_ok=True)
    random.seed(2)
    torch.manual_seed(2)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    model, mel, tokens = whisper.load_folder(a.whisper).to(device), whisper.Mel().to(device), Tokens(a.whisper)
    layers = model.add_lora(a.rank, ('model.decoder.layers', 'model.encoder.layers') if a.encoder else 'model.decoder.layers')
    if a.start:
        adapter_file.restore(layers, a.start)
    scorer = Scorer(model, mel, tokens, a.whisper, a.eval, device)
    learned = [p for p in model.parameters() if p.requires_grad]
    optimiser, average = torch.optim.AdamW(learned, lr=a.rate, weight_decay=.01, fused=device == 'cuda'), Average(learned, a.average)
    model.work('learning')
    speech = Speech(a.speech, tokens, device)
    print(f'{sum(p.numel() for p in learned) / 1e6:.1f} M parameters, {speech.refresh():.1f} h of speech', flush=True)
    start, step, running, next_save, batches = time.time(), 0, None, a.save_every, []
    while True:
        spent = time.time() - start
        done = spent / a.seconds
        if done >= 1:
            break
        if not batches:
            hours = speech.refresh()
            batches = speech.batches(a.batch_seconds, a.batch)
            print(f'{spent:.0f} s, step {step}: {hours:.1f} h of speech, {len(batches)} batches', flush=True)
        for group in optimiser.param_groups:
            group['lr'] = a.rate * min(1, (step + 1) / 100) * (0.02 + 0.98 * (0.5 + 0.5 * math.cos(math.pi * done)))
        model.train()
        loss = loss_of(model, mel, speech, batches.pop(), device, a.encoder)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimiser.step()
        average.update()
        step += 1
        if step % 50 == 0:
            running = loss.item() if running is None else .7 * running + .3 * loss.item()
            print(f'step {step} loss {running:.3f} at {spent:.0f} s', flush=True)
        if spent > next_save:
            average.swap()
            adapter_file.save(layers, os.path.join(a.out, a.name), step=step)
            average.swap()
            next_save += a.save_every
    average.swap()
    adapter_file.save(layers, os.path.join(a.out, a.name), step=step)
    print(f'step {step}: saved', flush=True)
    scorer(f'{a.name}, step {step}', examples=2)
    scorer(f'{a.name}, 8 bits', eight_bit=True)


if __name__ == '__main__':
    main()
