import type { LanguageModel, ReplyPiece, ReplyRequest } from '../../src/speech/language-model.ts'

export type ScriptStep =
  | Exclude<ReplyPiece, { kind: 'end' }>
  | { readonly kind: 'wait'; readonly until: Promise<unknown> }
export type Script = (request: ReplyRequest) => readonly (ScriptStep | Extract<ReplyPiece, { kind: 'end' }> | Error)[]

export const says = (...texts: string[]): ScriptStep[] => texts.map((text) => ({ kind: 'text', text }))

export const calls = (name: string, ...argumentPieces: string[]): ScriptStep[] => [
  { kind: 'call', index: 0, name },
  ...argumentPieces.map((text) => ({ kind: 'arguments', index: 0, text }) as const),
]

/** Repeats what the caller said last, unless told otherwise. */
const echo: Script = ({ turns }) => {
  const said = turns.findLast((turn) => turn.by === 'caller')
  return says('You said: ', `${said?.by === 'caller' ? said.text : 'nothing'}.`)
}

/** A language model that does what a test says, and remembers what it was asked. */
export class ScriptedModel implements LanguageModel {
  readonly name = 'scripted'
  readonly requests: ReplyRequest[] = []
  /** How many replies were stopped by their signal. */
  aborted = 0
  script: Script = echo

  reset(): void {
    this.requests.length = 0
    this.aborted = 0
    this.script = echo
  }

  async *reply(request: ReplyRequest, signal?: AbortSignal): AsyncIterable<ReplyPiece> {
    this.requests.push(request)
    for (const step of this.script(request)) {
      if (step instanceof Error) throw step
      if (step.kind === 'wait') await this.#orAborted(step.until, signal)
      else yield step
      if (step.kind === 'end') return
    }
    yield { kind: 'end', reason: 'complete' }
  }

  async #orAborted(until: Promise<unknown>, signal?: AbortSignal): Promise<void> {
    const aborted = new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        this.aborted++
        reject(signal.reason)
      })
    })
    await Promise.race([until, aborted])
  }

  async close(): Promise<void> {}
}
