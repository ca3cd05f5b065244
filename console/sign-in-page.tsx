import { useEffect, useState } from 'preact/hooks'
import { Mark } from './shared/icon.tsx'
import { explain, isAccepted, keepToken, sessionHasEnded } from './shared/session.ts'
import { type Oidc, settings } from './shared/settings.ts'
import { text } from './shared/texts.ts'

export function SignInPage() {
  const { oidc } = settings
  const [problem, setProblem] = useState(sessionHasEnded.value ? text('sessionEnded') : '')
  const fail = (error: unknown) =>
    setProblem(text('signInFailed', { why: error instanceof Error ? error.message : String(error) }))
  useEffect(() => {
    if (oidc && /[?&](code|error)=/.test(location.search)) void finish(oidc).catch(fail)
  }, [])
  return (
    <section class="card sign-in">
      <Mark />
      <h1>{text('signInTitle')}</h1>
      <p class="quiet">{text('signInLead')}</p>
      <p class="problem" role="alert">
        {problem}
      </p>
      {oidc && (
        <>
          <button type="button" class="primary" onClick={() => void begin(oidc).catch(fail)}>
            {text('signInWith', { issuer: new URL(oidc.issuer).host })}
          </button>
          <p class="quiet or">{text('signInOr')}</p>
        </>
      )}
      <TokenForm onProblem={setProblem} isPrimary={!oidc} />
    </section>
  )
}

const begin = async (oidc: Oidc) => (await import('./shared/oidc.ts')).beginSignIn(oidc)
const finish = async (oidc: Oidc) => (await import('./shared/oidc.ts')).finishSignIn(oidc)

type TokenFormProps = { readonly onProblem: (problem: string) => void; readonly isPrimary: boolean }

function TokenForm({ onProblem, isPrimary }: TokenFormProps) {
  const [token, setToken] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    const given = token.trim().replace(/^bearer\s+/i, '')
    try {
      if (await isAccepted(given)) keepToken(given)
      else onProblem(text('signInRefused'))
    } catch (error) {
      onProblem(explain(error))
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label for="token">{text('signInToken')}</label>
      <textarea
        id="token"
        rows={3}
        placeholder="eyJhbGciOi…"
        spellcheck={false}
        autocomplete="off"
        required
        aria-describedby="token-help"
        value={token}
        onInput={(event) => setToken(event.currentTarget.value)}
      />
      <p class="quiet help-line" id="token-help">
        {text('signInTokenHelp')} <code>lipik token --user NAME</code>
      </p>
      <button type="submit" class={isPrimary ? 'primary' : ''}>
        {text('signIn')}
      </button>
    </form>
  )
}
