import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { BatchProgress, FileResult } from '../../client/src/index.ts'
import { Icon } from '../shared/icon.tsx'
import { TO_BATCHES, toTranscript } from '../shared/route.ts'
import { saveStream } from '../shared/save.ts'
import { explain, lipik } from '../shared/session.ts'
import { clock, text, whenShort } from '../shared/texts.ts'
import { VirtualList } from '../shared/virtual-list.tsx'
import { BatchActions } from './batch-actions.tsx'
import { ProgressLine } from './batch-row.tsx'
import { FilePages } from './file-pages.ts'

const ROW_HEIGHT = 84

/** One batch: its files, with the beginning of what they say. */
export function BatchPage({ id }: { readonly id: string }) {
  const [round, setRound] = useState(0)
  const { progress, problem } = useProgress(id, round)
  const files = useMemo(() => new FilePages(id), [id])
  useEffect(() => {
    if (progress) void files.refresh()
  }, [progress])
  const show = useCallback((first: number, last: number) => files.show(first, last), [files, files.version.value])
  if (problem !== '')
    return (
      <p class="problem" role="alert">
        {problem}
      </p>
    )
  if (!progress) return <p class="quiet">{text('loading')}</p>
  const name = files.row(0)?.filename ?? id
  const changed = () => setRound(round + 1)
  const again = () => void lipik.batches.status(id).then(changed, () => location.assign(TO_BATCHES))
  return (
    <div class="batch">
      <a class="back" href={TO_BATCHES}>
        <Icon name="back" />
        {text('back')}
      </a>
      <div class="page-head">
        <h1>{name}</h1>
        <span class={`chip ${progress.status}`}>{text(progress.status)}</span>
        <ProgressLine progress={progress} name={name} />
        <time class="quiet" dateTime={progress.created_at}>
          {whenShort(progress.created_at)}
        </time>
        <div class="head-buttons">
          <button type="button" onClick={() => void download(id)}>
            <Icon name="download" />
            {text('downloadAll')}
          </button>
          <BatchActions batch={progress} name={name} onChanged={again} />
        </div>
      </div>
      <div class="card list">
        <VirtualList
          count={progress.total_files}
          label={text('files')}
          estimate={ROW_HEIGHT}
          onRange={show}
          renderRow={(index) => <FileRow file={files.row(index)} />}
        />
      </div>
    </div>
  )
}

function useProgress(id: string, round: number) {
  const [progress, setProgress] = useState<BatchProgress>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const stopping = new AbortController()
    const follow = async () => {
      for await (const each of lipik.batches.events(id, { signal: stopping.signal })) setProgress(each)
    }
    follow().catch((error: unknown) => {
      if (!stopping.signal.aborted) setProblem(explain(error))
    })
    return () => stopping.abort()
  }, [id, round])
  return { progress, problem }
}

const download = async (id: string): Promise<void> =>
  saveStream(`batch-${id}.json`, await lipik.batches.downloadStream(id, { format: 'json', speech_information: true }))

function FileRow({ file }: { readonly file: FileResult | undefined }) {
  if (!file) return <div class="file-row loading">{text('loading')}</div>
  const { result, errors } = file
  return (
    <div class="file-row">
      <div class="batch-main">
        <a class="name" href={toTranscript(file.file_id)} title={file.filename}>
          {file.filename}
        </a>
        <span class={`chip ${file.status}`}>{text(file.status)}</span>
        {result && <span class="quiet length">{clock(result.duration_seconds)}</span>}
      </div>
      {result && (
        <p class="preview" lang={result.language ?? undefined}>
          {result.text === '' ? text('noSpeech') : result.text}
        </p>
      )}
      {!result && errors?.[0] && <p class="problem">{errors[0].message}</p>}
    </div>
  )
}
