import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fingerprint } from '../fingerprint.ts'
import { decodeModel, ELEMENT, encodeModel, type OnnxGraph } from '../onnx/onnx-proto.ts'
import { withHalfConvolutions } from './half-convolutions.ts'
import { mendPhase } from './mend-phase.ts'
import { inSinglePrecision } from './single-precision.ts'

/** Raised whenever the graph is made otherwise. */
const PREPARATION_VERSION = 2

export type KokoroPreparation = {
  /** Where the published network lies, and where what is made of it goes. */
  readonly model: string
  readonly preparedDir: string
  /** Kind of processor, as Node.js calls it. */
  readonly arch: string
}

/** The path of the network as the engine runs it. Made once beside the published one; whole or not there. */
export async function prepareKokoro({ model, preparedDir, arch }: KokoroPreparation): Promise<string> {
  const convolvesHalves = arch === 'arm64'
  const name = await fingerprint(`kokoro ${PREPARATION_VERSION} ${convolvesHalves}`, [model])
  const folder = join(preparedDir, `${basename(dirname(model))}-${name}`)
  const prepared = join(folder, 'model.onnx')
  if (existsSync(prepared)) return prepared
  await mkdir(preparedDir, { recursive: true })
  const target = await mkdtemp(join(preparedDir, '.preparing-'))
  try {
    await writeFile(join(target, 'model.onnx'), prepareGraph(await readFile(model), convolvesHalves))
    await rename(target, folder).catch((error: unknown) => {
      // Two processes prepared at once: the other's folder holds the same.
      if (!existsSync(prepared)) throw error
    })
    return prepared
  } finally {
    await rm(target, { recursive: true, force: true })
  }
}

function prepareGraph(file: Buffer, convolvesHalves: boolean): Uint8Array {
  const published = decodeModel(file)
  const single = mendPhase(inSinglePrecision(published))
  return encodeKokoro(convolvesHalves ? withHalfConvolutions(single, published) : single)
}

/** As the published file describes what goes in and out. */
const encodeKokoro = ({ node, initializer }: OnnxGraph): Uint8Array =>
  encodeModel({
    name: 'kokoro',
    opsets: { '': 20 },
    inputs: [
      { name: 'input_ids', elementType: ELEMENT.int64, dims: [1, 'sequence_length'] },
      { name: 'style', elementType: ELEMENT.float, dims: [1, 256] },
      { name: 'speed', elementType: ELEMENT.float, dims: [1] },
    ],
    outputs: [{ name: 'waveform', elementType: ELEMENT.float, dims: [1, 'num_samples'] }],
    nodes: node,
    initializers: initializer,
  })
