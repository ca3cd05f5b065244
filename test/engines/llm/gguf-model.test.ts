import { describe, expect, it } from 'vitest'
import { ggufHistory } from '../../../src/engines/llm/gguf-history.ts'
import { openGgufModel } from '../../../src/engines/llm/gguf-model.ts'
import { PieceQueue } from '../../../src/engines/llm/piece-queue.ts'

describe('a GGUF file', () => {
  it('is told the conversation with calls and results together', () => {
    const history = ggufHistory({
      instructions: 'Be short.',
      tools: [],
      toolChoice: 'auto',
      turns: [
        { by: 'caller', text: 'Pune?' },
        { by: 'assistant', text: 'Let me see.' },
        { by: 'call', callId: 'a', name: 'weather', argumentsJson: '{"city":"Pune"}' },
        { by: 'call', callId: 'lost', name: 'weather', argumentsJson: '{}' },
        { by: 'result', callId: 'a', output: 'rain' },
      ],
    })
    expect(history).toEqual([
      { type: 'system', text: 'Be short.' },
      { type: 'user', text: 'Pune?' },
      {
        type: 'model',
        response: ['Let me see.', { type: 'functionCall', name: 'weather', params: { city: 'Pune' }, result: 'rain' }],
      },
    ])
    expect(ggufHistory({ instructions: '', tools: [], toolChoice: 'auto', turns: [] })).toEqual([
      { type: 'model', response: [] },
    ])
  })

  it('that cannot be opened says what to do', async () => {
    await expect(openGgufModel({ path: '/nowhere.gguf', threads: 1 })).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(/npm install --no-save node-llama-cpp|cannot be loaded/),
    })
  })
})

describe('a queue of pieces', () => {
  const all = async (queue: PieceQueue<number>) => {
    const taken: number[] = []
    for await (const piece of queue) taken.push(piece)
    return taken
  }

  it('gives what was put in, before and after somebody waits', async () => {
    const queue = new PieceQueue<number>()
    queue.push(1)
    const taken = all(queue)
    await Promise.resolve()
    queue.push(2)
    queue.end()
    expect(await taken).toEqual([1, 2])
  })

  it('fails after what came before the failure', async () => {
    const queue = new PieceQueue<number>()
    queue.push(1)
    queue.fail(new Error('broken'))
    await expect(all(queue)).rejects.toThrow('broken')
  })
})
