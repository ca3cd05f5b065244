import type { Segment } from '../../client/src/index.ts'
import { Icon } from '../shared/icon.tsx'
import { clock, text } from '../shared/texts.ts'
import type { Player } from './player.ts'
import { Waveform } from './waveform.tsx'

const SPEEDS = [0.75, 1, 1.25, 1.5, 2]

type PlayerBarProps = { readonly player: Player; readonly segments: readonly Segment[]; readonly duration: number }

export function PlayerBar({ player, segments, duration }: PlayerBarProps) {
  const state = player.state.value
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
        <label class="speed">
          <span class="hidden">{text('speed')}</span>
          <select
            onChange={({ currentTarget }) => {
              player.element.playbackRate = Number(currentTarget.value)
            }}
          >
            {SPEEDS.map((speed) => (
              <option value={speed} selected={speed === 1}>
                {speed}×
              </option>
            ))}
          </select>
        </label>
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
        aria-label={text('position')}
        aria-valuetext={clock(seconds)}
        onInput={(event) => player.seek(Number(event.currentTarget.value))}
      />
      <span class="clock quiet">{clock(duration)}</span>
    </>
  )
}
