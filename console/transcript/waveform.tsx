import { useEffect, useRef } from 'preact/hooks'
import WaveSurfer from 'wavesurfer.js'
import type { Segment } from '../../client/src/index.ts'
import { styleNonce } from '../shared/settings.ts'
import type { Player } from './player.ts'
import { readPeaks } from './read-peaks.ts'
import { speechPeaks } from './timeline.ts'

const POINTS = 1200

type WaveformProps = { readonly player: Player; readonly segments: readonly Segment[]; readonly duration: number }

/** The picture of the sound; the slider below it does the same for those who do not point. */
export function Waveform({ player, segments, duration }: WaveformProps) {
  const box = useRef<HTMLDivElement>(null)
  const isReady = player.state.value === 'ready'
  useEffect(() => {
    if (!box.current) return
    const style = getComputedStyle(document.documentElement)
    const wave = WaveSurfer.create({
      container: box.current,
      height: 72,
      barWidth: 2,
      barGap: 1,
      barRadius: 2,
      waveColor: style.getPropertyValue('--wave').trim(),
      progressColor: style.getPropertyValue('--accent').trim(),
      cursorColor: style.getPropertyValue('--text').trim(),
      cspNonce: styleNonce,
      interact: true,
      media: player.element,
      peaks: [speechPeaks(segments, duration, POINTS)],
      duration,
    })
    const stop = wave.on('interaction', (seconds) => player.seek(seconds))
    let isOver = false
    if (isReady && player.blob)
      void readPeaks(player.blob, duration, POINTS).then((peaks) => {
        if (peaks && !isOver) void wave.load(player.element.src, [peaks], duration)
      })
    return () => {
      isOver = true
      stop()
      wave.destroy()
    }
  }, [player, isReady, segments, duration])
  return <div class="wave" ref={box} aria-hidden="true" />
}
