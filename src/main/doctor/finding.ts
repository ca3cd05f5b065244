export type Finding = {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly found: string
  /** What to do about it. */
  readonly mend?: string
}

export type Examination = { readonly name: string; examine(): Promise<Omit<Finding, 'name'>> }

export const ok = (found: string) => ({ state: 'ok', found }) as const
export const warning = (found: string, mend: string) => ({ state: 'warning', found, mend }) as const
export const failed = (found: string, mend: string) => ({ state: 'failed', found, mend }) as const
