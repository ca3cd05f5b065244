import { useState } from 'preact/hooks'
import type { FileResult, Script } from '../../client/src/index.ts'
import { Icon } from '../shared/icon.tsx'
import { save } from '../shared/save.ts'
import { explain, lipik } from '../shared/session.ts'
import { text } from '../shared/texts.ts'

const FORMATS = ['txt', 'srt', 'vtt', 'json'] as const
type Format = (typeof FORMATS)[number]

type ExportsProps = { readonly file: FileResult; readonly script: Script }

/** The transcript to take away, in the letters that are shown. */
export function Exports({ file, script }: ExportsProps) {
  const [note, setNote] = useState('')
  const attempt = (work: () => Promise<void>) => void work().catch((error: unknown) => setNote(explain(error)))
  const copy = async () => {
    await navigator.clipboard.writeText(file.result?.text ?? '')
    setNote(text('copied'))
  }
  const download = async (format: Format) => {
    const content =
      format === 'json'
        ? JSON.stringify(file, null, 2)
        : await lipik.results.transcript(file.file_id, format, { script })
    save(`${file.filename.replace(/\.\w+$/, '')}.${format}`, new Blob([content], { type: 'text/plain' }))
  }
  return (
    <div class="exports">
      <span class="quiet" role="status">
        {note}
      </span>
      <button type="button" onClick={() => attempt(copy)}>
        <Icon name="copy" />
        {text('copy')}
      </button>
      <fieldset class="switch">
        <legend class="hidden">{text('download')}</legend>
        {FORMATS.map((format) => (
          <button type="button" title={`${text('download')} ${format}`} onClick={() => attempt(() => download(format))}>
            {format}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
