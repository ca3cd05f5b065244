import { GraphBuilder } from '../onnx/graph-builder.ts'
import { ELEMENT } from '../onnx/onnx-proto.ts'
import { NO_ADAPTER } from './adapter.ts'
import { feedForward, layerNorm, linear, projectAll, type Workshop } from './transformer-layer.ts'
import type { WhisperShape } from './whisper-shape.ts'
import type { WhisperWeights } from './whisper-weights.ts'

/**
 * Mel frames of any even number up to the model's window → hidden states, one for every two frames. The export insists
 * on the whole window; here the table of positions is cut to the clip, so that a short clip costs what it is long.
 */
export function buildEncoder(weights: WhisperWeights, shape: WhisperShape): Uint8Array {
  const graph = new GraphBuilder()
  const width = shape.d_model
  const shop: Workshop = { graph, weights, adapter: NO_ADAPTER, heads: shape.encoder_attention_heads, width }
  const mel = graph.input('mel', ELEMENT.float, ['batch', shape.num_mel_bins, 'frames'])
  const sounds = graph.node('Transpose', [convolve(shop, convolve(shop, mel, 'conv1', 1), 'conv2', 2)], {
    perm: [0, 2, 1],
  })
  let hidden = graph.add(sounds, positions(shop, sounds, shape))
  for (let layer = 0; layer < shape.encoder_layers; layer += 1)
    hidden = encoderLayer(shop, hidden, `model.encoder.layers.${layer}`)
  graph.output(layerNorm(shop, hidden, 'model.encoder.layer_norm'), 'hidden', ['batch', 'states', width])
  return graph.encode('whisper-encoder')
}

function convolve({ graph, weights }: Workshop, x: string, name: string, stride: number): string {
  const { dims, values } = weights.convolution(`model.encoder.${name}.weight`)
  const bias = weights.vector(`model.encoder.${name}.bias`)
  const inputs = [x, graph.floats(`${name}.weight`, values, dims), graph.floats(`${name}.bias`, bias, [bias.length])]
  const sum = graph.node('Conv', inputs, { kernel_shape: [3], pads: [1, 1], strides: [stride] })
  return graph.node('Gelu', [sum], {}, 'com.microsoft')
}

function positions({ graph, weights, width }: Workshop, sounds: string, shape: WhisperShape): string {
  const table = graph.floats('positions', weights.vector('model.encoder.embed_positions.weight'), [
    shape.max_source_positions,
    width,
  ])
  const states = graph.node('Slice', [graph.node('Shape', [sounds]), graph.integers(1), graph.integers(2)])
  return graph.node('Slice', [table, graph.integers(0), states, graph.integers(0)])
}

function encoderLayer(shop: Workshop, x: string, layer: string): string {
  const { graph, heads } = shop
  const normed = layerNorm(shop, x, `${layer}.self_attn_layer_norm`)
  const parts = projectAll(shop, normed, `${layer}.self_attn`)
  const heard = graph.node('MultiHeadAttention', parts, { num_heads: heads }, 'com.microsoft')
  return feedForward(shop, graph.add(x, linear(shop, heard, `${layer}.self_attn.out_proj`)), layer)
}
