import { useState } from 'preact/hooks'
import type { BatchProgress } from '../../client/src/index.ts'
import { Icon, type IconName } from '../shared/icon.tsx'
import { explain, lipik } from '../shared/session.ts'
import { type TextKey, text } from '../shared/texts.ts'

type BatchActionsProps = {
  readonly batch: BatchProgress
  readonly name: string
  readonly onChanged: () => void
}

/** What can be done to a batch now. */
export function BatchActions({ batch, name, onChanged }: BatchActionsProps) {
  const [problem, setProblem] = useState('')
  const run = async (change: (id: string) => Promise<unknown>) => {
    try {
      await change(batch.batch_id)
      setProblem('')
      onChanged()
    } catch (error) {
      setProblem(explain(error))
    }
  }
  const remove = () => {
    if (confirm(text('deleteConfirm', { name }))) void run((id) => lipik.batches.delete(id))
  }
  const isOver = batch.finished_at !== null
  return (
    <div class="actions">
      {problem !== '' && (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
      {!isOver && (
        <Action icon="stop" label="cancel" name={name} onClick={() => void run((id) => lipik.batches.cancel(id))} />
      )}
      {(batch.status === 'failed' || batch.status === 'partial') && (
        <Action icon="retry" label="retry" name={name} onClick={() => void run((id) => lipik.batches.retry(id))} />
      )}
      <Action icon="trash" label="delete" name={name} onClick={remove} />
    </div>
  )
}

type ActionProps = {
  readonly icon: IconName
  readonly label: TextKey
  readonly name: string
  readonly onClick: () => void
}

const Action = ({ icon, label, name, onClick }: ActionProps) => (
  <button
    type="button"
    class="plain"
    title={text(label)}
    aria-label={text('withName', { action: text(label), name })}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
)
