import { expect, it } from 'vitest'
import { BUILT_IN_MODELS } from '../../src/models/built-in-models.ts'
import { findModel } from '../../src/models/catalogue.ts'
import { locate } from '../../src/models/ensure-models.ts'
import { readLlamaVocabulary } from '../../src/models/llama-vocabulary.ts'
import { resolveFileReferences } from '../../src/models/resolve-file-references.ts'
import { testModel } from '../support/models.ts'

const model = locate('moonshine-tiny', findModel(BUILT_IN_MODELS, 'moonshine-tiny'), '/models')

it('puts the model’s files into a configuration and leaves the rest alone', () => {
  const config = {
    modelConfig: { moonshine: { encoder: 'file:encoder_model.onnx' }, numThreads: 2 },
    list: ['x', null],
  }
  expect(resolveFileReferences(config, model)).toEqual({
    modelConfig: { moonshine: { encoder: '/models/moonshine-tiny/encoder_model.onnx' }, numThreads: 2 },
    list: ['x', null],
  })
})

it('names the files there are when one is missing', () => {
  expect(() => resolveFileReferences({ tokens: 'file:tokens.txt' }, model)).toThrow(
    /no file file:tokens\.txt; .*encoder_model/,
  )
})

it('reads the Llama vocabulary without running it', async () => {
  const vocabulary = await readLlamaVocabulary((await testModel('llama-vocabulary')).files['llama-tokenizer.js'] ?? '')
  expect(vocabulary).toHaveLength(32_000)
  expect([vocabulary[0], vocabulary[3], vocabulary[29_871]]).toEqual(['<unk>', '<0x00>', '▁'])
})
