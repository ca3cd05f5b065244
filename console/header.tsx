import { Icon, Mark } from './shared/icon.tsx'
import { LANGUAGES, type Language, language, nextTheme, type Theme, theme } from './shared/preferences.ts'
import { route, TO_BATCHES, TO_TALK } from './shared/route.ts'
import { isSignedIn, signOut } from './shared/session.ts'
import { type TextKey, text } from './shared/texts.ts'

const THEME_TEXT: Readonly<Record<Theme, TextKey>> = { auto: 'themeAuto', light: 'themeLight', dark: 'themeDark' }
const OWN_NAME: Readonly<Record<Language, string>> = { en: 'EN', hi: 'हिं' }

export function Header() {
  const { page } = route.value
  const here = (pages: readonly string[]) => (pages.includes(page) ? 'page' : undefined)
  return (
    <header class="top">
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {text('skip')}
      </button>
      <a class="brand" href={TO_BATCHES}>
        <Mark />
        Lipik <span lang="hi">लिपिक</span>
      </a>
      {isSignedIn.value && (
        <nav aria-label={text('navMain')}>
          <a href={TO_BATCHES} aria-current={here(['batches', 'batch', 'transcript'])}>
            {text('navBatches')}
          </a>
          <a href={TO_TALK} aria-current={here(['talk'])}>
            {text('navTalk')}
          </a>
        </nav>
      )}
      <div class="tools">
        <fieldset class="switch">
          <legend class="hidden">{text('interfaceLanguage')}</legend>
          {LANGUAGES.map((each) => (
            <button type="button" lang={each} aria-pressed={language.value === each} onClick={() => choose(each)}>
              {OWN_NAME[each]}
            </button>
          ))}
        </fieldset>
        <button type="button" class="plain" title={text(THEME_TEXT[theme.value])} onClick={nextTheme}>
          <Icon name={theme.value} />
          <span class="hidden">{text(THEME_TEXT[theme.value])}</span>
        </button>
        {isSignedIn.value && (
          <button type="button" class="plain" title={text('signOut')} onClick={signOut}>
            <Icon name="out" />
            <span class="hidden">{text('signOut')}</span>
          </button>
        )}
      </div>
    </header>
  )
}

const choose = (chosen: Language): void => {
  language.value = chosen
}
