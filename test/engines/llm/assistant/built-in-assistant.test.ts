import { describe, expect, it } from 'vitest'
import { createBuiltInAssistant } from '../../../../src/engines/llm/assistant/built-in-assistant.ts'
import { type Decision, decideReply } from '../../../../src/engines/llm/assistant/decide-reply.ts'
import type { ConversationTurn, ReplyPiece, ReplyRequest, Tool } from '../../../../src/speech/language-model.ts'

const NOW = new Date(2026, 6, 15, 10, 0)
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

const WEATHER: Tool = {
  name: 'get_weather',
  description: 'Current weather of a city',
  parameters: object({ city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } }, ['city']),
}
const TRANSFER: Tool = {
  name: 'transferMoney',
  description: 'Send money to a person',
  parameters: object({ amount: { type: 'integer' }, account_number: { type: 'string' } }, ['amount']),
}
const TRAIN: Tool = {
  name: 'book_train',
  description: 'Book train tickets',
  parameters: object(
    {
      from: { type: 'string' },
      to: { type: 'string' },
      date: { type: 'string', format: 'date' },
      tickets: { type: 'integer' },
    },
    ['from', 'to'],
  ),
}
const LIGHT: Tool = {
  name: 'set_light',
  description: 'Turn a light on or off',
  parameters: object({ state: { enum: ['on', 'off'] }, color: { enum: ['red', 'dark red', 'blue'] } }, ['state']),
}
const VISIT: Tool = {
  name: 'book_appointment',
  description: 'Book a visit at the doctor',
  parameters: object({ name: { type: 'string' }, date: { type: 'string' }, time: { type: 'string' } }, [
    'name',
    'date',
  ]),
}
const SEARCH: Tool = {
  name: 'search',
  description: 'Search the shop',
  parameters: object({ query: { type: 'string' } }),
}
const ORDER: Tool = {
  name: 'order_status',
  parameters: object({ items: { type: 'integer' }, order_id: { type: 'string' } }, ['order_id']),
}
const ALL = [ORDER, WEATHER, TRANSFER, TRAIN, LIGHT, VISIT, SEARCH]

const asked = (text: string, more: Partial<ReplyRequest> = {}): ReplyRequest => ({
  instructions: '',
  turns: text === '' ? [] : [{ by: 'caller', text }],
  tools: ALL,
  toolChoice: 'auto',
  ...more,
})
const decide = (text: string, more: Partial<ReplyRequest> = {}): Decision => decideReply(asked(text, more), NOW)
const said = (decision: Decision): string => (decision.kind === 'say' ? decision.text : `called ${decision.name}`)

describe('the built-in assistant calls a tool', () => {
  it.each<[text: string, name: string, values: Record<string, unknown>]>([
    ["What's the weather in Pune?", 'get_weather', { city: 'Pune' }],
    ['weather in new delhi today in celsius', 'get_weather', { city: 'New Delhi', unit: 'celsius' }],
    ['दिल्ली का मौसम कैसा है?', 'get_weather', { city: 'दिल्ली' }],
    ['आज पुणे में बारिश होगी क्या', 'get_weather', { city: 'पुणे' }],
    ['mumbai mein mausam kaisa hai', 'get_weather', { city: 'Mumbai' }],
    ['नागपुर का मौसम सेल्सियस में बताओ', 'get_weather', { city: 'नागपुर', unit: 'celsius' }],
    ['transfer five hundred rupees', 'transferMoney', { amount: 500 }],
    ['पाँच सौ रुपये भेजो', 'transferMoney', { amount: 500 }],
    ['dhai hazaar rupaye bhej do', 'transferMoney', { amount: 2500 }],
    ['send 500 money to account 12345678', 'transferMoney', { amount: 500, account_number: '12345678' }],
    [
      'book a train from Delhi to Agra tomorrow, 2 tickets',
      'book_train',
      { from: 'Delhi', to: 'Agra', date: '2026-07-16', tickets: 2 },
    ],
    ['दिल्ली से आगरा तक ट्रेन बुक करो', 'book_train', { from: 'दिल्ली', to: 'आगरा' }],
    ['turn the light off', 'set_light', { state: 'off' }],
    ['make the light dark red and on', 'set_light', { state: 'on', color: 'dark red' }],
    ['बत्ती चालू करो, नीली', 'set_light', { state: 'on', color: 'blue' }],
    [
      'my name is asha rao, book an appointment on friday at 5 pm',
      'book_appointment',
      { name: 'Asha Rao', date: '2026-07-17', time: '17:00' },
    ],
    ['मेरा नाम आशा है, कल की अपॉइंटमेंट बुक करो', 'book_appointment', { name: 'आशा', date: '2026-07-16' }],
    ['order 45821 ka status, 2 items', 'order_status', { order_id: '45821', items: 2 }],
    ['search for red shoes', 'search', { query: 'red shoes' }],
  ])('for %j', (text, name, values) => expect(decide(text)).toEqual({ kind: 'call', name, values }))

  it('only when its description fits and it may', () => {
    expect(said(decide('I like my dog'))).toMatch(/I heard: "I like my dog"/)
    expect(said(decide('weather in Pune', { toolChoice: 'none' }))).toMatch(/No language model is configured/)
  })

  it('when it must, whatever was said', () => {
    expect(decide('hm', { toolChoice: 'required' })).toEqual({ kind: 'call', name: 'order_status', values: {} })
    expect(decide('turn it off', { toolChoice: 'required' })).toMatchObject({
      name: 'set_light',
      values: { state: 'off' },
    })
    expect(decide('hello', { toolChoice: { name: 'transferMoney' } })).toEqual({
      kind: 'call',
      name: 'transferMoney',
      values: {},
    })
  })

  it('after asking for what is missing', () => {
    const turns: ConversationTurn[] = [{ by: 'caller', text: 'book a train for tomorrow' }]
    const first = said(decide('', { turns }))
    expect(first).toBe('Please tell me the starting place.')
    turns.push({ by: 'assistant', text: first }, { by: 'caller', text: 'Jaipur' })
    const second = said(decide('', { turns }))
    expect(second).toBe('Please tell me the destination.')
    turns.push({ by: 'assistant', text: second }, { by: 'caller', text: 'Agra.' })
    expect(decide('', { turns })).toEqual({
      kind: 'call',
      name: 'book_train',
      values: { from: 'Jaipur', to: 'Agra', date: '2026-07-16' },
    })
  })

  it('asks in Hindi too, and takes the answer', () => {
    const turns: ConversationTurn[] = [{ by: 'caller', text: 'मौसम बताओ' }]
    expect(said(decide('', { turns }))).toBe('कृपया शहर बताइए।')
    turns.push({ by: 'assistant', text: 'कृपया शहर बताइए।' }, { by: 'caller', text: 'जयपुर' })
    expect(decide('', { turns })).toEqual({ kind: 'call', name: 'get_weather', values: { city: 'जयपुर' } })
  })
})

describe('the built-in assistant reads a result', () => {
  const result = (output: string, text = 'weather?'): string =>
    said(
      decide('', {
        toolChoice: 'required',
        turns: [
          { by: 'caller', text },
          { by: 'call', callId: 'c', name: 'get_weather', argumentsJson: '{}' },
          { by: 'result', callId: 'c', output },
        ],
      }),
    )
  it.each([
    ['{"temperature":31,"condition":"sunny"}', 'The temperature is 31 and the condition is sunny.'],
    ['{"orderId":7,"isPaid":true,"note":null}', 'The order id is 7 and the is paid is yes.'],
    ['It rains.', 'It rains.'],
    ['{"message":"Booked for Friday."}', 'Booked for Friday.'],
    ['["a","b"]', 'I found 2: a, b.'],
    ['{"error":"no such city"}', 'That did not work: no such city.'],
    ['{}', 'That is done.'],
    ['42', '42.'],
  ])('%s', (output, expected) => expect(result(output)).toBe(expected))

  it('in Hindi', () => {
    expect(result('{"temperature":31,"condition":"धूप"}', 'मौसम?')).toBe('तापमान 31 है और हाल धूप है।')
  })
})

describe('the built-in assistant speaks', () => {
  it.each([
    ['', /^Hello! .*no language model is configured/],
    ['hello', /^Hello!/],
    ['नमस्ते', /^नमस्ते! .*कोई भाषा मॉडल नहीं/],
    ['namaste ji', /^नमस्ते!/],
    ['வணக்கம்', /^வணக்கம்! .*மொழி மாதிரி/],
    ['thank you', /^You are welcome/],
    ['मुझे चाँद चाहिए', /^मैंने सुना: "मुझे चाँद चाहिए"। कोई भाषा मॉडल नहीं/],
    ['mujhe chand chahiye', /^मैंने सुना/],
    ['sing to me of ships', /^I heard: "sing to me of ships"/],
  ])('%j', (text, expected) => expect(said(decide(text))).toMatch(expected))

  const instructions = `You are the assistant of Asha Stores. Always be polite.
The shop opens at nine in the morning. Returns are taken within thirty days.
हमारी दुकान पुणे में है।`
  it.each([
    ['When does the shop open?', 'The shop opens at nine in the morning.'],
    ['how many days for returns', 'Returns are taken within thirty days.'],
    ['आपकी दुकान कहाँ है', 'हमारी दुकान पुणे में है।'],
  ])('what the instructions say of %j', (text, expected) =>
    expect(said(decide(text, { instructions, tools: [] }))).toBe(expected))

  it('what the instructions tell it to say', () => {
    expect(said(decide('hello', { instructions: 'Say exactly "one two three".' }))).toBe('one two three')
  })

  it('word by word, stops when nobody listens, and keeps to the limit', async () => {
    const assistant = createBuiltInAssistant(() => NOW)
    const pieces: ReplyPiece[] = []
    for await (const piece of assistant.reply(asked('hello', { maxTokens: 3 }))) pieces.push(piece)
    expect(pieces.slice(0, 3)).toEqual([
      { kind: 'text', text: 'Hello! ' },
      { kind: 'text', text: 'I ' },
      { kind: 'text', text: 'am ' },
    ])
    expect(pieces.slice(3)).toMatchObject([{ kind: 'end', reason: 'length' }])
    const calls: ReplyPiece[] = []
    for await (const piece of assistant.reply(asked('weather in Pune'))) calls.push(piece)
    expect(calls).toMatchObject([
      { kind: 'call', name: 'get_weather' },
      { kind: 'arguments', text: '{"city":"Pune"}' },
      { kind: 'end' },
    ])
    const leaving = new AbortController()
    const told = (async () => {
      for await (const _ of assistant.reply(asked('hello'), leaving.signal)) leaving.abort()
    })()
    await expect(told).rejects.toMatchObject({ code: 'cancelled' })
  })
})
