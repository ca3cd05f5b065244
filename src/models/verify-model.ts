import { findFault } from './check-file.ts'
import type { ModelFiles } from './ensure-models.ts'

export type FileFault = { readonly path: string; readonly fault: string }

/** Hashes every file of the model, whatever was believed before. Empty: the model is whole. */
export async function verifyModel(model: ModelFiles, signal?: AbortSignal): Promise<FileFault[]> {
  const faults: FileFault[] = []
  if (model.entry.kind === 'remote') return faults
  for (const file of model.entry.files) {
    const path = model.files[file.path] ?? ''
    const fault = await findFault(path, file, signal)
    if (fault) faults.push({ path: file.path, fault })
  }
  return faults
}
