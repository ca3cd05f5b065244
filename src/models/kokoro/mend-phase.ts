import { LipikError } from '../../platform/errors.ts'
import { encodeMoreNodes, type OnnxNode } from '../onnx/onnx-proto.ts'

const GENERATOR = '/decoder/decoder/generator'
const QUOTIENT = `${GENERATOR}/Div_output_0`
const ANGLE = `${GENERATOR}/Atan_output_0`
const DENOMINATOR = `${GENERATOR}/Gather_4_output_0`
/** As long as the name it takes the place of: the file is changed in place. */
const MENDED = `${GENERATOR}/Div_output_M`
const [INPUT_FIELD, OUTPUT_FIELD] = [0x0a, 0x12]

/**
 * Kokoro takes the phase of its own spectrum as atan(imaginary / real). Where a bin is exactly silent that is 0 / 0, and the NaN
 * spreads over the whole sentence. In the mended graph the phase of silence is 0. All else stays as published, byte by byte.
 */
export function mendPhase(model: Buffer): Buffer {
  const at = model.indexOf(edge(QUOTIENT))
  if (at === -1) throw new LipikError('model_unavailable', 'this Kokoro has another graph than the one we know')
  const mended = Buffer.concat([model, encodeMoreNodes(NODES)])
  mended.set(edge(MENDED), at)
  return mended
}

/** How the file says that the angle is taken of `name`. */
const edge = (name: string): Buffer => Buffer.concat([field(INPUT_FIELD, name), field(OUTPUT_FIELD, ANGLE)])
const field = (tag: number, text: string): Buffer => Buffer.concat([Buffer.of(tag, text.length), Buffer.from(text)])

/** Zero is made by subtraction, so that it has the graph's own precision, single or half. */
const NODES: readonly OnnxNode[] = [
  node('IsNaN', [QUOTIENT], `${GENERATOR}/is_silent`),
  node('Sub', [DENOMINATOR, DENOMINATOR], `${GENERATOR}/zero`),
  node('Where', [`${GENERATOR}/is_silent`, `${GENERATOR}/zero`, QUOTIENT], MENDED),
]

function node(opType: string, input: readonly string[], output: string): OnnxNode {
  return { opType, name: `${output}_node`, input, output: [output], attribute: [] }
}
