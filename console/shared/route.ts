import { signal } from '@preact/signals'

export type Route =
  | { readonly page: 'batches' | 'talk' | 'unknown' }
  | { readonly page: 'batch' | 'transcript'; readonly id: string }

/** Pages live behind `#`: the paths before it are the interface's. */
function read(hash: string): Route {
  const [first = '', id = ''] = hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent)
  // An address with a token in it is the first page, signed in (session.ts takes the token).
  if (first === '' || first.startsWith('token=')) return { page: 'batches' }
  if (first === 'talk') return { page: 'talk' }
  if (first === 'batches' && id !== '') return { page: 'batch', id }
  if (first === 'files' && id !== '') return { page: 'transcript', id }
  return { page: 'unknown' }
}

export const route = signal<Route>(read(location.hash))
addEventListener('hashchange', () => {
  route.value = read(location.hash)
})

export const TO_BATCHES = '#/'
export const TO_TALK = '#/talk'
export const toBatch = (id: string): string => `#/batches/${encodeURIComponent(id)}`
export const toTranscript = (id: string): string => `#/files/${encodeURIComponent(id)}`
