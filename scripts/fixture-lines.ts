/** What the test clips say. Sentences of our own; mixed ones in the script each word is usually written in. */
export type FixtureLine = { readonly voice: string; readonly text: string }
export type FixtureClip = FixtureLine & { readonly file: string; readonly language: string }

export const CLIPS: readonly FixtureClip[] = [
  { file: 'hi-bank.wav', language: 'hi', voice: 'ananya', text: 'नमस्ते, मैं बैंक से बोल रही हूँ।' },
  { file: 'hi-rain.wav', language: 'hi', voice: 'arjun', text: 'कल सुबह बारिश होगी, इसलिए छाता साथ रखिए।' },
  { file: 'hi-shop.wav', language: 'hi', voice: 'kabir', text: 'मेरी दुकान बाज़ार के पास है।' },
  { file: 'en-office.wav', language: 'en', voice: 'tara', text: 'Good morning, thank you for calling our office.' },
  { file: 'en-train.wav', language: 'en', voice: 'neel', text: 'The train to the city leaves at nine in the evening.' },
  { file: 'en-report.wav', language: 'en', voice: 'diya', text: 'Please send me the report before Friday.' },
  { file: 'mixed-account.wav', language: 'hi-en', voice: 'ananya', text: 'मुझे अपना account balance check करना है।' },
  { file: 'mixed-order.wav', language: 'hi-en', voice: 'rohan', text: 'आपका order कल तक deliver हो जाएगा।' },
]

export type Turn = FixtureLine & {
  /** Silence before it. */
  readonly gapMs: number
}

/** Two people on the telephone: short and long pauses, one of them longer than a chunk planner would bridge. */
export const CONVERSATION: readonly Turn[] = [
  { gapMs: 700, voice: 'ananya', text: 'नमस्ते, आपका स्वागत है, मैं आपकी क्या मदद करूँ?' },
  { gapMs: 500, voice: 'arjun', text: 'नमस्ते, मेरा सामान अभी तक नहीं आया है।' },
  { gapMs: 900, voice: 'ananya', text: 'क्षमा कीजिए, कृपया अपना नाम बताइए।' },
  { gapMs: 400, voice: 'arjun', text: 'मेरा नाम राजेश कुमार है।' },
  { gapMs: 3_500, voice: 'ananya', text: 'धन्यवाद, आपका सामान कल शाम तक पहुँच जाएगा।' },
  { gapMs: 600, voice: 'arjun', text: 'ठीक है, लेकिन मैं कल घर पर नहीं रहूँगा।' },
  { gapMs: 800, voice: 'ananya', text: 'तो क्या हम परसों सुबह भेज दें?' },
  { gapMs: 500, voice: 'arjun', text: 'हाँ, परसों सुबह ठीक रहेगा, बहुत धन्यवाद।' },
  { gapMs: 1_800, voice: 'ananya', text: 'आपका दिन शुभ हो।' },
]
