import type { BatchProgress, ListedBatch } from '../../client/src/index.ts'
import { toBatch } from '../shared/route.ts'
import { clock, count, roughly, text, whenShort } from '../shared/texts.ts'
import { BatchActions } from './batch-actions.tsx'

export const nameOf = ({ first_filename, batch_id }: ListedBatch): string => first_filename ?? batch_id

type BatchRowProps = { readonly batch: ListedBatch | undefined; readonly onChanged: () => void }

export function BatchRow({ batch, onChanged }: BatchRowProps) {
  if (!batch) return <div class="batch-row loading">{text('loading')}</div>
  const name = nameOf(batch)
  return (
    <div class="batch-row">
      <div class="batch-main">
        <a href={toBatch(batch.batch_id)} class="name" title={name}>
          {name}
        </a>
        {batch.total_files > 1 && (
          <span class="quiet more">{text('andMore', { n: count(batch.total_files - 1) })}</span>
        )}
      </div>
      <div>
        <span class={`chip ${batch.status}`}>{text(batch.status)}</span>
      </div>
      <div class="batch-side">
        <ProgressLine progress={batch} name={name} />
        <time class="quiet" dateTime={batch.created_at}>
          {whenShort(batch.created_at)}
        </time>
      </div>
      <BatchActions batch={batch} name={name} onChanged={onChanged} />
    </div>
  )
}

const filesText = (files: number): string => text(files === 1 ? 'filesOne' : 'filesMany', { n: count(files) })

type ProgressLineProps = { readonly progress: BatchProgress; readonly name: string }

/** How many files are through, and how long it will take; for a batch that has ended, how much sound it was. */
export function ProgressLine({ progress, name }: ProgressLineProps) {
  const { files_completed: completed, files_failed: failed, total_files: total } = progress
  const isOver = progress.finished_at !== null
  const parts = [
    completed === total ? filesText(total) : text('filesOf', { done: count(completed), total: count(total) }),
    ...(isOver && completed > 0 ? [clock(progress.estimated_audio_seconds)] : []),
    ...(failed > 0 ? [text('filesFailed', { n: count(failed) })] : []),
    ...(isOver ? [] : [text('eta', { time: roughly(progress.estimated_completion_seconds) })]),
  ]
  return (
    <span class="progress-line">
      {!isOver && (
        <progress max={Math.max(1, total)} value={completed + failed} aria-label={text('progressOf', { name })} />
      )}
      <span class="quiet">{parts.join(' · ')}</span>
    </span>
  )
}
