import { LipikError } from '../../platform/errors.ts'
import type { OnnxGraph, OnnxNode } from '../onnx/onnx-proto.ts'

const GENERATOR = '/decoder/decoder/generator'
const QUOTIENT = `${GENERATOR}/Div_output_0`
const ANGLE = `${GENERATOR}/Atan_output_0`
const DENOMINATOR = `${GENERATOR}/Gather_4_output_0`
const MENDED = `${GENERATOR}/mended_quotient`

/**
 * Kokoro takes the phase of its own spectrum as atan(imaginary / real). Where a bin is exactly silent that is 0 / 0, and the NaN
 * spreads over the whole sentence. In the mended graph the phase of silence is 0.
 */
export function mendPhase({ node, initializer }: OnnxGraph): OnnxGraph {
  const at = node.findIndex(({ input, output }) => output[0] === ANGLE && input[0] === QUOTIENT)
  const atan = node[at]
  if (!atan) throw new LipikError('model_unavailable', 'this Kokoro has another graph than the one we know')
  return { node: node.toSpliced(at, 1, ...NODES, { ...atan, input: [MENDED] }), initializer }
}

/** Zero is made by subtraction, so that it has the graph's own precision, single or half. */
const NODES: readonly OnnxNode[] = [
  newNode('IsNaN', [QUOTIENT], `${GENERATOR}/is_silent`),
  newNode('Sub', [DENOMINATOR, DENOMINATOR], `${GENERATOR}/zero`),
  newNode('Where', [`${GENERATOR}/is_silent`, `${GENERATOR}/zero`, QUOTIENT], MENDED),
]

function newNode(opType: string, input: readonly string[], output: string): OnnxNode {
  return { opType, name: `${output}_node`, input, output: [output], attribute: [] }
}
