/** The part of WebAssembly we call; Node has it all, but its types leave it to the browser's. */
declare namespace WebAssembly {
  type Imports = Readonly<Record<string, unknown>>
  type Exports = Readonly<Record<string, unknown>>

  class Module {
    constructor(bytes: Uint8Array)
  }

  class Instance {
    constructor(module: Module, imports: Imports)
    readonly exports: Exports
  }

  class Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
}
