/** A call's arguments as the text of a JSON object, mended where it is plain what was meant; undefined where it is not. */
export function readArguments(written: string): string | undefined {
  const text = written.trim().replace(/^```(?:json)?\s*|\s*```$/g, '')
  if (text === '') return '{}'
  return asObject(text) ?? asObject(mended(text))
}

function asObject(text: string): string | undefined {
  const value = parsed(text)
  if (typeof value === 'string') return asObject(value)
  if (value === null) return '{}'
  return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Small models forget the last brackets, or leave a comma before them. */
function mended(text: string): string {
  const { open, inString } = unclosed(text)
  const closed = `${text}${inString ? '"' : ''}${open.toReversed().join('')}`
  return closed.replaceAll(/,\s*(?=[}\]])/g, '')
}

function unclosed(text: string): { readonly open: string[]; readonly inString: boolean } {
  const open: string[] = []
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (inString && character === '\\') at++
    else if (character === '"') inString = !inString
    else if (!inString && (character === '{' || character === '[')) open.push(character === '{' ? '}' : ']')
    else if (!inString && (character === '}' || character === ']')) open.pop()
  }
  return { open, inString }
}
