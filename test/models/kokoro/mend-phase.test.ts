import { InferenceSession, Tensor } from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { mendPhase } from '../../../src/models/kokoro/mend-phase.ts'
import { ELEMENT, encodeModel } from '../../../src/models/onnx/onnx-proto.ts'

const GENERATOR = '/decoder/decoder/generator'

/** The end of Kokoro's graph, as its export names it: atan(y / x). */
const graph = (angleOf: string) =>
  Buffer.from(
    encodeModel({
      name: 'phase',
      opsets: { '': 17 },
      inputs: [
        { name: 'y', elementType: ELEMENT.float, dims: [3] },
        { name: `${GENERATOR}/Gather_4_output_0`, elementType: ELEMENT.float, dims: [3] },
      ],
      outputs: [{ name: `${GENERATOR}/Atan_output_0`, elementType: ELEMENT.float, dims: [3] }],
      initializers: [],
      nodes: [
        {
          opType: 'Div',
          name: 'div',
          input: ['y', `${GENERATOR}/Gather_4_output_0`],
          output: [`${GENERATOR}/Div_output_0`],
          attribute: [],
        },
        {
          opType: angleOf,
          name: 'atan',
          input: [`${GENERATOR}/Div_output_0`],
          output: [`${GENERATOR}/Atan_output_0`],
          attribute: [],
        },
      ],
    }),
  )

async function phases(model: Buffer): Promise<number[]> {
  const session = await InferenceSession.create(model)
  const floats = (...values: number[]) => new Tensor('float32', Float32Array.from(values), [values.length])
  const { [`${GENERATOR}/Atan_output_0`]: angle } = await session.run({
    y: floats(0, 1, 2),
    [`${GENERATOR}/Gather_4_output_0`]: floats(0, 0, 2),
  })
  return [...(angle?.data as Float32Array)]
}

describe('the phase of silence', () => {
  it('is no number in the published graph, and zero in the mended one', async () => {
    const published = graph('Atan')
    expect(await phases(published)).toEqual([Number.NaN, expect.closeTo(Math.PI / 2), expect.closeTo(Math.PI / 4)])
    expect(await phases(mendPhase(published))).toEqual([0, expect.closeTo(Math.PI / 2), expect.closeTo(Math.PI / 4)])
  })

  it('is not looked for in another graph', () => {
    expect(() => mendPhase(Buffer.from('something else'))).toThrow(/another graph/)
  })
})
