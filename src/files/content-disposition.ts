import { LipikError } from '../platform/errors.ts'

export type Disposition = { readonly name: string; readonly filename: string | undefined }

/** `; key=token` or `; key="quoted"`, where only `\"` and `\\` are escapes: old browsers send `C:\calls\a.wav` as it is. */
const PARAMETER = /;\s*([\w-]+\*?)\s*=\s*(?:"((?:\\["\\]|[^"])*)"|([^\s;"]*))/g

/** Reads the one header of a part that form data needs (RFC 7578, section 4.2), names in UTF-8. */
export function readDisposition(headers: Buffer): Disposition {
  const lines = headers.toString('utf8').split('\r\n')
  const line = lines.find((each) => /^content-disposition\s*:/i.test(each)) ?? ''
  const value = line.slice(line.indexOf(':') + 1).trim()
  const parameters = new Map<string, string>()
  for (const [, key = '', quoted, token] of value.matchAll(PARAMETER)) {
    parameters.set(key.toLowerCase(), quoted === undefined ? (token ?? '') : unescapeQuoted(quoted))
  }
  const name = parameters.get('name')
  if (!/^form-data\s*(;|$)/i.test(value) || name === undefined)
    throw new LipikError('invalid_request', 'the multipart body is malformed: a part has no name')
  return { name, filename: extended(parameters.get('filename*')) ?? parameters.get('filename') }
}

/** Browsers write a quote as %22 and line ends as %0D%0A (the HTML form algorithm), command lines as a backslash pair. */
const unescapeQuoted = (text: string): string =>
  text
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0D/gi, '\r')
    .replace(/%0A/gi, '\n')

/** `UTF-8''percent-encoded` of RFC 5987; what cannot be read counts as absent. */
function extended(value: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')?.[1]
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
