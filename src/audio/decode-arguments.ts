import { SAMPLE_RATE_HZ } from '../speech/ports.ts'
import type { FfmpegJob } from './ffmpeg.ts'
import type { AudioFormat } from './headers/audio-header.ts'
import type { AudioProbe } from './probe.ts'

/**
 * ffmpeg is told what the file is and may not guess: playlists, concat scripts and the like are formats too, and some
 * of them open other files and addresses.
 */
const DEMUXERS: Record<AudioFormat, string> = {
  wav: 'wav',
  mp3: 'mp3',
  aac: 'aac',
  m4a: 'mov',
  mp4: 'mov',
  mov: 'mov',
  '3gp': 'mov',
  ogg: 'ogg',
  flac: 'flac',
  webm: 'matroska',
  mkv: 'matroska',
  amr: 'amr',
  gsm: 'gsm',
}

/** Only decoders of sound; the video decoders are where most of ffmpeg's past holes were. */
const DECODERS = [
  'aac,aac_fixed,aac_latm,libfdk_aac,ac3,ac3_fixed,eac3,alac,flac',
  'mp3,mp3float,mp2,mp2float,mp1,mp1float',
  'opus,libopus,vorbis,libvorbis,speex,libspeex',
  'amrnb,amrwb,libopencore_amrnb,libopencore_amrwb,gsm,gsm_ms,libgsm,libgsm_ms,qcelp,evrc',
  'pcm_mulaw,pcm_alaw,pcm_u8,pcm_s8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be',
  'pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,adpcm_ms,adpcm_ima_wav,adpcm_ima_qt,g722,g726,g726le',
].join(',')

/**
 * Telephones send nothing while nobody speaks, and ffmpeg leaves those AMR frames out: all that follows would move
 * forward. Their times are known, so the holes are filled with silence.
 */
const FILL_HOLES = 'aresample=async=1:min_hard_comp=0.01:first_pts=0'
const HAS_HOLES: ReadonlySet<AudioFormat> = new Set(['amr', '3gp'])

/**
 * What an encoder's first frames hold before the sound begins. Containers and the Xing tag say how much of it to leave
 * out; a bare stream cannot, and its words would all come that much late.
 */
const AAC_LEAD_SAMPLES = 1024
const MP3_LEAD_SAMPLES = 1105

const LARGEST_ALLOCATION_BYTES = 256 * 1024 * 1024

/** Decoding to 16-bit wav at the rate of speech; one channel or two stay as they are, more become two. */
export function decodeArguments(probe: AudioProbe, inputPath: string, maxSeconds: number): FfmpegJob {
  const demuxer = DEMUXERS[probe.format]
  // A QuickTime index may point into other files; this is the default, said aloud.
  const references = demuxer === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : []
  const layout = `aformat=sample_fmts=s16:sample_rates=${SAMPLE_RATE_HZ}:channel_layouts=mono|stereo`
  return {
    inputOptions: [
      ...['-loglevel', 'error', '-max_alloc', String(LARGEST_ALLOCATION_BYTES)],
      ...['-protocol_whitelist', 'file,pipe', '-codec_whitelist', DECODERS, '-threads', '1'],
      ...['-vn', '-sn', '-dn', ...references, '-f', demuxer],
    ],
    inputPath,
    outputOptions: [
      '-map',
      '0:a:0',
      '-af',
      [...repairs(probe), layout].join(','),
      '-t',
      String(maxSeconds),
      '-bitexact',
      '-f',
      'wav',
    ],
  }
}

function repairs({ format, estimated }: AudioProbe): string[] {
  if (HAS_HOLES.has(format)) return [FILL_HOLES]
  if (format === 'aac') return [`atrim=start_sample=${AAC_LEAD_SAMPLES}`]
  return format === 'mp3' && estimated ? [`atrim=start_sample=${MP3_LEAD_SAMPLES}`] : []
}
