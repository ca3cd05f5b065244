import { hideReasoning } from './hide-reasoning.ts'
import type { TextFilter } from './text-filter.ts'

/** Longer than any word, link or tag that makes sense. Judgement looks so far and no further: it must not depend on how much has come. */
const LONGEST = 400
const URL = /^(?:https?:\/\/|www\.)[^\s<>()[\]"']*/i
/** Pictures, and the marks that join, colour or frame them. Not the joiner of Devanagari letters, which stands alone. */
const PICTURE =
  /^(?:\p{Regional_Indicator}+|[#*\d]\ufe0f?\u20e3|\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)*)/u
const PLAIN = /^[^\s*_~`[\]()<>|!\\\p{Extended_Pictographic}\p{Regional_Indicator}]+/u
const RULE = /^[-*_=]{3,}$/
const TABLE_RULE = /^[\s:|-]*-[\s:|-]*$/

/** The beginning of what is held; `isFinal`: no more of it will be seen before it is judged. */
type Ahead = { readonly text: string; readonly isFinal: boolean }
/** What was said last, and whether a gap follows it. */
type Before = { readonly last: string; readonly isSpaced: boolean }
/** How much is used of what is ahead, and what of it is said. `undefined`: more must be known. */
type Step = { readonly used: number; readonly said: string } | undefined

/**
 * What a model writes, as a person would read it to somebody: no Markdown, no tags, no code, no pictures, no addresses, no
 * thinking aloud. Words and punctuation stay as they are, one line of text a line.
 */
export function speakableText(): TextFilter {
  const reasoning = hideReasoning()
  const markup = withoutMarkup()
  return {
    push: (text) => markup.push(reasoning.push(text)),
    end: () => markup.push(reasoning.end()) + markup.end(),
  }
}

function withoutMarkup(): TextFilter {
  let held = ''
  let gap: '' | ' ' | '\n' = ''
  let hasComma = false
  let isLineStart = true
  let inCode = false
  let last = ''

  function say(text: string): string {
    if (text === '') return ''
    const comma = hasComma && last !== '' ? ',' : ''
    const joins = last === '' || /^[.,!?;:।॥…)]/u.test(text)
    const said = comma + (joins ? '' : gap) + text
    gap = ''
    hasComma = false
    last = text.at(-1) ?? last
    return said
  }

  function run(isEnd: boolean): string {
    let out = ''
    while (held !== '') {
      const step = inCode ? skipCode(isEnd) : next(isEnd)
      if (!step) break
      held = held.slice(step.used)
      out += say(step.said)
    }
    return out
  }

  function next(isEnd: boolean): Step {
    const blank = /^\s+/.exec(held)?.[0]
    if (blank) return rest(blank)
    const ahead = { text: held.slice(0, LONGEST), isFinal: isEnd || held.length >= LONGEST }
    if (!/\s/.test(ahead.text) && !ahead.isFinal) return undefined
    if (isLineStart) {
      const step = lineMark(ahead)
      if (!step || step.used > 0) return step
      isLineStart = false
    }
    if (held.startsWith('```')) return openCode()
    if (held.startsWith('|')) return comma()
    return inline(ahead, { last, isSpaced: gap !== '' })
  }

  function rest(blank: string): Step {
    if (blank.includes('\n')) {
      isLineStart = true
      hasComma = false
      gap = '\n'
    } else if (gap === '') gap = ' '
    return { used: blank.length, said: '' }
  }

  /** Between the cells of a table; after the last there is nothing to set apart. */
  function comma(): Step {
    hasComma = true
    return { used: 1, said: '' }
  }

  function openCode(): Step {
    inCode = true
    return { used: 3, said: '' }
  }

  function skipCode(isEnd: boolean): Step {
    const at = held.indexOf('```')
    if (at !== -1) {
      inCode = false
      return { used: at + 3, said: '' }
    }
    const used = isEnd ? held.length : held.length - 2
    return used > 0 ? { used, said: '' } : undefined
  }

  return {
    push(text) {
      held += text
      return run(false)
    },
    end: () => run(true),
  }
}

/** What stands before the words of a line: heading, list, quotation, table and rule marks. Nothing used: there is none. */
function lineMark({ text, isFinal }: Ahead): Step {
  const first = /^\S+/.exec(text)?.[0] ?? ''
  if (RULE.test(first)) return { used: first.length, said: '' }
  if (/^[|:-]+$/.test(first) && first.includes('|')) {
    const line = /^[^\n]*(?=\n)/.exec(text)?.[0] ?? (isFinal ? text : undefined)
    if (line === undefined) return undefined
    if (TABLE_RULE.test(line)) return { used: line.length, said: '' }
  }
  const mark = /^(?:#{1,6}(?=\s|$)|>+|[-*+](?=\s|$)|\|)/.exec(text)?.[0] ?? ''
  return { used: mark.length, said: '' }
}

function inline(ahead: Ahead, before: Before): Step {
  const { text } = ahead
  const picture = PICTURE.exec(text)?.[0]
  if (picture) return { used: picture.length, said: '' }
  if (/^!?\[/.test(text)) return link(ahead)
  if (text.startsWith('<')) return tag(ahead)
  const address = URL.exec(text)?.[0]
  if (address) return { used: address.replace(/[.,!?;:।]+$/u, '').length, said: '' }
  const plain = PLAIN.exec(text)?.[0]
  if (!plain) return mark(text, before)
  const inside = plain.slice(1).search(/https?:\/\/|(?<=[:,;=])www\./i)
  const used = inside === -1 ? plain.length : inside + 1
  return { used, said: plain.slice(0, used) }
}

function link({ text, isFinal }: Ahead): Step {
  const whole = /^!?\[([^[\]\n]*)\](\([^)\n]*\)|\[[^\]\n]*\])?/.exec(text)
  if (!whole) return isFinal || text.includes('\n') ? { used: text.startsWith('!') ? 2 : 1, said: '' } : undefined
  const [all, label = '', target] = whole
  if (target === undefined && !isFinal && /^(?:[([][^)\]\n]*)?$/.test(text.slice(all.length))) return undefined
  const isFootnote = target === undefined && /^\^?\d+$/.test(label)
  return { used: all.length, said: isFootnote || URL.test(label) ? '' : label.replaceAll(/[*_`]+/g, '').trim() }
}

function tag({ text, isFinal }: Ahead): Step {
  const whole = /^<(?:[/a-z|!][^<>\n]*)>/i.exec(text)?.[0]
  if (whole) return { used: whole.length, said: '' }
  if (!isFinal && /^<[/a-z|!][^<>\n]*$/i.test(text)) return undefined
  return { used: 1, said: /^<[\s\d]/.test(text) ? '<' : '' }
}

/** Single characters that mean something in Markdown, and in a sentence now and then. */
function mark(text: string, { last, isSpaced }: Before): Step {
  const [character = ''] = text
  const emptied = /^\((?:https?:\/\/|www\.)[^\s)]*\)/i.exec(text)?.[0]
  if (emptied) return { used: emptied.length, said: '' }
  const joinsWords = !isSpaced && /[\p{L}\p{N}]$/u.test(last) && /^_[\p{L}\p{N}]/u.test(text)
  if (character === '_') return { used: 1, said: joinsWords ? ' ' : '' }
  if (character === '*' && isSpaced && /\d/.test(last) && /^\*\s/.test(text)) return { used: 1, said: '×' }
  return { used: character.length, said: '*~`\\[]'.includes(character) ? '' : character }
}
