import type { RealtimeClient } from '../../client/src/index.ts'
import { lipik } from '../shared/session.ts'

/** What the assistant may ask this page for. */
export function addTools(client: RealtimeClient): void {
  client.addTool(
    {
      name: 'current_time',
      description:
        'The date and the time where the user is. Call it when the user asks for either. अभी का समय और आज की तारीख़ बताता है।',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
    },
    () => ({
      time: new Date().toLocaleTimeString(undefined, { timeStyle: 'short' }),
      date: new Date().toLocaleDateString(undefined, { dateStyle: 'long' }),
    }),
  )
  client.addTool(
    {
      name: 'latest_transcripts',
      description:
        "The user's newest transcription batches: name, state, number of files. हाल की नई रिकॉर्डिंग और उनके पाठ बताता है।",
      parameters: { type: 'object', properties: {}, additionalProperties: false },
    },
    async () => {
      const { batches } = await lipik.batches.listPage({ limit: 5 })
      return batches.map(({ first_filename, status, total_files }) => ({
        name: first_filename,
        status,
        files: total_files,
      }))
    },
  )
}
