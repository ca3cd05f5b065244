import { useEffect, useState } from 'preact/hooks'
import type { Voice } from '../../client/src/index.ts'
import { explain, lipik } from '../shared/session.ts'

export type Voices = { readonly voices: readonly Voice[]; readonly problem: string }

/** Who can speak here. */
export function useVoices(): Voices {
  const [found, setFound] = useState<Voices>({ voices: [], problem: '' })
  useEffect(() => {
    const leaving = new AbortController()
    lipik.realtime.voices(leaving.signal).then(
      (voices) => setFound({ voices, problem: '' }),
      (error: unknown) => {
        if (!leaving.signal.aborted) setFound({ voices: [], problem: explain(error) })
      },
    )
    return () => leaving.abort()
  }, [])
  return found
}
