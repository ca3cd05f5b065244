import type { Page } from 'playwright-core'
import type { Samples } from '../../src/speech/ports.ts'

/** What can be heard of a page: the samples that reach the speaker of any of its audio contexts, as numbers, whatever the page believes. */
const TAP = `(() => {
  const heard = { blocks: [], rateHz: 0 }
  window.heardSound = heard
  const connect = AudioNode.prototype.connect
  AudioNode.prototype.connect = function (to, ...rest) {
    if (to === this.context.destination) {
      const tap = this.context.createScriptProcessor(2048, 1, 1)
      heard.rateHz = this.context.sampleRate
      tap.onaudioprocess = ({ inputBuffer }) => heard.blocks.push(inputBuffer.getChannelData(0).slice())
      connect.call(this, tap)
      connect.call(tap, to)
    }
    return connect.call(this, to, ...rest)
  }
})()`

/** A microphone that says nothing until \`speakInto\` gives it something: a wav file of Chromium's speaks when it likes. */
const HELD_MICROPHONE = `(() => {
  navigator.mediaDevices.getUserMedia = async () => {
    const context = new AudioContext()
    const to = context.createMediaStreamDestination()
    window.speakNow = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const source = context.createBufferSource()
      source.buffer = await context.decodeAudioData(bytes.buffer)
      source.connect(to)
      source.start()
    }
    return to.stream
  }
})()`

/** Before the page is opened. */
export const listenTo = (page: Page): Promise<unknown> => page.addInitScript(TAP)
export const holdMicrophone = (page: Page): Promise<unknown> => page.addInitScript(HELD_MICROPHONE)

export const speakInto = (page: Page, wav: Uint8Array): Promise<void> =>
  page.evaluate(`speakNow('${Buffer.from(wav).toString('base64')}')`)

export type HeardSound = { readonly samples: Samples; readonly rateHz: number }

/** All that was heard so far. */
export async function heardOf(page: Page): Promise<HeardSound> {
  const { base64, rateHz } = await page.evaluate<{ base64: string; rateHz: number }>(`(async () => {
    const { blocks, rateHz } = heardSound
    const url = await new Promise((done) => {
      const reader = new FileReader()
      reader.onload = () => done(reader.result)
      reader.readAsDataURL(new Blob(blocks))
    })
    return { base64: url.slice(url.indexOf(',') + 1), rateHz }
  })()`)
  const bytes = Buffer.from(base64, 'base64')
  return { samples: new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)), rateHz }
}

/** The root mean square of the last stretch that was heard, in decibels below full scale. */
export const loudnessOf = (page: Page, seconds: number): Promise<number> =>
  page.evaluate(`(() => {
    const { blocks, rateHz } = heardSound
    const last = blocks.slice(-Math.ceil((${seconds} * rateHz) / 2048))
    const samples = last.flatMap((block) => [...block])
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length)
    return 10 * Math.log10(power + 1e-12)
  })()`)
