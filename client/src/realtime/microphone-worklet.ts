/** Runs in the audio thread, which has no modules of ours: collects blocks of 128 samples into pieces and posts them. */
export const MICROPHONE_WORKLET = `
class LipikMicrophone extends AudioWorkletProcessor {
  constructor() {
    super()
    this.held = new Float32Array(Math.round(sampleRate / 25))
    this.filled = 0
  }
  process([channels]) {
    const samples = channels && channels[0]
    if (!samples) return true
    for (const sample of samples) {
      this.held[this.filled++] = sample
      if (this.filled < this.held.length) continue
      this.port.postMessage(this.held.slice())
      this.filled = 0
    }
    return true
  }
}
registerProcessor('lipik-microphone', LipikMicrophone)
`
