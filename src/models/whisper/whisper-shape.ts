import { z } from 'zod'

/** What `config.json` of a published Whisper says about its size. */
const Config = z.object({
  d_model: z.number().int(),
  encoder_layers: z.number().int(),
  encoder_attention_heads: z.number().int(),
  decoder_layers: z.number().int(),
  decoder_attention_heads: z.number().int(),
  num_mel_bins: z.number().int(),
  max_source_positions: z.number().int(),
  max_target_positions: z.number().int(),
})

export type WhisperShape = z.infer<typeof Config>

export const readShape = (config: unknown): WhisperShape => Config.parse(config)
