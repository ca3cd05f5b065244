import { InferenceSession, Tensor } from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { withHalfConvolutions } from '../../../src/models/kokoro/half-convolutions.ts'
import { mendPhase } from '../../../src/models/kokoro/mend-phase.ts'
import { inSinglePrecision } from '../../../src/models/kokoro/single-precision.ts'
import { ELEMENT, encodeModel, type OnnxGraph, type OnnxTensor } from '../../../src/models/onnx/onnx-proto.ts'

const GENERATOR = '/decoder/decoder/generator'
const [DENOMINATOR, ANGLE] = [`${GENERATOR}/Gather_4_output_0`, `${GENERATOR}/Atan_output_0`]
const floats = (values: readonly number[], dims: readonly number[] = [values.length]) =>
  new Tensor('float32', Float32Array.from(values), dims)

describe('the phase of silence', () => {
  /** The end of Kokoro's graph, as its export names it: atan(y / x). */
  const published = (angleOf: string): OnnxGraph => ({
    initializer: [],
    node: [
      node('Div', ['y', DENOMINATOR], `${GENERATOR}/Div_output_0`),
      node(angleOf, [`${GENERATOR}/Div_output_0`], ANGLE),
    ],
  })

  async function phases(graph: OnnxGraph): Promise<number[]> {
    const names = ['y', DENOMINATOR].map((name) => ({ name, elementType: ELEMENT.float, dims: [3] }))
    const feeds = { y: floats([0, 1, 2]), [DENOMINATOR]: floats([0, 0, 2]) }
    return run(graph, names, { name: ANGLE, dims: [3] }, feeds)
  }

  it('is no number in the published graph, and zero in the mended one', async () => {
    const rest = [expect.closeTo(Math.PI / 2), expect.closeTo(Math.PI / 4)]
    expect(await phases(published('Atan'))).toEqual([Number.NaN, ...rest])
    expect(await phases(mendPhase(published('Atan')))).toEqual([0, ...rest])
  })

  it('is not looked for in another graph', () => {
    expect(() => mendPhase({ node: [], initializer: [] })).toThrow(/another graph/)
  })
})

describe('the precision of the network', () => {
  const [CHANNELS, WIDTH, FRAMES] = [128, 3, 8]
  /** Weights of 1/2 and of -3/4 by turns: numbers that halves hold exactly. */
  const weights = Uint16Array.from({ length: CHANNELS * CHANNELS * WIDTH }, (_, at) => (at % 2 ? 0xba_00 : 0x38_00))
  const half: OnnxTensor = {
    ...{ name: 'weights', dims: [CHANNELS, CHANNELS, WIDTH], dataType: ELEMENT.half },
    rawData: new Uint8Array(weights.buffer),
  }
  const one: OnnxTensor = { name: 'one', dims: [1], dataType: ELEMENT.half, int32Data: [0x3c_00] }
  const published: OnnxGraph = {
    initializer: [half, one],
    node: [
      { ...node('Cast', ['sound'], 'sound_half'), attribute: [{ name: 'to', type: 2, i: ELEMENT.half }] },
      node('Conv', ['sound_half', 'weights'], 'convolved'),
      node('Add', ['convolved', 'one'], 'raised'),
    ],
  }
  const sound = floats(
    Array.from({ length: CHANNELS * FRAMES }, (_, at) => at % 7),
    [1, CHANNELS, FRAMES],
  )
  const heard = (graph: OnnxGraph) =>
    run(
      graph,
      [{ name: 'sound', elementType: ELEMENT.float, dims: [1, CHANNELS, FRAMES] }],
      { name: 'raised', dims: [1, CHANNELS, FRAMES - WIDTH + 1] },
      { sound },
    )
  const single = inSinglePrecision(published)

  /** Each output of the convolution by plain sums. */
  const sums = Array.from({ length: CHANNELS * (FRAMES - WIDTH + 1) }, (_, at) => {
    const [channel, frame] = [Math.floor(at / (FRAMES - WIDTH + 1)), at % (FRAMES - WIDTH + 1)]
    let sum = 1
    for (let of = 0; of < CHANNELS; of++)
      for (let tap = 0; tap < WIDTH; tap++)
        sum += ((of * FRAMES + frame + tap) % 7) * (((channel * CHANNELS + of) * WIDTH + tap) % 2 ? -0.75 : 0.5)
    return sum
  })

  it('is single where halves were published', async () => {
    expect(single.initializer.map(({ dataType }) => dataType)).toEqual([ELEMENT.float, ELEMENT.float])
    expect(await heard(single)).toEqual(sums)
  })

  it('is half for large convolutions alone where that is wanted', async () => {
    const mixed = withHalfConvolutions(single, published)
    expect(mixed.initializer.map(({ name, dataType }) => [name, dataType])).toEqual([
      ['one', ELEMENT.float],
      ['weights_half', ELEMENT.half],
    ])
    expect(await heard(mixed)).toEqual(sums.map((sum) => expect.closeTo(sum, 0)))
  })

  it('stays single for a small convolution', () => {
    const small = {
      ...half,
      dims: [1, CHANNELS, WIDTH],
      rawData: new Uint8Array(weights.buffer, 0, CHANNELS * WIDTH * 2),
    }
    const graph = { ...published, initializer: [small, one] }
    expect(withHalfConvolutions(inSinglePrecision(graph), graph)).toEqual(inSinglePrecision(graph))
  })
})

function node(opType: string, input: readonly string[], output: string) {
  return { opType, name: output, input, output: [output], attribute: [] }
}

type Value = { readonly name: string; readonly dims: readonly number[] }

async function run(
  { node, initializer }: OnnxGraph,
  inputs: readonly (Value & { elementType: number })[],
  output: Value,
  feeds: Readonly<Record<string, Tensor>>,
): Promise<number[]> {
  const outputs = [{ ...output, elementType: ELEMENT.float }]
  const file = encodeModel({
    name: 'part',
    opsets: { '': 17 },
    inputs,
    outputs,
    nodes: node,
    initializers: initializer,
  })
  const session = await InferenceSession.create(Buffer.from(file))
  const { [output.name]: found } = await session.run(feeds)
  return [...(found?.data as Float32Array)]
}
