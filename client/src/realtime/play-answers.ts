import type { Heard } from './playback-clock.ts'
import type { RealtimeClient } from './realtime-client.ts'

/** What answers are played through: `Player` in browsers, or a program's own. */
export type AnswerPlayer = {
  play(itemId: string, contentIndex: number, pcm: Int16Array<ArrayBuffer>): void
  /** Falls silent; what was heard of the item that was cut, if one was. */
  interrupt(): Heard | undefined
}

/**
 * Plays a session's answers. When the user speaks into one it falls silent, and the service is told how much was heard, so that
 * the model knows where it was stopped. Sound of a cut answer that is still on its way is not played. The answer undoes it.
 */
export function playAnswers(client: RealtimeClient, player: AnswerPlayer): () => void {
  const cut = new Set<string>()
  const stops = [
    client.on('conversation.updated', ({ item, delta }) => {
      if (delta.audio && !cut.has(item.id)) player.play(item.id, delta.contentIndex ?? 0, delta.audio)
    }),
    client.on('conversation.interrupted', ({ itemId }) => {
      // The service has not heard of it yet, and goes on sending for a moment.
      if (itemId === undefined) for (const { id } of answersUnderWay(client)) cut.add(id)
      const heard = player.interrupt()
      if (!heard) return
      cut.add(heard.itemId)
      if (client.isConnected) client.truncate(heard.itemId, heard.playedMs, heard.contentIndex)
    }),
    client.on('close', () => player.interrupt()),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

const answersUnderWay = ({ conversation }: RealtimeClient) =>
  conversation.items.filter(({ role, status }) => role === 'assistant' && status === 'in_progress')
