import { computed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Segment } from '../../client/src/index.ts'
import { clock, languageName, named, text } from '../shared/texts.ts'
import type { Player } from './player.ts'
import { type Piece, piecesOf, wordAt } from './timeline.ts'

type SegmentViewProps = {
  readonly segment: Segment
  readonly player: Player
  /** Place of the speaker in the order of first speech; -1: not known. */
  readonly speaker: number
  readonly isNow: boolean
}

const COLOURS = 8

/** One turn of one voice, each word a place to go to. */
export function SegmentView({ segment, player, speaker, isNow }: SegmentViewProps) {
  const pieces = useMemo(() => piecesOf(segment), [segment])
  const word = useMemo(() => computed(() => (isNow ? wordAt(segment, player.seconds.value) : -1)), [segment, isNow])
  return (
    <article class={isNow ? 'segment now' : 'segment'} data-speaker={speaker < 0 ? undefined : speaker % COLOURS}>
      <span class="face" aria-hidden="true">
        {speaker < 0 ? '·' : speaker + 1}
      </span>
      <header>
        {speaker >= 0 && <strong class="speaker">{text('speaker', { n: speaker + 1 })}</strong>}
        <button
          type="button"
          class="plain stamp"
          aria-label={text('playFrom', { time: clock(segment.start) })}
          onClick={() => player.playFrom(segment.start)}
        >
          {clock(segment.start)}
        </button>
        {segment.tone !== null && segment.tone !== 'neutral' && (
          <span class="chip tone">{named('tone', segment.tone)}</span>
        )}
        <span class="quiet">{languageName(segment.accent ?? segment.language)}</span>
      </header>
      <p lang={segment.language} onKeyDown={moveBetweenWords}>
        {pieces.map((piece) => (
          <PieceView piece={piece} isNow={piece.kind === 'word' && piece.index === word.value} player={player} />
        ))}
      </p>
    </article>
  )
}

type PieceViewProps = { readonly piece: Piece; readonly isNow: boolean; readonly player: Player }

function PieceView({ piece, isNow, player }: PieceViewProps) {
  if (piece.kind === 'tag') return <span class="chip tag">{named('tag', piece.tag)}</span>
  return (
    <button
      type="button"
      class={isNow ? 'word now' : 'word'}
      // One stop for the whole turn: the arrow keys go on from there.
      tabIndex={piece.index === 0 ? 0 : -1}
      onClick={() => player.playFrom(piece.start)}
    >
      {piece.text}
    </button>
  )
}

function moveBetweenWords(event: KeyboardEvent): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (step === 0 || !(event.currentTarget instanceof HTMLElement)) return
  const words = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('.word')]
  const at = words.findIndex((word) => word.matches(':focus'))
  words[at + step]?.focus()
  event.preventDefault()
}
