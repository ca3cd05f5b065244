import { signal } from '@preact/signals'
import { type ConversationItem, Microphone, Player, playAnswers, RealtimeClient } from '../../client/src/index.ts'
import { explain, lipik } from '../shared/session.ts'
import { serviceUrl } from '../shared/settings.ts'
import { addTools } from './tools.ts'

export type Phase = 'idle' | 'connecting' | 'listening' | 'hearing' | 'thinking' | 'speaking'
export type TalkOptions = { readonly voice: string; readonly language: string }

/** Up at once, down slowly: speech is silent many times a second, and a bar that follows it only flickers. */
const FADING_PER_FRAME = 0.9
const fading = (before: number, now: number): number => Math.max(now, before * FADING_PER_FRAME)

/** One conversation by voice, from the microphone to the speaker. */
export class Conversation {
  readonly phase = signal<Phase>('idle')
  readonly problem = signal('')
  readonly items = signal<readonly ConversationItem[]>([])
  /** From the end of the user's turn to the first sound of the answer, by the item that answered. */
  readonly latencies = signal<ReadonlyMap<string, number>>(new Map())
  readonly levels = signal({ microphone: 0, player: 0 })
  readonly isMuted = signal(false)
  #client: RealtimeClient | undefined
  #microphone: Microphone | undefined
  #player: Player | undefined
  #turnEndedMs: number | undefined
  /** A response of the service is under way, heard or not yet. */
  #isAnswering = false

  async start({ voice, language }: TalkOptions): Promise<void> {
    this.phase.value = 'connecting'
    this.problem.value = ''
    this.items.value = []
    try {
      const player = new Player()
      this.#player = player
      await player.resume()
      const client = await this.#connect(voice, language)
      playAnswers(client, player)
      this.#microphone = await Microphone.open({
        workletUrl: MICROPHONE_WORKLET_URL,
        onAudio: (pcm) => {
          if (client.isConnected) client.appendAudio(pcm)
        },
      })
      this.phase.value = 'listening'
      this.#watchLevels()
    } catch (error) {
      this.problem.value = explain(error)
      await this.stop()
    }
  }

  /** With a token that is good for opening sessions and for nothing else. */
  async #connect(voice: string, language: string): Promise<RealtimeClient> {
    const { value } = await lipik.realtime.createToken({ ttlSeconds: 60 })
    const session = {
      audio: {
        input: {
          transcription: language === '' ? {} : { language },
          turn_detection: { type: 'server_vad' as const },
        },
        output: { voice },
      },
    }
    const client = new RealtimeClient({ url: serviceUrl, token: value, session })
    this.#client = client
    addTools(client)
    this.#listen(client)
    await client.connect()
    return client
  }

  #listen(client: RealtimeClient): void {
    const draw = () => {
      this.items.value = client.conversation.items
    }
    client.on('conversation.item.appended', draw)
    client.on('conversation.item.completed', draw)
    client.on('conversation.item.deleted', draw)
    client.on('conversation.updated', ({ item, delta }) => {
      draw()
      if (delta.audio) this.#sounded(item)
    })
    client.on('realtime.event', ({ source, event }) => {
      if (source === 'server') this.#heard(event.type)
    })
    client.on('error', (error) => {
      this.problem.value = error.message
    })
    client.on('close', ({ code, reason }) => {
      if (code !== 1000) this.problem.value = `${reason} (${code})`
      void this.stop()
    })
  }

  #heard(event: string): void {
    if (event === 'input_audio_buffer.speech_started') this.phase.value = 'hearing'
    if (event === 'input_audio_buffer.speech_stopped') {
      this.#turnEndedMs = performance.now()
      this.phase.value = 'thinking'
    }
    if (event === 'response.created') {
      this.#isAnswering = true
      this.phase.value = 'thinking'
    }
    if (event === 'response.done') {
      this.#isAnswering = false
      if (this.phase.value === 'thinking') this.phase.value = 'listening'
    }
  }

  #sounded(item: ConversationItem): void {
    if (this.phase.value !== 'hearing') this.phase.value = 'speaking'
    if (this.#turnEndedMs === undefined) return
    const latencyMs = performance.now() - this.#turnEndedMs
    this.#turnEndedMs = undefined
    this.latencies.value = new Map(this.latencies.value).set(item.id, latencyMs)
  }

  #watchLevels(): void {
    const [microphone, player] = [this.#microphone, this.#player]
    if (!microphone || !player) return
    const { microphone: heard, player: spoken } = this.levels.value
    this.levels.value = { microphone: fading(heard, microphone.level), player: fading(spoken, player.level) }
    // Between two sentences it may be silent for a while: then it thinks, and does not listen yet.
    if (this.phase.value === 'speaking' && !player.isPlaying)
      this.phase.value = this.#isAnswering ? 'thinking' : 'listening'
    requestAnimationFrame(() => this.#watchLevels())
  }

  say(message: string): void {
    if (this.#isAnswering || this.#player?.isPlaying) this.#client?.interrupt()
    this.#turnEndedMs = performance.now()
    this.phase.value = 'thinking'
    this.#client?.sendText(message)
  }

  interrupt(): void {
    if (!this.#client?.isConnected) return
    this.#client.interrupt()
    this.phase.value = 'listening'
  }

  toggleMute(): void {
    if (!this.#microphone) return
    this.#microphone.isMuted = !this.#microphone.isMuted
    this.isMuted.value = this.#microphone.isMuted
  }

  async stop(): Promise<void> {
    const [client, microphone, player] = [this.#client, this.#microphone, this.#player]
    this.#client = undefined
    this.#microphone = undefined
    this.#player = undefined
    this.#isAnswering = false
    this.phase.value = 'idle'
    this.isMuted.value = false
    this.levels.value = { microphone: 0, player: 0 }
    client?.close()
    await Promise.all([microphone?.close(), player?.close()])
  }
}
