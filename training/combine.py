"""Average adapters, and cut the sum back to a rank: what two trainings agree on stays, what each learned by accident shrinks.

usage: combine.py OUT_BASE RANK BASE=WEIGHT [BASE=WEIGHT ...]"""
import sys

import torch

import adapter_file


def factors(parts):
    """The weighted sum of low-rank products as one product: B [out, ranks], A [ranks, in]."""
    return torch.cat([weight * b for weight, b, _ in parts], 1), torch.cat([a for _, _, a in parts], 0)


def cut(b, a, rank):
    """The nearest product of that rank, and the share of its energy that is kept."""
    left, small_left = torch.linalg.qr(b)
    right, small_right = torch.linalg.qr(a.T)
    u, s, v = torch.linalg.svd(small_left @ small_right.T)
    root = s[:rank].sqrt()
    return left @ u[:, :rank] * root, (right @ v[:rank].T * root).T, float((s[:rank] ** 2).sum() / (s ** 2).sum())


def main(out, rank, *terms):
    adapters = []
    for term in terms:
        base, weight = term.rsplit('=', 1)
        adapters.append((float(weight), {**adapter_file.read(base + '.0.safetensors'), **adapter_file.read(base + '.1.safetensors')}))
    layers, kept = {}, []
    for name in sorted({key[:-2] for key in adapters[0][1]}):
        b, a = factors([(weight, arrays[name + '.B'], arrays[name + '.A']) for weight, arrays in adapters])
        layers[name + '.B'], layers[name + '.A'], share = cut(b, a, int(rank))
        kept.append(share)
    adapter_file.write_halves(out, layers, {'of': ' + '.join(term.rsplit('=', 1)[1] for term in terms)})
    print(f'energy kept: {100 * sum(kept) / len(kept):.2f} % (least {100 * min(kept):.2f} %)')


if __name__ == '__main__':
    main(*sys.argv[1:])
