import { computed, signal } from '@preact/signals'
import { LipikApiError, LipikClient } from '../../client/src/index.ts'
import { recall, remember } from './preferences.ts'
import { serviceUrl } from './settings.ts'
import { text } from './texts.ts'

const TOKEN = 'lipik.token'

const token = signal(recall(TOKEN))
/** Somebody who was signed in is asked to sign in again. */
export const sessionHasEnded = signal(false)

export const isSignedIn = computed(() => token.value !== undefined)

/** The service as the signed-in user sees it; pages that need it are shown only to those. */
export const lipik = new LipikClient({ url: serviceUrl, token: () => token.peek() ?? '', maxRetries: 2 })

export function keepToken(fresh: string): void {
  remember(TOKEN, fresh)
  token.value = fresh
  sessionHasEnded.value = false
}

export function signOut(): void {
  remember(TOKEN, undefined)
  token.value = undefined
}

/** Asks for the least there is with this token: whether the service accepts it. */
export async function isAccepted(fresh: string): Promise<boolean> {
  const asked = new LipikClient({ url: serviceUrl, token: fresh, maxRetries: 0 })
  try {
    await asked.batches.listPage({ limit: 1 })
    return true
  } catch (error) {
    if (error instanceof LipikApiError && error.status === 401) return false
    throw error
  }
}

/** What to show for a failure; a refused token ends the session as well. */
export function explain(error: unknown): string {
  if (!(error instanceof LipikApiError))
    return text('unreachable', { why: error instanceof Error ? error.message : String(error) })
  if (error.status === 401 && isSignedIn.peek()) {
    signOut()
    sessionHasEnded.value = true
  }
  return error.message
}

/** `#token=...` signs in, and goes from the address at once. */
export function takeTokenFromAddress(): void {
  const [, given] = /^#token=([\w.~+/=-]+)$/.exec(location.hash) ?? []
  if (given === undefined) return
  history.replaceState(null, '', `${location.pathname}#/`)
  keepToken(given)
}
