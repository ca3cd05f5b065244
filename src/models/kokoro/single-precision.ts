import { ELEMENT, type OnnxAttribute, type OnnxGraph, type OnnxTensor } from '../onnx/onnx-proto.ts'

/** Attributes that say in which precision a node puts out. */
const PRECISIONS = ['to', 'dtype']

/**
 * The same graph with single-precision numbers in the place of half-precision ones. Processors calculate half precision by way
 * of single, number by number and back again: published in halves, a network is small to fetch and slow to run.
 */
export const inSinglePrecision = ({ node, initializer }: OnnxGraph): OnnxGraph => ({
  node: node.map((each) => ({ ...each, attribute: each.attribute.map(widenAttribute) })),
  initializer: initializer.map(widenTensor),
})

function widenAttribute(attribute: OnnxAttribute): OnnxAttribute {
  const { name, i, t, g } = attribute
  if (t) return { ...attribute, t: widenTensor(t) }
  if (g) return { ...attribute, g: inSinglePrecision(g) }
  return PRECISIONS.includes(name) && i === ELEMENT.half ? { ...attribute, i: ELEMENT.float } : attribute
}

function widenTensor(tensor: OnnxTensor): OnnxTensor {
  if (tensor.dataType !== ELEMENT.half) return tensor
  const { name, dims, rawData } = tensor
  // The format keeps halves either as bytes or, one in each, in whole numbers.
  const halves = rawData?.length ? new Uint16Array(new Uint8Array(rawData).buffer) : (tensor.int32Data ?? [])
  const single = Float32Array.from(halves, (bits) => SINGLE[bits] ?? 0)
  return { name, dims, dataType: ELEMENT.float, rawData: new Uint8Array(single.buffer) }
}

const SINGLE = Float32Array.from({ length: 65_536 }, (_, bits) => singleOf(bits))

/** IEEE 754: a sign, five bits of exponent, ten of fraction. */
function singleOf(bits: number): number {
  const sign = bits & 0x80_00 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3_ff
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
