import type { TextFilter } from './text-filter.ts'

const NAMES = 'think|thinking|thought|reasoning|reflection|scratchpad'
const OPENING = new RegExp(`^<(${NAMES})>`, 'i')
/** Some servers eat the opening tag with the prompt, so a closing one may stand alone. */
const STRAY = new RegExp(`^</(${NAMES})>`, 'i')
const LONGEST_TAG = '</scratchpad>'.length

/** Leaves out what a model thinks aloud between tags: it was never meant to be seen or heard. */
export function hideReasoning(): TextFilter {
  let held = ''
  let hiddenBy: string | undefined
  let eatsSpace = false

  /** Takes one step through `held`; undefined when more must be known. */
  function step(isEnd: boolean): string | undefined {
    if (hiddenBy !== undefined) return skipTo(hiddenBy, isEnd)
    if (eatsSpace) held = held.trimStart()
    if (held === '') return undefined
    eatsSpace = false
    const at = held.search(/</)
    if (at !== 0) return take(at === -1 ? held.length : at)
    const opening = OPENING.exec(held)
    if (opening) {
      hiddenBy = `</${opening[1]?.toLowerCase()}>`
      held = held.slice(opening[0].length)
      return ''
    }
    const stray = STRAY.exec(held)?.[0]
    if (stray) return take(stray.length) && ''
    const mayGrow = held.length < LONGEST_TAG && !held.includes('>') && !isEnd
    return mayGrow ? undefined : take(1)
  }

  function skipTo(closing: string, isEnd: boolean): string | undefined {
    const at = held.toLowerCase().indexOf(closing)
    if (at === -1) {
      held = isEnd ? '' : held.slice(-LONGEST_TAG)
      return undefined
    }
    hiddenBy = undefined
    eatsSpace = true
    held = held.slice(at + closing.length)
    return ''
  }

  function take(length: number): string {
    const taken = held.slice(0, length)
    held = held.slice(length)
    return taken
  }

  function run(isEnd: boolean): string {
    let out = ''
    for (let piece = step(isEnd); piece !== undefined; piece = step(isEnd)) out += piece
    return out
  }

  return {
    push(text) {
      held += text
      return run(false)
    },
    end: () => run(true),
  }
}
