import { stderr } from 'node:process'

const BAR_CELLS = 30

export type ShareBar = { show(share: number): void; end(): void }

/** A bar on a terminal, and nothing where there is none: a log has no use for it. */
export function showShare(label: string): ShareBar {
  if (!stderr.isTTY) return { show: () => undefined, end: () => undefined }
  return {
    show(share) {
      const filled = Math.round(Math.min(1, share) * BAR_CELLS)
      stderr.write(`\r\u001b[K${label} [${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}]`)
    },
    end: () => void stderr.write('\r\u001b[K'),
  }
}
