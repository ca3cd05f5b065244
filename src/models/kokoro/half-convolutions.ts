import { ELEMENT, type OnnxAttribute, type OnnxGraph, type OnnxNode, type OnnxTensor } from '../onnx/onnx-proto.ts'

/** A convolution of fewer weights is over before its sound has been converted twice. */
const LEAST_WEIGHTS = 32_768
const INTEGER_ATTRIBUTE = 2

/**
 * A single-precision graph whose large convolutions calculate in halves, with the weights that `published` has for them. Arm
 * processors convolve halves twice as fast as singles, but are slow at everything else in halves.
 */
export function withHalfConvolutions(single: OnnxGraph, published: OnnxGraph): OnnxGraph {
  const halves = new Map(
    published.initializer.flatMap((tensor) => (tensor.dataType === ELEMENT.half ? [[tensor.name, tensor]] : [])),
  )
  const taken = new Map<string, OnnxTensor>()
  const take = (name: string): string => {
    const half = halves.get(name)
    if (!half) return name
    taken.set(name, { ...half, name: halfName(name) })
    return halfName(name)
  }
  const node = single.node.flatMap((each) => (isLarge(each, halves) ? convolveHalves(each, take) : [each]))
  const used = new Set(node.flatMap(({ input }) => input))
  return { node, initializer: [...single.initializer, ...taken.values()].filter(({ name }) => used.has(name)) }
}

function isLarge({ opType, input }: OnnxNode, halves: ReadonlyMap<string, OnnxTensor>): boolean {
  const weights = opType === 'Conv' ? halves.get(input[1] ?? '') : undefined
  return weights !== undefined && weights.dims.reduce((product, size) => product * size, 1) >= LEAST_WEIGHTS
}

function convolveHalves(node: OnnxNode, take: (name: string) => string): OnnxNode[] {
  const [sound = '', ...weights] = node.input
  const [result = ''] = node.output
  const [given, made] = [`${result}_given`, halfName(result)]
  return [
    cast(sound, given, ELEMENT.half),
    { ...node, input: [given, ...weights.map(take)], output: [made] },
    cast(made, result, ELEMENT.float),
  ]
}

function cast(from: string, to: string, elementType: number): OnnxNode {
  const attribute: OnnxAttribute = { name: 'to', type: INTEGER_ATTRIBUTE, i: elementType }
  return { opType: 'Cast', name: `${to}_cast`, input: [from], output: [to], attribute: [attribute] }
}

const halfName = (name: string): string => `${name}_half`
