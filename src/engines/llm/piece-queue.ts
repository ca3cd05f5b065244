/** What one side gives when it has it, and the other takes when it wants it. */
export class PieceQueue<T> implements AsyncIterable<T> {
  readonly #pieces: T[] = []
  #isEnded = false
  #error: unknown
  #wake: () => void = () => undefined

  push(piece: T): void {
    this.#pieces.push(piece)
    this.#wake()
  }

  end(): void {
    this.#isEnded = true
    this.#wake()
  }

  fail(error: unknown): void {
    this.#error = error
    this.end()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const piece = this.#pieces.shift()
      if (piece !== undefined) yield piece
      else if (this.#error !== undefined) throw this.#error
      else if (this.#isEnded) return
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}
