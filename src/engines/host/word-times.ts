import type { Word } from '../../speech/transcript.ts'

/** Words share the time by their letters: the best guess where an engine gives no times of words. */
export function spreadWords(text: string, startMs: number, endMs: number): Word[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const letters = words.reduce((sum, word) => sum + word.length + 1, 0)
  const at = (count: number) => Math.round(startMs + ((endMs - startMs) * count) / letters)
  let passed = 0
  return words.map((word) => {
    const from = at(passed)
    passed += word.length + 1
    return { text: word, startMs: from, endMs: at(passed) }
  })
}

/** A token that begins with a blank, or with the sign that stands for one, begins a word. */
export function wordsFromTokens(tokens: readonly string[], startSeconds: readonly number[], endMs: number): Word[] {
  const begun: { text: string; startMs: number }[] = []
  tokens.forEach((token, i) => {
    const piece = token.replaceAll('\u2581', ' ')
    const open = begun.at(-1)
    if (!open || piece.startsWith(' ')) begun.push({ text: piece, startMs: Math.round((startSeconds[i] ?? 0) * 1000) })
    else open.text += piece
  })
  const words = begun.map(({ text, startMs }) => ({ text: text.trim(), startMs })).filter(({ text }) => text !== '')
  return words.map((word, i) => ({ ...word, endMs: Math.max(word.startMs, words[i + 1]?.startMs ?? endMs) }))
}
