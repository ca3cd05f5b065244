import type { ChunkTranscriber, EventTagger, SpeakerModel } from '../speech/ports.ts'
import { describeChunks } from '../transcription/describe-chunks.ts'
import type { Config } from './config.ts'

type Hearing = {
  readonly transcriber: ChunkTranscriber
  readonly tagger?: EventTagger
  readonly speakers?: SpeakerModel
}

/** What transcribes files: with tags and voices where speech information is wanted, else the transcriber as it is, at no cost. */
export const transcriberOfFiles = ({ transcriber, ...listeners }: Hearing, config: Config): ChunkTranscriber =>
  config.SPEECH_INFORMATION ? describeChunks(transcriber, listeners) : transcriber

/** Whether sounds outside speech are worth cutting out: somebody must be there to name them. */
export const hearsSounds = ({ SPEECH_INFORMATION, EVENT_TAGGER }: Config): boolean =>
  SPEECH_INFORMATION && EVENT_TAGGER !== 'none'
