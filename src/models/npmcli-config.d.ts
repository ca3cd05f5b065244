/** The slice of npm's own settings reader that we use; it ships without types. */
declare module '@npmcli/config' {
  class Config {
    constructor(options: {
      npmPath: string
      definitions: unknown
      shorthands: unknown
      flatten: unknown
      nerfDarts: unknown
      argv: readonly string[]
      cwd: string
      env: Readonly<Record<string, string | undefined>>
      warn: boolean
    })
    load(): Promise<void>
    /** Every setting in the form pacote and npm-registry-fetch take as options. */
    readonly flat: Record<string, unknown>
  }
  export = Config
}

declare module '@npmcli/config/lib/definitions/index.js' {
  const described: { definitions: unknown; shorthands: unknown; flatten: unknown; nerfDarts: unknown }
  export = described
}
