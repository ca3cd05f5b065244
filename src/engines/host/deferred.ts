/** A promise settled from outside; Node 20 has no `Promise.withResolvers`. A rejection nobody awaits is no fault. */
export class Deferred<T> {
  readonly promise: Promise<T>
  resolve: (value: T) => void = () => undefined
  reject: (error: Error) => void = () => undefined

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    this.promise.catch(() => undefined)
  }
}
