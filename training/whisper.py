"""Whisper-small in plain PyTorch, read from its 8-bit ONNX export, with LoRA on the decoder and encoder windows of any length.

Modules are named as in the Hugging Face model, so adapters name the same weights."""
import os
import re

import numpy as np
import onnx
import torch
import torch.nn as nn
import torch.nn.functional as F
from onnx import numpy_helper

WIDTH, HEADS, LAYERS, INNER, VOCABULARY = 768, 12, 12, 3072, 51865
START, END, TRANSCRIBE, NO_TIMES = 50258, 50257, 50359, 50363
LANGUAGES = {'hi': 50276, 'en': 50259}
RATE, HOP, LONGEST = 16000, 160, 30


def prompt(language):
    return [START, LANGUAGES[language], TRANSCRIBE, NO_TIMES]


class Linear(nn.Linear):
    """A frozen linear layer with an optional low-rank addition.

    It works in one of four ways: as it is; on a 16-bit copy of its weight while learning; with the addition merged; or as 8-bit inference does."""
    rank, copy, way = 0, None, 'plain'

    def add_lora(self, rank):
        self.rank = rank
        self.A = nn.Parameter(torch.randn(rank, self.in_features, device=self.weight.device) / self.in_features ** 0.5)
        self.B = nn.Parameter(torch.zeros(self.out_features, rank, device=self.weight.device))

    def forward(self, x):
        if self.way == 'eight bit':
            return F.linear(round_activations(x), self.copy, self.bias)
        y = F.linear(x, self.weight if self.copy is None else self.copy, self.bias)
        if self.rank and self.way != 'merged':
            y = y + F.linear(F.linear(x, self.A), self.B)
        return y

    @torch.no_grad()
    def work(self, way):
        """8-bit inference: adapter merged, one scale per output column, activations rounded per clip.
        Weights without an adapter come from the 8-bit export and are used as they are."""
        self.way, weight = way, self.weight.detach()
        if self.rank and way in ('merged', 'eight bit'):
            weight = weight + self.B.half().float() @ self.A.half().float()
        if self.rank and way == 'eight bit':
            scale = weight.abs().amax(1, keepdim=True) / 127 + 1e-12
            weight = (weight / scale).round() * scale
        quick = way in ('learning', 'merged') and weight.is_cuda
        self.copy = None if way == 'plain' else weight.bfloat16() if quick else weight


def round_activations(x):
    dims = tuple(range(1, x.dim()))
    low, high = x.amin(dims, keepdim=True).clamp(max=0), x.amax(dims, keepdim=True).clamp(min=0)
    scale = (high - low).float() / 255 + 1e-12
    zero = (-low / scale).round()
    return (((x / scale).round() + zero).clamp(0, 255) - zero).mul(scale).to(x.dtype)


def lower(x):
    """Once to 16 bits instead of in each of the layers that read it."""
    return x.bfloat16() if torch.is_autocast_enabled('cuda') else x


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj, self.v_proj, self.out_proj = Linear(WIDTH, WIDTH), Linear(WIDTH, WIDTH), Linear(WIDTH, WIDTH)
        self.k_proj = Linear(WIDTH, WIDTH, bias=False)

    def heads(self, x):
        return x.view(x.shape[0], x.shape[1], HEADS, -1).transpose(1, 2)

    def keys_values(self, x):
        return self.heads(self.k_proj(x)), self.heads(self.v_proj(x))

    def forward(self, x, keys, values, mask=None, causal=False):
        y = F.scaled_dot_product_attention(self.heads(self.q_proj(x)), keys, values, attn_mask=mask, is_causal=causal)
        return self.out_proj(y.transpose(1, 2).flatten(2))


class EncoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn, self.fc1, self.fc2 = Attention(), Linear(WIDTH, INNER), Linear(INNER, WIDTH)
        self.self_attn_layer_norm, self.final_layer_norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, x):
        h = lower(self.self_attn_layer_norm(x))
        x = x + self.self_attn(h, *self.self_attn.keys_values(h))
        return x + self.fc2(F.gelu(self.fc1(lower(self.final_layer_norm(x)))))


class DecoderLayer(EncoderLayer):
    def __init__(self):
        super().__init__()
        self.encoder_attn, self.encoder_attn_layer_norm = Attention(), nn.LayerNorm(WIDTH)

    def forward(self, x, cross, past=None, cross_mask=None):
        h = lower(self.self_attn_layer_norm(x))
        keys, values = self.self_attn.keys_values(h)
        if past:
            keys, values = torch.cat([past[0], keys], 2), torch.cat([past[1], values], 2)
        x = x + self.self_attn(h, keys, values, causal=not past)
        x = x + self.encoder_attn(lower(self.encoder_attn_layer_norm(x)), *cross, mask=cross_mask)
        return x + self.fc2(F.gelu(self.fc1(lower(self.final_layer_norm(x))))), (keys, values)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv1d(80, WIDTH, 3, padding=1), nn.Conv1d(WIDTH, WIDTH, 3, stride=2, padding=1)
        self.embed_positions, self.layers = nn.Embedding(1500, WIDTH), nn.ModuleList(EncoderLayer() for _ in range(LAYERS))
        self.layer_norm = nn.LayerNorm(WIDTH)

    def forward(self, mel):
        """Any window up to 30 s: the position table is cut to it."""
        x = F.gelu(self.conv2(F.gelu(self.conv1(mel)))).transpose(1, 2)
        x = x + self.embed_positions.weight[:x.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return self.layer_norm(x)


class Decoder(nn.Module):
    eight_bit = False

    def __init__(self):
        super().__init__()
        self.embed_tokens, self.embed_positions = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(448, WIDTH)
        self.layers, self.layer_norm = nn.ModuleList(DecoderLayer() for _ in range(LAYERS)), nn.LayerNorm(WIDTH)

    def cross(self, states):
        return [layer.encoder_attn.keys_values(states) for layer in self.layers]

    def forward(self, tokens, cross, past=None, mask=None, places=None):
        """Logits, of all places or of some of the flattened ones, and what to keep for the next step."""
        offset = past[0][0].shape[2] if past else 0
        x = self.embed_tokens(tokens) + self.embed_positions.weight[offset:offset + tokens.shape[1]]
        new = []
        for i, layer in enumerate(self.layers):
            x, kept = layer(x, cross[i], past[i] if past else None, mask)
            new.append(kept)
        x = self.layer_norm(x if places is None else x.flatten(0, 1)[places])
        return F.linear(round_activations(x) if self.eight_bit else x, self.embed_tokens.weight), new


class Whisper(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.ModuleDict({'encoder': Encoder(), 'decoder': Decoder()})
        self.encoder, self.decoder = self.model['encoder'], self.model['decoder']

    def linears(self, prefix=('model.',)):
        return {name: m for name, m in self.named_modules() if isinstance(m, Linear) and name.startswith(prefix)}

    def work(self, way):
        """'plain', 'learning', 'merged' or 'eight bit'."""
        self.decoder.eight_bit = way == 'eight bit'
        for layer in self.linears().values():
            layer.work(way)

    def round_encoder(self, on):
        """While learning: the encoder's states as 8-bit inference gives them, or as they are."""
        for module in self.encoder.modules():
            if isinstance(module, Linear):
                module.way = 'eight bit' if on else 'learning'

    def add_lora(self, rank, prefix='model.decoder.layers'):
        for parameter in self.parameters():
            parameter.requires_grad_(False)
        layers = self.linears(prefix)
        for layer in layers.values():
            layer.add_lora(rank)
        return layers


def load_folder(folder):
    return load(os.path.join(folder, 'onnx/encoder_model_quantized.onnx'), os.path.join(folder, 'onnx/decoder_model_merged_quantized.onnx'))


def tensors(graph):
    return {i.name: numpy_helper.to_array(i) for i in graph.initializer}


def dequantised(table, name):
    return (table[name + '_quantized'].astype(np.float32) - float(table[name + '_zero_point'])) * float(table[name + '_scale'])


def products(nodes):
    for node in nodes:
        if node.op_type == 'MatMulInteger' and node.name.endswith('/MatMul_quant'):
            yield node.name[1:-len('/MatMul_quant')].replace('/', '.'), node.input[1][:-len('_quantized')]


def load(encoder_path, decoder_path):
    state = {}
    graph = onnx.load(encoder_path).graph
    table = tensors(graph)
    for name, base in products(graph.node):
        state[f'model.encoder.{name}.weight'] = dequantised(table, base).T
    for name in ('conv1', 'conv2'):
        state[f'model.encoder.{name}.weight'] = dequantised(table, f'{name}.weight')
    plain = re.compile(r'(conv\d\.bias|embed_positions\.weight|layers\.\d+\..*(bias|layer_norm\.weight)|layer_norm\.(weight|bias))$')
    state.update({f'model.encoder.{k}': v for k, v in table.items() if plain.match(k)})
    graph = onnx.load(decoder_path).graph
    table = tensors(graph)
    branch = next(a.g for n in graph.node if n.op_type == 'If' for a in n.attribute if a.name == 'else_branch')
    for name, base in products(branch.node):
        state[name + '.weight'] = dequantised(table, base).T
    for key, value in table.items():
        key = key.replace('_merged_0', '')
        if key.startswith('model.decoder.') and re.search(r'(bias|layer_norm\.weight|embed_positions\.weight)$', key):
            state[key] = value
    state['model.decoder.embed_tokens.weight'] = dequantised(table, 'model.decoder.embed_tokens.weight_merged_0')
    whisper = Whisper()
    wanted = {k for k in whisper.state_dict() if k.startswith('model.')}
    found = {k: torch.from_numpy(np.array(v)) for k, v in state.items() if k in wanted}
    if wanted - set(found):
        raise ValueError(f'the export lacks {sorted(wanted - set(found))[:5]}')
    whisper.load_state_dict(found, strict=False)
    return whisper


class Mel(nn.Module):
    """Whisper's front end: 80 Slaney mel bands of 25 ms frames every 10 ms, log, clamped 8 decades under the loudest."""

    def __init__(self):
        super().__init__()
        edges = mel_to_hertz(np.linspace(0, hertz_to_mel(RATE / 2), 82))
        bins = np.linspace(0, RATE / 2, 201)
        rising = (bins[None] - edges[:-2, None]) / np.diff(edges)[:-1, None]
        falling = (edges[2:, None] - bins[None]) / np.diff(edges)[1:, None]
        bands = np.maximum(0, np.minimum(rising, falling)) * (2 / (edges[2:] - edges[:-2]))[:, None]
        self.register_buffer('bands', torch.tensor(bands, dtype=torch.float32))
        self.register_buffer('window', torch.hann_window(400))

    def forward(self, wave):
        power = torch.stft(wave, 400, HOP, window=self.window, return_complex=True)[..., :-1].abs() ** 2
        mel = (self.bands @ power).clamp(min=1e-10).log10()
        mel = torch.maximum(mel, mel.amax((1, 2), keepdim=True) - 8)
        return (mel + 4) / 4


def mel_to_hertz(mel):
    return np.where(mel >= 15, 1000 * np.exp(np.log(6.4) / 27 * (mel - 15)), 200.0 / 3 * mel)


def hertz_to_mel(hertz):
    return 3 * hertz / 200 if hertz < 1000 else 15 + np.log(hertz / 1000) * 27 / np.log(6.4)
