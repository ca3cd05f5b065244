import type { NumberLanguage } from '../number-words.ts'

/** What is said for what is written with digits and signs. */
export type ReadingWords = {
  readonly months: readonly string[]
  readonly point: string
  readonly minus: string
  readonly percent: string
  readonly to: string
  /** Names of money: one, many, and the hundredth part. */
  readonly money: Readonly<Record<string, readonly [one: string, many: string, part: string]>>
  /** Between whole and part of a sum. */
  readonly moneyAnd: string
  readonly scales: Readonly<Record<string, string>>
  readonly units: Readonly<Record<string, string>>
  readonly signs: Readonly<Record<string, string>>
  readonly abbreviations: Readonly<Record<string, string>>
}

const words = (text: string): string[] => text.trim().split(/\s+/)

const ENGLISH: ReadingWords = {
  months: words('January February March April May June July August September October November December'),
  point: 'point',
  minus: 'minus',
  percent: 'percent',
  to: 'to',
  money: {
    '₹': ['rupee', 'rupees', 'paise'],
    $: ['dollar', 'dollars', 'cents'],
    '€': ['euro', 'euros', 'cents'],
    '£': ['pound', 'pounds', 'pence'],
  },
  moneyAnd: ' and ',
  scales: {
    k: 'thousand',
    l: 'lakh',
    lakh: 'lakh',
    lakhs: 'lakh',
    cr: 'crore',
    crore: 'crore',
    crores: 'crore',
    m: 'million',
    mn: 'million',
    million: 'million',
    bn: 'billion',
    billion: 'billion',
  },
  units: {
    km: 'kilometres',
    m: 'metres',
    cm: 'centimetres',
    mm: 'millimetres',
    kg: 'kilograms',
    g: 'grams',
    mg: 'milligrams',
    l: 'litres',
    ml: 'millilitres',
    '°c': 'degrees Celsius',
    '°f': 'degrees Fahrenheit',
    '°': 'degrees',
    'km/h': 'kilometres per hour',
    hrs: 'hours',
    hr: 'hours',
    min: 'minutes',
    mins: 'minutes',
    sec: 'seconds',
    gb: 'gigabytes',
    mb: 'megabytes',
    kb: 'kilobytes',
    kwh: 'kilowatt hours',
    ft: 'feet',
  },
  signs: { '&': 'and', '+': 'plus', '=': 'equals', '@': 'at', '×': 'times' },
  abbreviations: {
    'Dr.': 'Doctor',
    'Mr.': 'Mister',
    'Mrs.': 'Missus',
    'Ms.': 'Miz',
    'Prof.': 'Professor',
    'St.': 'Saint',
    'vs.': 'versus',
    'etc.': 'et cetera',
    'e.g.': 'for example',
    'i.e.': 'that is',
    'approx.': 'approximately',
    'Smt.': 'Shrimati',
    'Rd.': 'Road',
    'Pvt.': 'Private',
    'Ltd.': 'Limited',
    'No.': 'Number',
  },
}

const HINDI: ReadingWords = {
  months: words('जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर'),
  point: 'दशमलव',
  minus: 'ऋण',
  percent: 'प्रतिशत',
  to: 'से',
  money: {
    '₹': ['रुपया', 'रुपये', 'पैसे'],
    $: ['डॉलर', 'डॉलर', 'सेंट'],
    '€': ['यूरो', 'यूरो', 'सेंट'],
    '£': ['पाउंड', 'पाउंड', 'पेंस'],
  },
  moneyAnd: ' ',
  scales: {
    k: 'हज़ार',
    l: 'लाख',
    lakh: 'लाख',
    lakhs: 'लाख',
    लाख: 'लाख',
    cr: 'करोड़',
    crore: 'करोड़',
    crores: 'करोड़',
    करोड़: 'करोड़',
    हज़ार: 'हज़ार',
    हजार: 'हज़ार',
    m: 'मिलियन',
    mn: 'मिलियन',
    million: 'मिलियन',
    bn: 'बिलियन',
    billion: 'बिलियन',
  },
  units: {
    km: 'किलोमीटर',
    m: 'मीटर',
    cm: 'सेंटीमीटर',
    mm: 'मिलीमीटर',
    kg: 'किलो',
    g: 'ग्राम',
    mg: 'मिलीग्राम',
    l: 'लीटर',
    ml: 'मिलीलीटर',
    '°c': 'डिग्री सेल्सियस',
    '°f': 'डिग्री फ़ारेनहाइट',
    '°': 'डिग्री',
    'km/h': 'किलोमीटर प्रति घंटा',
    hrs: 'घंटे',
    hr: 'घंटे',
    min: 'मिनट',
    mins: 'मिनट',
    sec: 'सेकंड',
    gb: 'जीबी',
    mb: 'एमबी',
    kb: 'केबी',
    'कि.मी.': 'किलोमीटर',
    किमी: 'किलोमीटर',
    'कि.ग्रा.': 'किलोग्राम',
    ft: 'फ़ुट',
  },
  signs: { '&': 'और', '+': 'जमा', '=': 'बराबर', '@': 'ऐट', '×': 'गुणा' },
  abbreviations: {
    ...ENGLISH.abbreviations,
    'डॉ.': 'डॉक्टर',
    'प्रो.': 'प्रोफ़ेसर',
    'श्री.': 'श्री',
    'पं.': 'पंडित',
    'उदा.': 'उदाहरण के लिए',
    'कि.मी.': 'किलोमीटर',
    'सं.': 'संख्या',
    'क्र.': 'क्रमांक',
    'ई.': 'ईस्वी',
    'रु.': 'रुपये',
    'मो.': 'मोबाइल',
  },
}

const TAMIL: ReadingWords = {
  months: words('ஜனவரி பிப்ரவரி மார்ச் ஏப்ரல் மே ஜூன் ஜூலை ஆகஸ்ட் செப்டம்பர் அக்டோபர் நவம்பர் டிசம்பர்'),
  point: 'புள்ளி',
  minus: 'கழித்தல்',
  percent: 'சதவீதம்',
  to: 'முதல்',
  money: {
    '₹': ['ரூபாய்', 'ரூபாய்', 'பைசா'],
    $: ['டாலர்', 'டாலர்', 'சென்ட்'],
    '€': ['யூரோ', 'யூரோ', 'சென்ட்'],
    '£': ['பவுண்டு', 'பவுண்டு', 'பென்ஸ்'],
  },
  moneyAnd: ' ',
  scales: {
    k: 'ஆயிரம்',
    l: 'லட்சம்',
    lakh: 'லட்சம்',
    lakhs: 'லட்சம்',
    லட்சம்: 'லட்சம்',
    cr: 'கோடி',
    crore: 'கோடி',
    crores: 'கோடி',
    கோடி: 'கோடி',
    ஆயிரம்: 'ஆயிரம்',
    million: 'மில்லியன்',
    billion: 'பில்லியன்',
  },
  units: {
    km: 'கிலோமீட்டர்',
    m: 'மீட்டர்',
    cm: 'சென்டிமீட்டர்',
    kg: 'கிலோ',
    g: 'கிராம்',
    l: 'லிட்டர்',
    ml: 'மில்லிலிட்டர்',
    '°c': 'டிகிரி செல்சியஸ்',
    '°': 'டிகிரி',
    'km/h': 'கிலோமீட்டர் வேகம்',
    hrs: 'மணி நேரம்',
    min: 'நிமிடம்',
    mins: 'நிமிடம்',
    sec: 'வினாடி',
    'கி.மீ.': 'கிலோமீட்டர்',
    'கி.கி.': 'கிலோகிராம்',
    gb: 'ஜிபி',
  },
  signs: { '&': 'மற்றும்', '+': 'கூட்டல்', '=': 'சமம்', '@': 'அட்', '×': 'பெருக்கல்' },
  abbreviations: {
    ...ENGLISH.abbreviations,
    'திரு.': 'திரு',
    'டாக்.': 'டாக்டர்',
    'எ.கா.': 'எடுத்துக்காட்டாக',
    'கி.மீ.': 'கிலோமீட்டர்',
    'ரூ.': 'ரூபாய்',
  },
}

export const READING_WORDS: Readonly<Record<NumberLanguage, ReadingWords>> = { en: ENGLISH, hi: HINDI, ta: TAMIL }

/** Short words in capitals that are said as words, not letter by letter. */
export const SAID_AS_WORDS = new Set(
  'PAN PIN SIM RAM ROM NASA NEET NATO OK IIM AIIMS JEE AM PM WIFI LAN WAN ISRO'.split(' '),
)
