import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { Icon } from '../shared/icon.tsx'
import { count, text } from '../shared/texts.ts'
import { VirtualList } from '../shared/virtual-list.tsx'
import { BatchList } from './batch-list.ts'
import { BatchRow } from './batch-row.tsx'
import { UploadPanel } from './upload-panel.tsx'
import { uploads } from './uploads.ts'

const STATUSES = ['queued', 'processing', 'completed', 'partial', 'failed'] as const
type Status = (typeof STATUSES)[number]
const TYPING_MS = 250
const ROW_HEIGHT = 76

export function BatchesPage() {
  const [status, setStatus] = useState<Status>()
  const [search, setSearch] = useState('')
  const list = useList(status, useSettled(search.trim(), TYPING_MS))
  const submitted = uploads.value.filter(({ batchId }) => batchId !== undefined).length
  useEffect(() => {
    if (submitted > 0) void list.reload()
  }, [submitted])
  const show = useCallback((first: number, last: number) => list.show(first, last), [list, list.version.value])
  const total = list.total.value
  const isFiltered = status !== undefined || search !== ''
  return (
    <div class="batches">
      <h1 class="hidden">{text('navBatches')}</h1>
      <UploadPanel />
      <div class="card list">
        <div class="list-head">
          <h2>{text('batches')}</h2>
          <span class="quiet" role="status">
            {total !== undefined && text(total === 1 ? 'batchesOne' : 'batchesCount', { n: count(total) })}
          </span>
          <input
            type="search"
            placeholder={text('search')}
            aria-label={text('search')}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <StatusFilter chosen={status} onChoose={setStatus} />
        </div>
        {list.problem.value !== '' && (
          <p class="problem" role="alert">
            {list.problem.value}{' '}
            <button type="button" onClick={() => void list.reload()}>
              {text('tryAgain')}
            </button>
          </p>
        )}
        {total === 0 && (
          <div class="empty quiet">
            <Icon name={isFiltered ? 'search' : 'upload'} />
            <p>{text(isFiltered ? 'batchesNoMatch' : 'batchesNone')}</p>
          </div>
        )}
        {total !== undefined && total > 0 && (
          <VirtualList
            count={total}
            label={text('batches')}
            estimate={ROW_HEIGHT}
            onRange={show}
            renderRow={(index) => <BatchRow batch={list.row(index)} onChanged={() => void list.reload()} />}
          />
        )}
      </div>
    </div>
  )
}

function useList(status: Status | undefined, search: string): BatchList {
  const list = useMemo(() => {
    const filter = { ...(status === undefined ? {} : { status }), ...(search === '' ? {} : { search }) }
    return new BatchList(filter)
  }, [status, search])
  useEffect(() => {
    void list.reload()
    return () => list.close()
  }, [list])
  return list
}

/** The value once it has stayed the same for a while. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

type StatusFilterProps = {
  readonly chosen: Status | undefined
  readonly onChoose: (status: Status | undefined) => void
}

const StatusFilter = ({ chosen, onChoose }: StatusFilterProps) => (
  <fieldset class="switch filter">
    <legend class="hidden">{text('filterStatus')}</legend>
    {[undefined, ...STATUSES].map((each) => (
      <button type="button" aria-pressed={chosen === each} onClick={() => onChoose(each)}>
        {text(each ?? 'all')}
      </button>
    ))}
  </fieldset>
)
