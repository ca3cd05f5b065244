import { LipikConnectionError } from '../failures.ts'

/** The slice of WebSocket used here: the browsers' own, Node.js 22's, or that of the package ws. */
export type SocketLike = {
  readonly readyState: number
  readonly bufferedAmount: number
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'open', listener: () => void): void
  addEventListener(type: 'error', listener: (event: { readonly message?: string }) => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void
}
export type SocketClass = new (url: string, protocols: string[]) => SocketLike

/** `http://host/base` → `ws://host/base/v1/realtime?model=...` */
export function realtimeAddress(url: string, model: string): string {
  const address = new URL(`${url.replace(/\/+$/, '')}/v1/realtime`)
  address.protocol = address.protocol.replace(/^http/, 'ws')
  address.searchParams.set('model', model)
  return address.href
}

/** Browsers cannot send headers with a WebSocket: the credential travels as a subprotocol, everywhere alike. */
export function openSocket(url: string, credential: string, given: SocketClass | undefined): SocketLike {
  const { WebSocket: own } = globalThis as { readonly WebSocket?: SocketClass }
  const Socket = given ?? own
  if (!Socket)
    throw new LipikConnectionError('there is no WebSocket here: give one as an option, such as that of the package ws')
  return new Socket(url, ['realtime', `lipik-insecure-api-key.${credential}`])
}
