/** Something that turns a recording into text: the product, or what it is compared with. */
export type Heard = { readonly text: string; readonly language: string | null }

export interface System {
  readonly name: string
  /** `language` is the manifest's; only a system that cannot find it out by itself may look at it. */
  transcribe(path: string, language: string): Promise<Heard>
  close(): Promise<void>
}
