import { useEffect, useMemo, useState } from 'preact/hooks'
import type { FileResult, Script, Segment } from '../../client/src/index.ts'
import { Icon } from '../shared/icon.tsx'
import { toBatch } from '../shared/route.ts'
import { explain, lipik } from '../shared/session.ts'
import { clock, languageName, text } from '../shared/texts.ts'
import { VirtualList } from '../shared/virtual-list.tsx'
import { Exports } from './exports.tsx'
import { Player } from './player.ts'
import { PlayerBar } from './player-bar.tsx'
import { SegmentView } from './segment-view.tsx'
import { segmentAt, speakersOf } from './timeline.ts'

const SEGMENT_HEIGHT = 110
const NONE: readonly Segment[] = []

export function TranscriptPage({ id }: { readonly id: string }) {
  const [script, setScript] = useState<Script>('native')
  const { file, problem } = useResult(id, script)
  const player = useMemo(() => new Player(id), [id])
  useEffect(() => () => player.close(), [player])
  if (problem !== '')
    return (
      <p class="problem" role="alert">
        {problem}
      </p>
    )
  if (!file) return <p class="quiet">{text('loading')}</p>
  const { result } = file
  return (
    <div class="transcript">
      <a class="back" href={toBatch(file.batch_id)}>
        <Icon name="back" />
        {text('files')}
      </a>
      <div class="page-head">
        <h1>{file.filename}</h1>
        <span class={`chip ${file.status}`}>{text(file.status)}</span>
        {result && <span class="quiet">{summary(result.duration_seconds, result.languages)}</span>}
        {result && <Exports file={file} script={script} />}
      </div>
      {!result && <p class="quiet">{text('transcriptNone', { status: text(file.status) })}</p>}
      {result && (
        <>
          <PlayerBar player={player} segments={result.segments ?? NONE} duration={result.duration_seconds} />
          <div class="card list">
            <div class="list-head">
              <ScriptSwitch chosen={script} onChoose={setScript} />
              <span class="quiet help">{text('wordHelp')}</span>
            </div>
            <Segments segments={result.segments ?? NONE} player={player} />
          </div>
        </>
      )}
    </div>
  )
}

const summary = (seconds: number, languages: readonly string[]): string =>
  [clock(seconds), ...languages.map(languageName)].join(' · ')

function useResult(id: string, script: Script) {
  const [file, setFile] = useState<FileResult>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const stopping = new AbortController()
    const query = { speech_information: true, ...(script === 'native' ? {} : { script }) }
    lipik.results.file(id, query, stopping.signal).then(setFile, (error: unknown) => {
      if (!stopping.signal.aborted) setProblem(explain(error))
    })
    return () => stopping.abort()
  }, [id, script])
  return { file, problem }
}

const SCRIPTS = [
  ['native', 'scriptNative'],
  ['roman', 'scriptRoman'],
  ['devanagari', 'scriptDevanagari'],
] as const

type ScriptSwitchProps = { readonly chosen: Script; readonly onChoose: (script: Script) => void }

const ScriptSwitch = ({ chosen, onChoose }: ScriptSwitchProps) => (
  <fieldset class="switch">
    <legend class="hidden">{text('script')}</legend>
    {SCRIPTS.map(([value, key]) => (
      <button type="button" aria-pressed={chosen === value} onClick={() => onChoose(value)}>
        {text(key)}
      </button>
    ))}
  </fieldset>
)

function Segments({ segments, player }: { readonly segments: readonly Segment[]; readonly player: Player }) {
  const speakers = useMemo(() => speakersOf(segments), [segments])
  const now = useNow(segments, player)
  if (segments.length === 0) return <p class="quiet empty">{text('noSpeech')}</p>
  return (
    <VirtualList
      count={segments.length}
      label={text('transcript')}
      estimate={SEGMENT_HEIGHT}
      shown={player.isPlaying.value && now >= 0 ? now : undefined}
      renderRow={(index) => {
        const segment = segments[index]
        if (!segment) return null
        const speaker = segment.speaker_id === null ? -1 : speakers.indexOf(segment.speaker_id)
        return <SegmentView segment={segment} player={player} speaker={speaker} isNow={index === now} />
      }}
    />
  )
}

/** Which segment is being heard: the list is drawn anew when that changes, not at every moment. */
function useNow(segments: readonly Segment[], player: Player): number {
  const [now, setNow] = useState(-1)
  useEffect(() => player.seconds.subscribe((seconds) => setNow(segmentAt(segments, seconds))), [segments, player])
  return now
}
