/**
 * Half seconds of many voices for training/voice_space.py: `npx tsx scripts/describe-voices.ts FOLDER OUT.json`. FOLDER holds
 * 16 kHz mono wavs named VOICE-NUMBER.wav, spoken by Kokoro's voices that are not the service's own.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeVoice } from '../src/audio/features/describe-voice.ts'
import { parseWav } from '../src/audio/wav.ts'

const [folder, out] = process.argv.slice(2)
if (!folder || !out) throw new Error('usage: describe-voices.ts FOLDER OUT.json')
const names = (await readdir(folder)).filter((name) => name.endsWith('.wav')).toSorted()
const clips = await Promise.all(
  names.map(async (name) => ({
    voice: name.slice(0, name.lastIndexOf('-')),
    stretches: await describeVoice(parseWav(await readFile(join(folder, name)))),
  })),
)
await writeFile(out, JSON.stringify(clips))
