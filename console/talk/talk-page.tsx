import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Voice } from '../../client/src/index.ts'
import { Choice } from '../shared/choice.tsx'
import { Icon } from '../shared/icon.tsx'
import { languageName, text } from '../shared/texts.ts'
import { Conversation, type Phase } from './conversation.ts'
import { ConversationView } from './conversation-view.tsx'
import { useVoices } from './voices.ts'

export function TalkPage() {
  const talk = useMemo(() => new Conversation(), [])
  useEffect(() => () => void talk.stop(), [talk])
  const { voices, problem } = useVoices()
  const [language, setLanguage] = useState('')
  const [chosen, setChosen] = useState('')
  const fitting = voices.filter((each) => language === '' || each.language === language)
  const voice = fitting.find(({ id }) => id === chosen) ?? fitting[0]
  const phase = talk.phase.value
  const isOn = phase !== 'idle'
  return (
    <div class="talk">
      <div class="page-head">
        <h1>{text('talkTitle')}</h1>
        <p class="quiet">{text('talkLead')}</p>
      </div>
      <div class="talk-columns">
        <section class="card talk-panel" aria-label={text('talkTitle')}>
          <Orb talk={talk} phase={phase} />
          <p class={`phase ${phase}`} role="status">
            {text(phase)}
          </p>
          <Buttons talk={talk} phase={phase} onStart={() => void talk.start({ voice: voice?.id ?? '', language })} />
          <Problem why={talk.problem.value === '' ? problem : talk.problem.value} />
          <Levels talk={talk} />
          <fieldset class="talk-choices">
            <legend class="hidden">{text('talkSettings')}</legend>
            <Choice
              label={text('spokenLanguage')}
              value={language}
              options={languageOptions(voices)}
              isDisabled={isOn}
              onChange={setLanguage}
            />
            <Choice
              label={text('voice')}
              value={voice?.id ?? ''}
              options={voiceOptions(fitting)}
              isDisabled={isOn}
              onChange={setChosen}
            />
          </fieldset>
        </section>
        <div class="card list">
          <ConversationView items={talk.items.value} latencies={talk.latencies.value} />
          <MessageForm isDisabled={!isOn} onSend={(message) => talk.say(message)} />
        </div>
      </div>
    </div>
  )
}

const languageOptions = (voices: readonly Voice[]) => [
  ['', text('languageAuto')] as const,
  ...[...new Set(voices.map(({ language }) => language))].map((code) => [code, languageName(code)] as const),
]

const nameOf = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1)

const voiceOptions = (voices: readonly Voice[]) =>
  voices.map(({ id, language }) => [id, `${nameOf(id)} · ${languageName(language)}`] as const)

const Problem = ({ why }: { readonly why: string }) => (
  <p class="problem" role="alert">
    {why !== '' && text('talkFailed', { why })}
  </p>
)

type OrbProps = { readonly talk: Conversation; readonly phase: Phase }

/** Whose turn it is, and how loud, at a glance; the text and the meters beside it say the same. */
function Orb({ talk, phase }: OrbProps) {
  const { microphone, player } = talk.levels.value
  const level = phase === 'speaking' ? player : microphone
  return (
    <div class={`orb ${phase}`} style={{ '--level': level.toFixed(2) }} aria-hidden="true">
      <Icon name={talk.isMuted.value ? 'micOff' : 'mic'} />
    </div>
  )
}

function Levels({ talk }: { readonly talk: Conversation }) {
  const { microphone, player } = talk.levels.value
  return (
    <div class="levels">
      <label>
        {text('micLevel')}
        <meter min={0} max={1} value={microphone} />
      </label>
      <label>
        {text('replyLevel')}
        <meter min={0} max={1} value={player} />
      </label>
    </div>
  )
}

type ButtonsProps = { readonly talk: Conversation; readonly phase: Phase; readonly onStart: () => void }

function Buttons({ talk, phase, onStart }: ButtonsProps) {
  if (phase === 'idle')
    return (
      <div class="buttons">
        <button type="button" class="primary" onClick={onStart}>
          <Icon name="mic" />
          {text('start')}
        </button>
      </div>
    )
  return (
    <div class="buttons">
      <button type="button" onClick={() => talk.toggleMute()} aria-pressed={talk.isMuted.value}>
        <Icon name={talk.isMuted.value ? 'micOff' : 'mic'} />
        {text(talk.isMuted.value ? 'unmute' : 'mute')}
      </button>
      <button type="button" onClick={() => talk.interrupt()} disabled={phase !== 'speaking' && phase !== 'thinking'}>
        <Icon name="pause" />
        {text('interrupt')}
      </button>
      <button type="button" class="danger" onClick={() => void talk.stop()}>
        <Icon name="stop" />
        {text('stop')}
      </button>
    </div>
  )
}

type MessageFormProps = { readonly isDisabled: boolean; readonly onSend: (message: string) => void }

function MessageForm({ isDisabled, onSend }: MessageFormProps) {
  const [message, setMessage] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    if (message.trim() !== '') onSend(message.trim())
    setMessage('')
  }
  return (
    <form class="message" onSubmit={submit}>
      <input
        value={message}
        disabled={isDisabled}
        aria-label={text('typeMessage')}
        placeholder={text('typeMessage')}
        onInput={(event) => setMessage(event.currentTarget.value)}
      />
      <button type="submit" disabled={isDisabled}>
        {text('send')}
      </button>
    </form>
  )
}
