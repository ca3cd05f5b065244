import protobuf, { type INamespace } from 'protobufjs'

/** Element types of the ONNX format that we read or write. */
export const ELEMENT = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9, half: 10 } as const

export type OnnxTensor = {
  readonly name: string
  readonly dims: readonly number[]
  readonly dataType: number
  readonly rawData?: Uint8Array
  readonly floatData?: readonly number[]
  readonly int32Data?: readonly number[]
}
export type OnnxAttribute = {
  readonly name: string
  readonly type: number
  readonly i?: number
  readonly f?: number
  readonly s?: Uint8Array
  readonly floats?: readonly number[]
  readonly ints?: readonly number[]
  readonly t?: OnnxTensor
  readonly g?: OnnxGraph
}
export type OnnxNode = {
  readonly opType: string
  readonly name: string
  readonly domain?: string
  readonly input: readonly string[]
  readonly output: readonly string[]
  readonly attribute: readonly OnnxAttribute[]
}
export type OnnxValue = {
  readonly name: string
  readonly elementType: number
  readonly dims: readonly (number | string)[]
}
export type OnnxGraph = { readonly node: readonly OnnxNode[]; readonly initializer: readonly OnnxTensor[] }

type Fields = Readonly<Record<string, readonly [type: string, id: number]>>

/** The part of the file format that a transformer's graph uses; the numbers are the format's own. */
const MESSAGES: Readonly<Record<string, Fields>> = {
  Model: {
    irVersion: ['int64', 1],
    producerName: ['string', 2],
    graph: ['Graph', 7],
    opsetImport: ['OperatorSet[]', 8],
  },
  OperatorSet: { domain: ['string', 1], version: ['int64', 2] },
  Graph: {
    node: ['Node[]', 1],
    name: ['string', 2],
    initializer: ['Tensor[]', 5],
    input: ['ValueInfo[]', 11],
    output: ['ValueInfo[]', 12],
  },
  Node: {
    input: ['string[]', 1],
    output: ['string[]', 2],
    name: ['string', 3],
    opType: ['string', 4],
    attribute: ['Attribute[]', 5],
    domain: ['string', 7],
  },
  Attribute: {
    name: ['string', 1],
    f: ['float', 2],
    i: ['int64', 3],
    s: ['bytes', 4],
    t: ['Tensor', 5],
    g: ['Graph', 6],
    floats: ['float[]', 7],
    ints: ['int64[]', 8],
    type: ['int32', 20],
  },
  Tensor: {
    dims: ['int64[]', 1],
    dataType: ['int32', 2],
    floatData: ['float[]', 4],
    int32Data: ['int32[]', 5],
    name: ['string', 8],
    rawData: ['bytes', 9],
  },
  ValueInfo: { name: ['string', 1], type: ['Type', 2] },
  Type: { tensorType: ['TensorType', 1] },
  TensorType: { elemType: ['int32', 1], shape: ['Shape', 2] },
  Shape: { dim: ['Dimension[]', 1] },
  Dimension: { dimValue: ['int64', 1], dimParam: ['string', 2] },
}

const ROOT = protobuf.Root.fromJSON({ nested: mapValues(MESSAGES, asMessage) })

function asMessage(
  fields: Fields,
): INamespace & { fields: Record<string, { type: string; id: number; rule?: string }> } {
  return {
    fields: mapValues(fields, ([type, id]) =>
      type.endsWith('[]') ? { type: type.slice(0, -2), id, rule: 'repeated' } : { type, id },
    ),
  }
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/** Reads a model's graph. The bytes of tensors stay views of `file`: nothing large is copied. */
export function decodeModel(file: Uint8Array): OnnxGraph {
  const type = ROOT.lookupType('Model')
  const model = type.toObject(type.decode(file), { longs: Number, arrays: true })
  // The schema above is what was decoded, so the object has exactly this form.
  return model.graph as OnnxGraph
}

export type NewModel = {
  readonly name: string
  readonly opsets: Readonly<Record<string, number>>
  readonly inputs: readonly OnnxValue[]
  readonly outputs: readonly OnnxValue[]
  readonly nodes: readonly OnnxNode[]
  readonly initializers: readonly OnnxTensor[]
}

export function encodeModel(model: NewModel): Uint8Array {
  const type = ROOT.lookupType('Model')
  return type
    .encode(
      type.fromObject({
        irVersion: 8,
        producerName: 'lipik',
        opsetImport: Object.entries(model.opsets).map(([domain, version]) => ({ domain, version })),
        graph: {
          name: model.name,
          node: model.nodes,
          initializer: model.initializers,
          input: model.inputs.map(valueInfo),
          output: model.outputs.map(valueInfo),
        },
      }),
    )
    .finish()
}

const valueInfo = ({ name, elementType, dims }: OnnxValue) => ({
  name,
  type: {
    tensorType: {
      elemType: elementType,
      shape: { dim: dims.map((dim) => (typeof dim === 'number' ? { dimValue: dim } : { dimParam: dim })) },
    },
  },
})
