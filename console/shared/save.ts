/** Gives the browser a file to keep. */
export function save(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser takes it while the click is handled; later the address is only held memory.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

export const saveStream = async (name: string, stream: ReadableStream<Uint8Array>): Promise<void> =>
  save(name, await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).blob())
