"""Run an ONNX graph with PyTorch, on whatever device PyTorch has.

Kokoro comes as ONNX only, and onnxruntime for the CPU makes about one second of speech per core and second. The same
graph walked node by node with PyTorch on one GPU makes hundreds. Weights stored as 16-bit floats are computed in 32.
Only the operators Kokoro's graph uses are here.
"""
import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper

HALF, FLOAT, INT64, BOOL = 10, 1, 7, 9
DTYPES = {HALF: torch.float32, FLOAT: torch.float32, INT64: torch.int64, BOOL: torch.bool}


def to_tensor(proto):
    array = np.array(numpy_helper.to_array(proto))
    tensor = torch.from_numpy(array)
    return tensor.float() if tensor.is_floating_point() else tensor.long() if tensor.dtype == torch.int32 else tensor


def ints(tensor):
    return tensor.reshape(-1).tolist()


def take(data, index, axis=0):
    if index.device != data.device:
        index = index.to(data.device)
    if index.dim() == 0 and data.device.type == 'cpu':
        return data.select(axis, int(index))
    shape = data.shape[:axis] + index.shape + data.shape[axis + 1:]
    flat = index.reshape(-1)
    flat = torch.where(flat < 0, flat + data.shape[axis], flat)
    return data.index_select(axis, flat).reshape(shape)


def cut(data, starts, ends, axes=None, steps=None):
    starts, ends = ints(starts), ints(ends)
    axes = ints(axes) if axes is not None else range(len(starts))
    steps = ints(steps) if steps is not None else [1] * len(starts)
    for start, end, axis, step in zip(starts, ends, axes, steps):
        if step < 0:
            if start != -1:
                raise NotImplementedError('a backward slice that does not start at the end')
            data = data.flip(axis)
            if step != -1:
                raise NotImplementedError('a backward slice with a stride')
            continue
        index = [slice(None)] * data.dim()
        index[axis] = slice(start, end, step)
        data = data[tuple(index)]
    return data


def reshape(data, shape, allowzero=0):
    sizes = [data.shape[i] if s == 0 else s for i, s in enumerate(ints(shape))]
    return data.reshape(sizes)


def unsqueeze(data, axes):
    for axis in sorted(ints(axes)):
        data = data.unsqueeze(axis)
    return data


def squeeze(data, axes):
    for axis in sorted(ints(axes), reverse=True):
        data = data.squeeze(axis)
    return data


def expand(data, shape):
    shape = ints(shape)
    return data.expand(torch.broadcast_shapes(tuple(data.shape), tuple(shape)))


def filled(shape, value=None):
    value = to_tensor(value) if value is not None else torch.zeros(1)
    return torch.full(ints(shape), value.item(), dtype=value.dtype)


def conv(x, weight, bias=None, dilations=(1,), group=1, pads=(0, 0), strides=(1,), kernel_shape=None):
    return F.conv1d(x, weight, bias, stride=strides[0], padding=pads[0], dilation=dilations[0], groups=group)


def conv_transpose(x, weight, bias=None, dilations=(1,), group=1, pads=(0, 0), strides=(1,), output_padding=(0,), kernel_shape=None):
    return F.conv_transpose1d(x, weight, bias, stride=strides[0], padding=pads[0], output_padding=output_padding[0], groups=group, dilation=dilations[0])


def resize(x, _region, scales, mode, **_):
    scale = ints(scales)[-1]
    if mode == b'nearest':
        return F.interpolate(x, scale_factor=scale, mode='nearest')
    return F.interpolate(x, scale_factor=scale, mode='linear', align_corners=False, recompute_scale_factor=False)


def stft(signal, step, window, frame_length=None, onesided=1):
    x = signal.reshape(signal.shape[0], -1).unfold(-1, int(frame_length), int(step)) * window
    return torch.view_as_real(torch.fft.rfft(x))


def scatter_nd(data, indices, updates):
    out = data.clone()
    out[tuple(indices.to(out.device).unbind(-1))] = updates.to(out.device)
    return out


def nonzero(x):
    return torch.stack(torch.nonzero(x, as_tuple=True))


def scalar_range(start, limit, delta):
    return torch.arange(int(start), int(limit), int(delta))


def gemm(a, b, c, alpha=1.0, beta=1.0, transB=0):
    return F.linear(a, b, c) if transB else torch.addmm(c, a, b)


def cast(x, to):
    return x.to(DTYPES[to])


def divide(a, b):
    return torch.div(a, b) if a.is_floating_point() else torch.div(a, b, rounding_mode='trunc')


def arc_tangent(x):
    """Kokoro takes the phase of a spectrum as atan(b / a); silence makes that 0 / 0, and one NaN would silence the whole clip."""
    return torch.atan(torch.nan_to_num(x))


def layer_norm(x, weight, bias, axis=-1, epsilon=1e-5):
    return F.layer_norm(x, (x.shape[-1],), weight, bias, epsilon)


# Operators with exactly the meaning of a PyTorch function, attributes included.
OPS = {
    'Add': torch.add, 'And': torch.logical_and, 'Atan': arc_tangent, 'Cast': cast, 'Clip': lambda x, low=None, high=None: torch.clamp(x, low, high),
    'Concat': lambda *xs, axis: torch.cat(xs, axis), 'ConstantOfShape': filled, 'Conv': conv, 'ConvTranspose': conv_transpose, 'Cos': torch.cos,
    'CumSum': lambda x, axis: torch.cumsum(x, int(axis)), 'Div': divide, 'Equal': torch.eq, 'Exp': torch.exp, 'Expand': expand, 'Floor': torch.floor,
    'Gather': take, 'Gemm': gemm, 'Greater': torch.gt, 'GreaterOrEqual': torch.ge, 'LayerNormalization': layer_norm,
    'LeakyRelu': lambda x, alpha: F.leaky_relu(x, alpha), 'Less': torch.lt, 'MatMul': torch.matmul, 'Mul': torch.mul, 'NonZero': nonzero,
    'Pad': lambda x, pads, mode: F.pad(x, (ints(pads)[x.dim() - 1], ints(pads)[-1]), mode=mode.decode()), 'Pow': torch.pow, 'Range': scalar_range,
    'ReduceMean': lambda x, axes, keepdims: x.mean(ints(axes), keepdim=bool(keepdims)), 'ReduceSum': lambda x, axes, keepdims: x.sum(ints(axes), keepdim=bool(keepdims)),
    'Reshape': reshape, 'Resize': resize, 'Round': torch.round, 'ScatterND': scatter_nd, 'Shape': lambda x: torch.tensor(x.shape), 'Sigmoid': torch.sigmoid,
    'Sin': torch.sin, 'Slice': cut, 'Softmax': lambda x, axis: F.softmax(x, axis), 'Sqrt': torch.sqrt, 'Squeeze': squeeze, 'STFT': stft, 'Sub': torch.sub,
    'Tanh': torch.tanh, 'Transpose': lambda x, perm: x.permute(perm), 'Unsqueeze': unsqueeze, 'Where': torch.where,
}
# These read some inputs as Python numbers, so those stay on the CPU.
READS_NUMBERS = {'Slice', 'Reshape', 'Unsqueeze', 'Squeeze', 'Expand', 'ConstantOfShape', 'Range', 'Resize', 'Pad', 'ReduceMean', 'ReduceSum', 'Gather', 'ScatterND', 'CumSum', 'Cast', 'STFT'}


class Lstm(torch.nn.Module):
    """ONNX orders the gates input, output, forget, cell; PyTorch input, forget, cell, output."""

    def __init__(self, weight, recurrent, bias, hidden, device):
        super().__init__()
        self.net = torch.nn.LSTM(weight.shape[2], hidden, bidirectional=True)
        order = torch.cat([torch.arange(hidden) + g * hidden for g in (0, 2, 3, 1)])
        with torch.no_grad():
            for d, suffix in enumerate(('', '_reverse')):
                getattr(self.net, 'weight_ih_l0' + suffix).copy_(weight[d][order])
                getattr(self.net, 'weight_hh_l0' + suffix).copy_(recurrent[d][order])
                getattr(self.net, 'bias_ih_l0' + suffix).copy_(bias[d][:4 * hidden][order])
                getattr(self.net, 'bias_hh_l0' + suffix).copy_(bias[d][4 * hidden:][order])
        self.net.to(device).flatten_parameters()

    def forward(self, x, start_h, start_c):
        out, (h, c) = self.net(x, (start_h.contiguous(), start_c.contiguous()))
        steps, batch, _ = out.shape
        return out.reshape(steps, batch, 2, -1).permute(0, 2, 1, 3), h, c


def same_device(inputs):
    devices = {x.device.type for x in inputs if x is not None}
    if len(devices) < 2:
        return inputs
    return [x if x is None or x.device.type != 'cpu' else x.cuda() for x in inputs]


class Graph:
    """`replace` puts other functions in the place of operators, by operator name."""

    def __init__(self, path, device, replace=None):
        graph, operators = onnx.load(path).graph, {**OPS, **(replace or {})}
        self.device, self.inputs, self.output = device, [i.name for i in graph.input], graph.output[0].name
        self.constants = {i.name: to_tensor(i) for i in graph.initializer}
        self.steps = []
        for node in graph.node:
            attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
            if node.op_type == 'LSTM':
                weight, recurrent, bias = (self.constants[n] for n in node.input[1:4])
                run = Lstm(weight, recurrent, bias, attributes['hidden_size'], device)
                names = [node.input[0], *node.input[5:7]]
                self.steps.append((run, names, list(node.output), {}, False))
                continue
            run, names = operators[node.op_type], list(node.input)
            if all(n == '' or n in self.constants for n in names):
                self.constants[node.output[0]] = run(*(self.constants.get(n) for n in names), **attributes)
            else:
                self.steps.append((run, names, list(node.output), attributes, node.op_type in READS_NUMBERS))
        for name, value in self.constants.items():
            if value.is_floating_point():
                self.constants[name] = value.to(device)
        self._plan_releases()

    def _plan_releases(self):
        last = {name: i for i, step in enumerate(self.steps) for name in step[1]}
        self.releases = [[] for _ in self.steps]
        for name, i in last.items():
            if name not in self.constants and name != '':
                self.releases[i].append(name)

    @torch.inference_mode()
    def __call__(self, **inputs):
        values = {name: tensor.to(self.device) for name, tensor in inputs.items()}
        for (run, names, outputs, attributes, reads_numbers), dead in zip(self.steps, self.releases):
            args = [None if n == '' else values[n] if n in values else self.constants[n] for n in names]
            if not reads_numbers:
                args = same_device(args)
            result = run(*args, **attributes)
            if isinstance(result, tuple):
                values.update(zip(outputs, result))
            else:
                values[outputs[0]] = result
            for name in dead:
                values.pop(name, None)
        return values[self.output]
