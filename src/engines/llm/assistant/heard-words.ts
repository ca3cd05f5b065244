/** A word as it was said, and as it is compared. */
export type HeardWord = { readonly text: string; readonly key: string }

const WORDS = /\d+(?:[.,:/-]\d+)*|[\p{L}\p{M}\u200c\u200d]+(?:['’]\p{L}+)?/gu

export const heardWords = (text: string): HeardWord[] =>
  (text.normalize('NFC').match(WORDS) ?? []).map((word) => ({ text: word, key: keyOf(word) }))

/** Spelling differences of Hindi, case and English endings do not matter. */
export function keyOf(word: string): string {
  const plain = word
    .normalize('NFD')
    .replaceAll(/[\u093c\u200c\u200d]/g, '')
    .replaceAll('\u0901', '\u0902')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]s$/, '')
  return /^[a-z]{5,}$/.test(plain) ? plain.replace(/(?:ies|ing|s)$/, (end) => (end === 'ies' ? 'y' : '')) : plain
}

/** The same thing said in another language or another way; the first word of a row names it. */
const CONCEPTS: readonly (readonly string[])[] = [
  'weather mausam मौसम वेदर वैदर टेम्परेचर टेंपरेचर forecast rain barish बारिश temperature तापमान taapman',
  'balance बैलेंस बकाया bakaya शेष',
  'account अकाउंट खाता खाते khata khate',
  'order ऑर्डर आर्डर',
  'status स्टेटस स्थिति sthiti',
  'book booking reserve reservation बुक बुकिंग आरक्षण',
  'appointment अपॉइंटमेंट मुलाकात',
  'price कीमत दाम keemat daam cost भाव bhav',
  'time समय samay टाइम',
  'date तारीख tareekh tarikh दिनांक',
  'city शहर sheher shahar',
  'name नाम naam',
  'address पता',
  'send transfer भेजो भेजें भेज भेजना bhejo bhej bhejna ट्रांसफर',
  'money amount पैसा पैसे paisa paise राशि rashi',
  'call कॉल',
  'phone फोन mobile मोबाइल',
  'message मैसेज संदेश sandesh',
  'ticket टिकट',
  'train ट्रेन रेल गाड़ी gaadi',
  'flight फ्लाइट उड़ान udaan',
  'light lamp लाइट बत्ती batti',
  'on चालू chalu जलाओ jalao',
  'off बंद band',
  'play बजाओ bajao चलाओ chalao',
  'song music गाना gaana gana संगीत sangeet',
  'cancel रद्द radd कैंसल कैंसिल',
  'search find खोजो खोज khojo ढूंढो dhundho',
  'food खाना khana',
  'doctor डॉक्टर',
  'bill बिल',
  'pay payment भुगतान bhugtan',
  'loan लोन ऋण',
  'remind reminder याद yaad रिमाइंडर',
  'alarm अलार्म',
  'news समाचार samachar खबर khabar',
  'change update बदलो badlo बदलना',
  'delete remove हटाओ hatao',
  'add sum जोड़ो जोड़ jodo',
  'red लाल laal',
  'blue नीला नीली neela neeli',
  'green हरा हरी hara',
  'white सफेद safed',
  'black काला काली kala',
  'small छोटा छोटी chhota chota',
  'large big बड़ा बड़ी bada badi',
  'refund रिफंड वापसी wapsi',
  'delivery डिलीवरी',
  'open hours timing खुलता khulta खुलने',
].map((row) => row.split(' ').map(keyOf))

const CONCEPT_OF = new Map(CONCEPTS.flatMap((row) => row.map((word) => [word, row[0] ?? ''] as const)))

/** One name for each thing, whatever word it was said with. */
export const conceptOf = (key: string): string => CONCEPT_OF.get(key) ?? key

/** Whether two words mean the same: by their concept, or by their sound where one is written in Devanagari and one in Latin. */
export function isSameWord(a: string, b: string): boolean {
  if (conceptOf(a) === conceptOf(b)) return true
  if (isLatin(a) === isLatin(b)) return false
  const [soundOfA, soundOfB] = [soundOf(a), soundOf(b)]
  return soundOfA.length > 1 && soundOfA === soundOfB
}

const isLatin = (word: string): boolean => /^[a-z'’-]+$/i.test(word)

const DEVANAGARI_SOUNDS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['कखक़ख़', 'k'],
    ['गघग़', 'g'],
    ['चछ', 'c'],
    ['जझज़', 'j'],
    ['टठतथ', 't'],
    ['डढदध', 'd'],
    ['ड़ढ़रऋ', 'r'],
    ['णनञङं', 'n'],
    ['पफफ़', 'p'],
    ['बभ', 'b'],
    ['म', 'm'],
    ['य', 'y'],
    ['ल', 'l'],
    ['व', 'v'],
    ['शषस', 's'],
  ].flatMap(([letters = '', sound = '']) => [...letters].map((letter) => [letter, sound])),
)

/** The consonants of a word, told apart only as far as both scripts do: दिल्ली and Delhi are both `dl`. */
function soundOf(word: string): string {
  const consonants = isLatin(word)
    ? latinConsonants(word)
    : [...word].map((letter) => DEVANAGARI_SOUNDS[letter] ?? '').join('')
  return consonants
    .replaceAll(/(?<=.)y/g, '')
    .replaceAll(/n(?=[pbm])/g, 'm')
    .replaceAll(/(.)\1+/g, '$1')
}

const latinConsonants = (word: string): string =>
  word
    .replaceAll(/c(?=[eiy])/g, 's')
    .replaceAll(/ch/g, 'C')
    .replaceAll(/ph|f/g, 'p')
    .replaceAll(/x/g, 'ks')
    .replaceAll(/[ckq]/g, 'k')
    .replaceAll('C', 'c')
    .replaceAll(/w/g, 'v')
    .replaceAll(/z/g, 'j')
    .replaceAll(/^y/g, 'Y')
    .replaceAll(/[aeiouyh]/g, '')
    .replaceAll('Y', 'y')

/** Words that say nothing of the matter: articles, pronouns, postpositions, politeness, and verbs that go with everything. */
const EMPTY = new Set(
  `a an the of in on at for to from by with and or is are was be am do does did can could will would shall should may i me my
mine we our you your he she it its they this that these those what whats which who when where how why please tell show give
get check want need know let us have has had there here about as if so not no yes ok okay hello hi hey thanks thank now just
मैं मुझे मेरा मेरी मेरे हम हमें हमारा आप आपका आपके आपकी तुम यह ये वह वो इस उस क्या कौन कब कहां कैसे कैसा कैसी कितना कितने कितनी क्यों का की के को
में से पर तक लिए है हैं था थे थी हो हूं होगा और या तो भी ही जी कृपया बताओ बताइए बता दो दीजिए दिखाओ करो कर करना कीजिए करें चाहिए चाहता चाहती नहीं हां एक
main mujhe mera meri mere hum hume hamara aap aapka tum yeh ye woh wo is us kya kaun kab kahan kaise kaisa kaisi kitna kitne
kitni kyun ka ki ke ko mein me se par tak liye hai hain tha the thi ho hoon hoga aur ya to bhi hi ji kripya batao bataiye bata
do dijiye dikhao karo kar karna kijiye chahiye chahta chahti nahi nahin haan ek
today tomorrow yesterday आज कल परसों अभी aaj kal parson abhi`
    .split(/\s+/)
    .map(keyOf),
)

export const isEmptyWord = (key: string): boolean => EMPTY.has(key)

/** The words of a text that say what it is about. */
export const contentWords = (text: string): string[] =>
  heardWords(text)
    .map(({ key }) => key)
    .filter((key) => !isEmptyWord(key))
