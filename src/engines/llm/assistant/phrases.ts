import type { Language } from '../../../speech/language.ts'

export type AssistantLanguage = 'hi' | 'en' | 'ta'

const ROMAN_HINDI =
  /\b(?:hai|hain|kya|mujhe|mera|meri|mere|aap|aapka|kaise|kaisa|kaisi|kab|kahan|kitna|kitne|kitni|nahi|nahin|haan|batao|bataiye|chahiye|karo|namaste|namaskar|shukriya|dhanyavaad|kripya)\b/i

/** What the caller speaks: by script, then by Hindi's small words in Latin letters, then by what the recogniser heard. */
export function callerLanguage(text: string, heard?: Language): AssistantLanguage {
  if (/\p{Script=Devanagari}/u.test(text)) return 'hi'
  if (/\p{Script=Tamil}/u.test(text) || /\bvanakkam\b/i.test(text)) return 'ta'
  if (ROMAN_HINDI.test(text)) return 'hi'
  if (/\p{Script=Latin}/u.test(text)) return 'en'
  if (heard === 'hi') return 'hi'
  return heard === 'ta' ? 'ta' : 'en'
}

type Phrases = {
  readonly greeting: string
  readonly thanks: string
  readonly farewell: string
  readonly heard: (text: string) => string
  readonly ask: (what: string) => string
  readonly done: string
  readonly failed: (why: string) => string
  readonly many: (count: number) => string
  readonly is: (what: string, value: string) => string
  readonly and: string
  readonly stop: string
  readonly yes: string
  readonly no: string
}

export const PHRASES: Readonly<Record<AssistantLanguage, Phrases>> = {
  en: {
    greeting: 'Hello! I am the built-in assistant; no language model is configured. How can I help?',
    thanks: 'You are welcome.',
    farewell: 'Goodbye!',
    heard: (text) => `I heard: "${text}". No language model is configured, so I cannot answer that.`,
    ask: (what) => `Please tell me the ${what}.`,
    done: 'That is done.',
    failed: (why) => `That did not work: ${why}.`,
    many: (count) => `I found ${count}: `,
    is: (what, value) => `the ${what} is ${value}`,
    and: ' and ',
    stop: '.',
    yes: 'yes',
    no: 'no',
  },
  hi: {
    greeting: 'नमस्ते! यह अंदर बना सहायक है, कोई भाषा मॉडल नहीं लगाया गया है। बताइए, क्या मदद चाहिए?',
    thanks: 'आपका स्वागत है।',
    farewell: 'नमस्ते, फिर मिलेंगे!',
    heard: (text) => `मैंने सुना: "${text}"। कोई भाषा मॉडल नहीं लगाया गया है, इसलिए इसका उत्तर देना संभव नहीं है।`,
    ask: (what) => `कृपया ${what} बताइए।`,
    done: 'हो गया।',
    failed: (why) => `यह नहीं हो पाया: ${why}।`,
    many: (count) => `${count} मिले: `,
    is: (what, value) => `${what} ${value} है`,
    and: ' और ',
    stop: '।',
    yes: 'हाँ',
    no: 'नहीं',
  },
  ta: {
    greeting: 'வணக்கம்! இது உள்ளமைந்த உதவியாளர்; மொழி மாதிரி எதுவும் அமைக்கப்படவில்லை. நான் என்ன உதவி செய்யலாம்?',
    thanks: 'நல்வரவு.',
    farewell: 'போய் வாருங்கள்!',
    heard: (text) => `நான் கேட்டது: "${text}". மொழி மாதிரி எதுவும் அமைக்கப்படவில்லை, அதனால் பதில் சொல்ல முடியவில்லை.`,
    ask: (what) => `தயவுசெய்து ${what} சொல்லுங்கள்.`,
    done: 'முடிந்தது.',
    failed: (why) => `அது நடக்கவில்லை: ${why}.`,
    many: (count) => `${count} கிடைத்தன: `,
    is: (what, value) => `${what} ${value}`,
    and: ', ',
    stop: '.',
    yes: 'ஆம்',
    no: 'இல்லை',
  },
}

/** Field names that come back from tools and are asked for, in Hindi. */
const HINDI_LABELS: Readonly<Record<string, string>> = {
  temperature: 'तापमान',
  weather: 'मौसम',
  condition: 'हाल',
  balance: 'बैलेंस',
  status: 'स्थिति',
  city: 'शहर',
  price: 'कीमत',
  amount: 'राशि',
  time: 'समय',
  date: 'तारीख',
  name: 'नाम',
  address: 'पता',
  total: 'कुल',
  count: 'संख्या',
  location: 'जगह',
  'order id': 'ऑर्डर नंबर',
  'phone number': 'फ़ोन नंबर',
  phone: 'फ़ोन नंबर',
  quantity: 'मात्रा',
  result: 'नतीजा',
  from: 'कहाँ से',
  to: 'कहाँ तक',
}

/** Names that are no nouns. */
const ENGLISH_LABELS: Readonly<Record<string, string>> = { from: 'starting place', to: 'destination' }

const LABELS: Readonly<Record<AssistantLanguage, Readonly<Record<string, string>>>> = {
  en: ENGLISH_LABELS,
  hi: HINDI_LABELS,
  ta: ENGLISH_LABELS,
}

export const labelOf = (words: string, language: AssistantLanguage): string =>
  Object.hasOwn(LABELS[language], words) ? (LABELS[language][words] ?? words) : words
