import { useEffect, useRef, useState } from 'preact/hooks'
import { Choice } from '../shared/choice.tsx'
import { Icon } from '../shared/icon.tsx'
import { toBatch } from '../shared/route.ts'
import { bytes, count, languageName, text } from '../shared/texts.ts'
import { dismiss, type Upload, type UploadedFile, upload, uploads } from './uploads.ts'

const AUDIO = 'audio/*,video/*,.amr,.3gp,.opus,.gsm,.mkv'
const SPOKEN = ['hi', 'en'] as const
const SCRIPTS = [
  ['native', 'scriptNative'],
  ['roman', 'scriptRoman'],
  ['devanagari', 'scriptDevanagari'],
] as const
type Script = (typeof SCRIPTS)[number][0]

/** Where recordings come in: by dropping them anywhere on the page, or by choosing. */
export function UploadPanel() {
  const [spoken, setSpoken] = useState('')
  const [script, setScript] = useState<Script>('native')
  const picker = useRef<HTMLInputElement>(null)
  const send = (files: readonly File[]) => {
    if (files.length > 0) void upload(files, { script, ...(spoken === '' ? {} : { language: spoken }) })
  }
  const isOver = useDrop(send)
  return (
    <section class={isOver ? 'card drop over' : 'card drop'} aria-label={text('dropTitle')}>
      <div class="drop-target">
        <Icon name="upload" />
        <div>
          <h2>{text('dropTitle')}</h2>
          <p class="quiet">{text('dropLead')}</p>
        </div>
        <button type="button" class="primary" onClick={() => picker.current?.click()}>
          {text('choose')}
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          accept={AUDIO}
          hidden
          onChange={({ currentTarget }) => {
            send([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
      </div>
      <div class="options">
        <Choice label={text('spokenLanguage')} value={spoken} options={spokenOptions()} onChange={setSpoken} />
        <Choice label={text('script')} value={script} options={scriptOptions()} onChange={setScript} />
      </div>
      {uploads.value.map((each) => (
        <UploadView key={each.id} upload={each} />
      ))}
    </section>
  )
}

const spokenOptions = () =>
  [['', text('languageAuto')], ...SPOKEN.map((code) => [code, languageName(code)] as const)] as const
const scriptOptions = () => SCRIPTS.map(([value, key]) => [value, text(key)] as const)

/** Files may be let go anywhere; the page would otherwise be left for the first of them. */
function useDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setIsOver(true)
    }
    addEventListener('dragover', over, { signal })
    addEventListener('dragleave', (event) => event.relatedTarget === null && setIsOver(false), { signal })
    addEventListener(
      'drop',
      (event) => {
        event.preventDefault()
        setIsOver(false)
        latest.current([...(event.dataTransfer?.files ?? [])])
      },
      { signal },
    )
    return () => ending.abort()
  }, [])
  return isOver
}

/** Of many files only so many are shown; the sum tells of the rest. */
const MOST_SHOWN = 50

function UploadView({ upload: { id, files, batchId, why, isOver, stop } }: { readonly upload: Upload }) {
  const inOrder = [...files].sort((a, b) => URGENCY[a.state] - URGENCY[b.state])
  const done = files.filter(({ state }) => state === 'done').length
  return (
    <div class="upload">
      <div class="upload-head">
        <strong>{text('filesOf', { done: count(done), total: count(files.length) })}</strong>
        <span class="quiet" role="status">
          {batchId !== undefined && <a href={toBatch(batchId)}>{text('uploadSubmitted', { n: count(done) })}</a>}
          {why !== undefined && <span class="problem">{text('uploadFailed', { why })}</span>}
        </span>
        <button type="button" class="plain" onClick={() => (isOver ? dismiss(id) : stop())}>
          <Icon name="close" />
          <span class="hidden">{text(isOver ? 'dismiss' : 'uploadStop')}</span>
        </button>
      </div>
      <ul class="upload-files" aria-label={text('uploads')}>
        {inOrder.slice(0, MOST_SHOWN).map((file) => (
          <UploadFileView key={file.name} file={file} />
        ))}
      </ul>
    </div>
  )
}

const URGENCY = { sending: 0, failed: 1, storing: 2, waiting: 3, done: 4 } as const

const UploadFileView = ({ file }: { readonly file: UploadedFile }) => (
  <li class={`upload-file ${file.state}`}>
    <span class="name">{file.name}</span>
    <progress
      max={Math.max(1, file.size)}
      value={file.sentBytes}
      aria-label={text('progressOf', { name: file.name })}
    />
    <span class="quiet">{stateOf(file)}</span>
  </li>
)

function stateOf({ state, size, sentBytes, why = '' }: UploadedFile): string {
  if (state === 'waiting') return text('uploadWaiting')
  if (state === 'storing') return text('uploadStoring')
  if (state === 'done') return text('uploadDone')
  if (state === 'failed') return text('uploadFailed', { why })
  return text('uploadSending', { share: Math.round((100 * sentBytes) / Math.max(1, size)), size: bytes(size) })
}
