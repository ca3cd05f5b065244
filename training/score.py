"""Score an adapter on real clips and on held-out mixed speech: windows cut to length, greedy.

usage: score.py WHISPER_FOLDER EVAL_FOLDER [ADAPTER_BASE] [--rank 48] [--eight-bit] [--full]"""
import argparse
import glob
import json
import os
import time

import torch

import adapter_file
import clips
import whisper
from error_rates import latin_recall, rates
from tokens import Tokens
from transcribe import Transcriber


class Scorer:
    def __init__(self, model, mel, tokens, folder, sets, device):
        self.model = model
        config = json.load(open(os.path.join(folder, 'config.json'), encoding='utf-8'))
        self.transcribe = Transcriber(model, mel, tokens, config, device)
        self.sets = {}
        for path in sorted(glob.glob(os.path.join(sets, '*.jsonl'))):
            waves, lines = clips.read(path[:-len('.jsonl')])
            name = os.path.basename(path)[:-len('.jsonl')]
            self.sets[name] = ([waves[c['offset']:c['offset'] + c['samples']] for c in lines], [c['text'] for c in lines], lines[0]['language'])

    def hear(self, language, full, precise):
        """All clips of a language in one batch: the decoder's steps are the cost, not its rows."""
        names = [name for name, (_, _, spoken) in self.sets.items() if spoken == language]
        texts = iter(self.transcribe([wave for name in names for wave in self.sets[name][0]], language, full=full, precise=precise))
        return {name: [next(texts) for _ in self.sets[name][0]] for name in names}

    def __call__(self, label, examples=0, eight_bit=False, full=False, keep=None):
        start, scores = time.time(), {}
        self.model.work('eight bit' if eight_bit else 'merged')
        heard = {}
        for language in sorted({spoken for _, _, spoken in self.sets.values()}):
            heard.update(self.hear(language, full, eight_bit))
        for name, (_, texts, _) in self.sets.items():
            words, letters = rates(texts, heard[name])
            scores[name] = {'wer': round(words, 2), 'cer': round(letters, 2), 'latin': round(latin_recall(texts, heard[name]), 1)}
            for i in range(0, examples * 7, 7):
                print('  ', texts[i % len(texts)], '|', heard[name][i % len(texts)])
            if keep is not None:
                keep[name] = list(zip(texts, heard[name]))
        self.model.work('learning')
        shown = '  '.join(f"{name} {s['wer']:.1f}/{s['cer']:.1f}" + (f" latin {s['latin']:.0f}" if 'mixed' in name else '') for name, s in scores.items())
        print(f'{label}: {shown}  ({time.time() - start:.0f} s)', flush=True)
        return scores


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('whisper')
    parser.add_argument('eval')
    parser.add_argument('adapter', nargs='?')
    parser.add_argument('--rank', type=int, default=48)
    parser.add_argument('--eight-bit', action='store_true')
    parser.add_argument('--full', action='store_true', help='30 s windows')
    parser.add_argument('--texts', help='write references and texts to this JSON file')
    a = parser.parse_args()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    model = whisper.load_folder(a.whisper).to(device)
    if a.adapter:
        adapter_file.restore(model.add_lora(a.rank), a.adapter)
    scorer, kept = Scorer(model, whisper.Mel().to(device), Tokens(a.whisper), a.whisper, a.eval, device), {}
    scorer(a.adapter or 'no adapter', eight_bit=a.eight_bit, full=a.full, keep=kept)
    if a.texts:
        json.dump(kept, open(a.texts, 'w', encoding='utf-8'), ensure_ascii=False, indent=0)


if __name__ == '__main__':
    main()
