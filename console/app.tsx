import { lazy, Suspense } from 'preact/compat'
import { BatchPage } from './batches/batch-page.tsx'
import { BatchesPage } from './batches/batches-page.tsx'
import { Header } from './header.tsx'
import { type Route, route } from './shared/route.ts'
import { isSignedIn } from './shared/session.ts'
import { text } from './shared/texts.ts'
import { SignInPage } from './sign-in-page.tsx'

/** Fetched when first opened: they bring the waveform and the voice. */
const TranscriptPage = lazy(async () => (await import('./transcript/transcript-page.tsx')).TranscriptPage)
const TalkPage = lazy(async () => (await import('./talk/talk-page.tsx')).TalkPage)

export function App() {
  return (
    <>
      <Header />
      <main id="content" tabIndex={-1}>
        {isSignedIn.value ? (
          <Suspense fallback={<p class="quiet">{text('loading')}</p>}>
            <Page route={route.value} />
          </Suspense>
        ) : (
          <SignInPage />
        )}
      </main>
    </>
  )
}

function Page({ route: at }: { readonly route: Route }) {
  if (at.page === 'batches') return <BatchesPage />
  if (at.page === 'talk') return <TalkPage />
  if (at.page === 'batch') return <BatchPage key={at.id} id={at.id} />
  if (at.page === 'transcript') return <TranscriptPage key={at.id} id={at.id} />
  return <p class="quiet">{text('notFound')}</p>
}
