import { describe, expect, it } from 'vitest'
import { adapt, readAdapter } from '../../../src/models/whisper/adapter.ts'
import { f32, safetensors } from '../../support/safetensors.ts'

const f16 = (...bits: number[]) => new Uint8Array(Uint16Array.from(bits).buffer)

describe('an adapter', () => {
  it('adds B · A to the layers it names and leaves the others', () => {
    const adapter = readAdapter([
      safetensors({ 'layer.A': { dtype: 'F32', shape: [1, 3], bytes: f32(1, 2, 3) } }),
      safetensors({ 'layer.B': { dtype: 'F32', shape: [2, 1], bytes: f32(10, -1) } }),
    ])
    const weights = { rows: 2, columns: 3, values: Float32Array.of(1, 1, 1, 1, 1, 1) }
    expect([...adapt(weights, 'layer', adapter).values]).toEqual([11, 21, 31, 0, -1, -2])
    expect(adapt(weights, 'another', adapter)).toBe(weights)
    expect([...weights.values]).toEqual([1, 1, 1, 1, 1, 1])
  })

  it('reads half precision: ones, fractions, tiny numbers and signs', () => {
    const adapter = readAdapter([
      safetensors({
        'layer.A': { dtype: 'F16', shape: [1, 4], bytes: f16(0x3c00, 0x3555, 0x0001, 0xc000) },
        'layer.B': { dtype: 'F16', shape: [1, 1], bytes: f16(0x3c00) },
      }),
    ])
    const { values } = adapt({ rows: 1, columns: 4, values: new Float32Array(4) }, 'layer', adapter)
    expect([...values]).toEqual([1, Math.fround(0.333251953125), 2 ** -24, -2])
  })

  it('refuses matrices that fit neither each other nor the model', () => {
    const tensors = (down: number[], up: number[]) => ({
      'layer.A': { dtype: 'F32', shape: down, bytes: f32(...Array(down[0] ?? 0).fill(1), 0, 0, 0) },
      'layer.B': { dtype: 'F32', shape: up, bytes: f32(1, 1, 1, 1) },
    })
    expect(() => readAdapter([safetensors(tensors([1, 2], [2, 2]))])).toThrow(/do not fit each other/)
    const adapter = readAdapter([safetensors(tensors([2, 2], [2, 2]))])
    expect(() => adapt({ rows: 3, columns: 2, values: new Float32Array(6) }, 'layer', adapter)).toThrow(/another size/)
  })
})
