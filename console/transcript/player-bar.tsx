import { useState } from 'preact/hooks'
import type { Segment } from '../../client/src/index.ts'
import { Choice } from '../shared/choice.tsx'
import { Icon } from '../shared/icon.tsx'
import { clock, text } from '../shared/texts.ts'
import type { Player } from './player.ts'
import { Waveform } from './waveform.tsx'

const SPEEDS = ['0.75', '1', '1.25', '1.5', '2'].map((speed) => [speed, `${speed}×`] as const)

type PlayerBarProps = { readonly player: Player; readonly segments: readonly Segment[]; readonly duration: number }

export function PlayerBar({ player, segments, duration }: PlayerBarProps) {
  const state = player.state.value
  const [speed, setSpeed] = useState('1')
  player.element.playbackRate = Number(speed)
  return (
    <section class="card player" aria-label={text('play')}>
      <Waveform player={player} segments={segments} duration={duration} />
      <div class="player-line">
        <button
          type="button"
          class="primary round"
          disabled={state === 'none' || state === 'unplayable'}
          onClick={() => player.toggle()}
        >
          <Icon name={player.isPlaying.value ? 'pause' : 'play'} />
          <span class="hidden">{text(player.isPlaying.value ? 'pause' : 'play')}</span>
        </button>
        <Position player={player} duration={duration} />
        <Choice label={text('speed')} isLabelHidden value={speed} options={SPEEDS} onChange={setSpeed} />
      </div>
      {state !== 'ready' && (
        <p class="quiet" role="status">
          {text(state === 'loading' ? 'audioLoading' : state === 'none' ? 'audioNone' : 'audioUnplayable')}
        </p>
      )}
    </section>
  )
}

function Position({ player, duration }: { readonly player: Player; readonly duration: number }) {
  const seconds = player.seconds.value
  return (
    <>
      <output class="clock">{clock(seconds)}</output>
      <input
        type="range"
        min={0}
        max={duration}
        step={0.1}
        value={seconds}
        style={{ '--share': duration > 0 ? Math.min(1, seconds / duration).toFixed(4) : 0 }}
        aria-label={text('position')}
        aria-valuetext={clock(seconds)}
        onInput={(event) => player.seek(Number(event.currentTarget.value))}
      />
      <span class="clock quiet">{clock(duration)}</span>
    </>
  )
}
