import { address, decimal, flag, integer, optional, secret, text, words } from './setting.ts'

export const speechSettings = {
  MODELS_DIR: optional(text('Folder of downloaded models.', '', 'folder'), "the user's cache folder"),
  MODELS_CATALOGUE: optional(text('Your own models, added to the built-in catalogue.', '', 'JSON file')),
  VOICES_CATALOGUE: optional(text('Your own voices, added to the built-in ones; see docs/voices.md.', '', 'JSON file')),
  FFMPEG_PATH: optional(
    text('The ffmpeg program to decode with.', '', 'file'),
    '`ffmpeg` on `PATH`, then a shipped one',
  ),
  ASR_LANGUAGES: words(
    'Languages speech may be in; each chunk is decided among them.',
    'hi,en',
    'comma-separated ISO 639-1 codes',
    /^[a-z]{2,3}$/,
  ),
  ASR_MODEL: text(
    'Catalogue name of the recogniser of Hindi, mixed speech and every other language.',
    'whisper-small',
    'name',
  ),
  ASR_ENGLISH_MODEL: text(
    'Catalogue name of the recogniser of English; `none`: `ASR_MODEL` does it.',
    'moonshine-tiny',
    'name',
  ),
  ASR_ADAPTER: text(
    'Correction merged into `ASR_MODEL` where that is a Whisper: `hindi`, which comes with the service, a folder of safetensors files, or `none`. An `adapter.json` in the folder may say which languages it teaches, `{"languages": ["mr"]}`; without, Hindi.',
    'hindi',
    'name or folder',
  ),
  ASR_BEAMS: integer(
    'Texts that `ASR_MODEL`, where that is a Whisper, weighs side by side for each chunk; each more takes that much longer.',
    4,
    {
      min: 1,
      max: 8,
    },
  ),
  EVENT_TAGGER: text(
    'What names laughter, applause, coughing, crying and music: `captions`, the Whisper models at hand, the catalogue name of a sherpa-onnx audio-tagging model, or `none`.',
    'captions',
    'name',
  ),
  SPEAKER_MODEL: text(
    'What tells voices apart: `voices`, the sound of voices as the service describes it, or the catalogue name of a sherpa-onnx diarization model.',
    'voices',
    'name',
  ),
  ENGINE_THREADS: optional(
    integer('Threads of each recogniser.', 1, { min: 1, max: 256 }),
    'as many as the machine has cores',
  ),
  SPEECH_INFORMATION: flag(
    'Hears in files who speaks, in which tone and accent, and sounds that are no words. Off: none of it is computed.',
    true,
  ),
  PAUSE_TAG_SECONDS: decimal('Silence inside a turn from which on it is tagged `[pause]`.', 1.5, {
    min: 0.1,
    unit: 'seconds',
  }),
  MAX_AUDIO_SECONDS: integer('Longest audio of one file.', 86_400, { min: 1, unit: 'seconds' }),
}

export const realtimeSettings = {
  LLM_BASE_URL: optional(
    address('Chat server that speaks the OpenAI protocol, for spoken replies.', /^https?$/, '`https://host/v1`'),
    'the built-in rule-based assistant',
  ),
  LLM_MODEL: optional(text('Model to ask there.', '')),
  LLM_API_KEY: optional(secret('Key for that server.')),
  LLM_GGUF: optional(
    text(
      'A model file to think with in this process; needs the package node-llama-cpp, see docs/thinking.md.',
      '',
      'GGUF file',
    ),
  ),
  LLM_TIMEOUT_SECONDS: integer('Longest silence of that server, before its first word and between two.', 20, {
    min: 1,
    max: 600,
    unit: 'seconds',
  }),
}
