import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hideReasoning } from '../../src/speech/hide-reasoning.ts'
import { speakableText } from '../../src/speech/speakable-text.ts'
import { filterText } from '../../src/speech/text-filter.ts'

const EXAMPLES: readonly (readonly [written: string, said: string])[] = [
  ['Your balance is 500 rupees.', 'Your balance is 500 rupees.'],
  ['**Sure!** Here is *the* plan:', 'Sure! Here is the plan:'],
  ['# Title\n\nFirst line.\n- one\n- two\n* three\n', 'Title\nFirst line.\none\ntwo\nthree'],
  ['1. Open the app.\n2. Log in.', '1. Open the app.\n2. Log in.'],
  ['> quoted *words*', 'quoted words'],
  ['See [our page](https://example.org/a_b) now.', 'See our page now.'],
  ['See https://example.org/a?b=c. Thanks', 'See. Thanks'],
  ['See (https://example.org) now', 'See now'],
  ['Go to www.example.org, please', 'Go to, please'],
  ['![a chart](x.png) shows it', 'a chart shows it'],
  ['It is so [1] they say[^2].', 'It is so they say.'],
  ['Done 🎉👍🏽 नमस्ते 👨‍👩‍👧 🇮🇳 ok', 'Done नमस्ते ok'],
  ['Run:\n```sh\nrm -rf x\n```\nThen `npm test`.', 'Run:\nThen npm test.'],
  ['| a | b |\n|---|:--|\n| 1 | 2 |', 'a, b\n1, 2'],
  ['one\n---\ntwo', 'one\ntwo'],
  ['a<br/>b <b>bold</b> 3 < 4', 'ab bold 3 < 4'],
  ['<think>the user wants\n*x*</think>\n\nनमस्ते जी।', 'नमस्ते जी।'],
  ['plan it</think> Hello', 'plan it Hello'],
  ['Hi <think>never closed', 'Hi'],
  ['snake_case and _soft_ and 2 * 3', 'snake case and soft and 2 × 3'],
  ['क्‍या *बात* है। ~~नहीं~~', 'क्‍या बात है। नहीं'],
  ['- \n-5 degrees', '-5 degrees'],
  ['वह http', 'वह http'],
]

describe('speakable text', () => {
  it.each(EXAMPLES)('%j is said as %j', (written, said) => {
    expect(filterText(speakableText(), written)).toBe(said)
  })

  it('does not depend on where the pieces are cut', () => {
    const symbols = fc.constantFrom(
      ...[
        '*',
        '**',
        '_',
        '`',
        '```',
        '\n',
        ' ',
        '  ',
        '- ',
        '# ',
        '[',
        ']',
        '(',
        ')',
        '<',
        '>',
        '<b>',
        '|',
        '---',
        '🎉',
      ],
      ...[
        'https://a.b/c',
        'www.',
        '<think>',
        '</think>',
        'word',
        'नमस्ते',
        '.',
        ',',
        '!',
        '1',
        '-',
        '~~',
        '👨‍👩‍👧',
        '\\',
        'h',
        '\u200d',
      ],
    )
    const text = fc.array(symbols, { maxLength: 25 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 8 }), (written, cuts) => {
        for (const make of [speakableText, hideReasoning]) {
          const filter = make()
          let said = ''
          let from = 0
          for (const cut of cuts.toSorted((a, b) => a - b)) {
            said += filter.push(written.slice(from, cut))
            from = Math.max(from, Math.min(cut, written.length))
          }
          said += filter.push(written.slice(from)) + filter.end()
          expect(said).toBe(filterText(make(), written))
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('gives words as soon as they are whole', () => {
    const filter = speakableText()
    expect(filter.push('Your **bal')).toBe('Your')
    expect(filter.push('ance** is ')).toBe(' balance is')
    expect(filter.push('fine. ')).toBe(' fine.')
  })
})
