import { describe, expect, it } from 'vitest'
import { numberWords } from '../../src/speech/number-words.ts'
import { readAloud } from '../../src/speech/read-aloud/read-aloud.ts'

type Example = readonly [written: string, said: string]

const ENGLISH: readonly Example[] = [
  ['It is 5.', 'It is five.'],
  ['It costs ₹1,250.50 today', 'It costs one thousand two hundred fifty rupees and fifty paise today'],
  ['₹1', 'one rupee'],
  ['Rs. 500/- only', 'five hundred rupees only'],
  ['₹2.5 lakh', 'two point five lakh rupees'],
  ['₹12,50,000', 'twelve lakh fifty thousand rupees'],
  ['₹3 crore', 'three crore rupees'],
  ['$20 and €1.05', 'twenty dollars and one euro and five cents'],
  ['1,00,000 people', 'one lakh people'],
  ['100,000 people', 'one hundred thousand people'],
  ['on 15/08/2026', 'on fifteenth August twenty twenty six'],
  ['2026-01-03', 'third January twenty twenty six'],
  ['by 3rd March', 'by third March'],
  ['March 3, 1947', 'third March nineteen forty seven'],
  ['born in 1905', 'born in nineteen oh five'],
  ['at 10:30 am', 'at ten thirty a m'],
  ['at 5pm.', 'at five p m'],
  ['at 9:05', 'at nine oh five'],
  ['10:00 sharp', "ten o'clock sharp"],
  ['score 99:99', 'score ninety nine: ninety nine'],
  ['Call 9876543210 now', 'Call nine eight seven six five, four three two one zero now'],
  ['Call +91 98765 43210', 'Call plus nine one, nine eight seven six five, four three two one zero'],
  ['code 0042', 'code zero zero four two'],
  ['5% of 3.14', 'five percent of three point one four'],
  ['10-15 minutes', 'ten to fifteen minutes'],
  ['the 21st floor', 'the twenty first floor'],
  ['5 km away', 'five kilometres away'],
  ['31°C today', 'thirty one degrees Celsius today'],
  ['-4 outside', 'minus four outside'],
  ['Dr. Rao & Mrs. Shah', 'Doctor Rao and Missus Shah'],
  ['No. 5 and No. I will not', 'Number five and No. I will not'],
  ['Your OTP for SBI and PAN', 'Your O T P for S B I and PAN'],
  ['PLEASE WAIT', 'PLEASE WAIT'],
  ['ticket #7', 'ticket number seven'],
  ['Your code is 4821.', 'Your code is four eight two one.'],
]
const HINDI: readonly Example[] = [
  ['यह 5 है।', 'यह पाँच है।'],
  ['₹1,250.50 दीजिए', 'एक हज़ार दो सौ पचास रुपये पचास पैसे दीजिए'],
  ['रु. 500 बाकी', 'पाँच सौ रुपये बाकी'],
  ['₹2.5 लाख मिले', 'दो दशमलव पाँच लाख रुपये मिले'],
  ['१५ अगस्त', 'पंद्रह अगस्त'],
  ['15/08/1947 को', 'पंद्रह अगस्त उन्नीस सौ सैंतालीस को'],
  ['5 March को', 'पाँच मार्च को'],
  ['शाम 5:30 बजे', 'शाम पाँच बजकर तीस मिनट'],
  ['10:00 बजे आना', 'दस बजे आना'],
  ['6 pm को', 'शाम छह बजे को'],
  ['नंबर 9876543210 है', 'नंबर नौ आठ सात छह पाँच, चार तीन दो एक शून्य है'],
  ['20% छूट', 'बीस प्रतिशत छूट'],
  ['10-15 मिनट', 'दस से पंद्रह मिनट'],
  ['5 km दूर', 'पाँच किलोमीटर दूर'],
  ['तापमान 31°C है', 'तापमान इकतीस डिग्री सेल्सियस है'],
  ['डॉ. राव & साथी', 'डॉक्टर राव और साथी'],
  ['आपका OTP 4821 है', 'आपका O T P चार आठ दो एक है'],
  ['मेरा order 12,50,000 का है', 'मेरा order बारह लाख पचास हज़ार का है'],
]
const TAMIL: readonly Example[] = [
  ['இது 5.', 'இது ஐந்து.'],
  ['₹1,250 கொடுங்கள்', 'ஆயிரத்து இருநூற்றி ஐம்பது ரூபாய் கொடுங்கள்'],
  ['15/08/2026 அன்று', 'பதினைந்து ஆகஸ்ட் இரண்டாயிரத்து இருபத்தி ஆறு அன்று'],
  ['காலை 10:30 வரை', 'காலை பத்து மணி முப்பது நிமிடம் வரை'],
  ['20% தள்ளுபடி', 'இருபது சதவீதம் தள்ளுபடி'],
  ['3.5 கோடி மக்கள்', 'மூன்று புள்ளி ஐந்து கோடி மக்கள்'],
  ['எண் 9876543210', 'எண் ஒன்பது எட்டு ஏழு ஆறு ஐந்து, நான்கு மூன்று இரண்டு ஒன்று பூஜ்ஜியம்'],
  ['திரு. குமார் 5 km', 'திரு குமார் ஐந்து கிலோமீட்டர்'],
]

describe('text as it is read out', () => {
  it.each(ENGLISH)('English: %s', (written, said) => expect(readAloud(written, 'en')).toBe(said))
  it.each(HINDI)('Hindi: %s', (written, said) => expect(readAloud(written, 'hi')).toBe(said))
  it.each(TAMIL)('Tamil: %s', (written, said) => expect(readAloud(written, 'ta')).toBe(said))

  it('reads a number in the language around it, whoever speaks', () => {
    expect(readAloud('I have 2', 'hi')).toBe('I have two')
    expect(readAloud('मेरे 2 order', 'en')).toBe('मेरे two order')
    expect(readAloud('2', 'ta')).toBe('இரண்டு')
  })
})

describe('Tamil numbers', () => {
  it.each([
    [0, 'பூஜ்ஜியம்'],
    [19, 'பத்தொன்பது'],
    [21, 'இருபத்தி ஒன்று'],
    [90, 'தொண்ணூறு'],
    [100, 'நூறு'],
    [905, 'தொள்ளாயிரத்து ஐந்து'],
    [1_000, 'ஆயிரம்'],
    [1_999, 'ஆயிரத்து தொள்ளாயிரத்து தொண்ணூற்றி ஒன்பது'],
    [3_000, 'மூவாயிரம்'],
    [25_000, 'இருபத்தி ஐந்து ஆயிரம்'],
    [100_000, 'ஒரு லட்சம்'],
    [20_000_000, 'இரண்டு கோடி'],
  ])('%i', (number, said) => expect(numberWords(number, 'ta')).toBe(said))
})

describe('Hindi in Latin letters', () => {
  it.each([
    ['Aapka order ready hai.', 'आपका order ready है.'],
    ['aapka 5 order kal aayega', 'आपका पाँच order कल आएगा'],
    ['Kya aap office mein hain?', 'क्या आप office में हैं?'],
    ['main do din me aa raha hoon', 'मैं दो दिन में aa रहा हूँ'],
    ['मुझे kal meeting hai', 'मुझे कल meeting है'],
    ['Theek hai', 'ठीक है'],
  ])('is read by Hindi rules: %s', (written, said) => expect(readAloud(written, 'hi')).toBe(said))

  it.each([
    'Hi, the main door is open to us.',
    'Do me a favour.',
    "The word hai is Japanese and means that it's so.",
    'Hum the tune on the mat.',
  ])('is not looked for in English: %s', (written) => expect(readAloud(written, 'hi')).toBe(written))

  it('is left to a voice that speaks English', () =>
    expect(readAloud('Aapka order ready hai', 'en')).toBe('Aapka order ready hai'))

  it('is found in each sentence by itself', () =>
    expect(readAloud('Kal milenge, theek hai. The rest is up to us.', 'hi')).toBe(
      'कल milenge, ठीक है. The rest is up to us.',
    ))
})
