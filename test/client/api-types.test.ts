import { expect, it } from 'vitest'
import { type Description, renderClientTypes } from '../../scripts/render-client-types.ts'
import { openWholeApp } from '../support/whole-app.ts'

it('the types of the client are those of the description', async () => {
  const app = await openWholeApp()
  try {
    const types = renderClientTypes((await app.inject('/openapi.json')).json<Description>())
    expect(types).toContain('readonly submitBatch: {')
    await expect(types).toMatchFileSnapshot('../../client/src/api-types.ts')
  } finally {
    await app.close()
  }
})
