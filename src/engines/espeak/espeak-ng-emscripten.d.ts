/** The slice of the wasm build that we use; it ships without types. */
declare module '@echogarden/espeak-ng-emscripten' {
  interface ESpeakWorker {
    set_voice(name: string, language: string, gender: number, age: number, variant: number): number
    synthesize_ipa(text: string): { code: number; ipa: string }
  }
  const open: () => Promise<{ eSpeakNGWorker: new () => ESpeakWorker }>
  // biome-ignore lint/style/noDefaultExport: it is what the package does
  export default open
}
