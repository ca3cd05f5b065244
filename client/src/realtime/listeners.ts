/** Who wants to hear what. A listener that throws is the program's fault, not the session's: the others still hear. */
export class Listeners<Events extends Record<string, unknown>> {
  readonly #byName = new Map<keyof Events, Set<(value: never) => void>>()

  /** The answer takes the listener away again. */
  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): () => void {
    const listeners = this.#byName.get(name) ?? new Set()
    this.#byName.set(name, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  emit<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    for (const listener of [...(this.#byName.get(name) ?? [])]) {
      try {
        // Only listeners of this name's value were put under it.
        const hear = listener as (value: Events[Name]) => void
        hear(value)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
