"""Adapters as safetensors files: NAME.A [rank, in] and NAME.B [out, rank], 16-bit; the weight grows by B·A."""
import json
import struct

import numpy as np
import torch


def write(path, arrays, about):
    header, offset, blobs = {'__metadata__': about}, 0, []
    for name in sorted(arrays):
        blob = arrays[name].detach().half().cpu().contiguous().numpy()
        header[name] = {'dtype': 'F16', 'shape': list(blob.shape), 'data_offsets': [offset, offset + blob.nbytes]}
        blobs.append(blob.tobytes())
        offset += blob.nbytes
    text = json.dumps(header, separators=(',', ':')).encode()
    text += b' ' * (-len(text) % 8)
    with open(path, 'wb') as f:
        f.write(struct.pack('<Q', len(text)) + text)
        f.writelines(blobs)


def read(path):
    data = open(path, 'rb').read()
    size = struct.unpack('<Q', data[:8])[0]
    header = json.loads(data[8:8 + size])
    header.pop('__metadata__', None)
    arrays = {}
    for name, about in header.items():
        start, end = about['data_offsets']
        arrays[name] = torch.from_numpy(np.frombuffer(data[8 + size + start:8 + size + end], np.float16).reshape(about['shape']).astype(np.float32))
    return arrays


def parameters(layers):
    return {f'{name}.{part}': getattr(layer, part) for name, layer in layers.items() for part in 'AB'}


def write_halves(base, arrays, about):
    """Two files, so that each stays small."""
    names = sorted(arrays)
    half = len(names) // 4 * 2
    for part, chosen in enumerate((names[:half], names[half:])):
        write(f'{base}.{part}.safetensors', {name: arrays[name] for name in chosen}, {k: str(v) for k, v in about.items()})


def save(layers, base, **about):
    write_halves(base, parameters(layers), about)


@torch.no_grad()
def restore(layers, base):
    wanted = parameters(layers)
    for part in (0, 1):
        for name, value in read(f'{base}.{part}.safetensors').items():
            wanted[name].copy_(value)
