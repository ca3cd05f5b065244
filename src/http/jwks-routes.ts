import type { FastifyPluginAsync } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'

const KEY_SET = z.object({ keys: z.array(z.record(z.string(), z.unknown())) })

/** Only the embedded issuer publishes keys here: with keys of someone else's, theirs is the place to read them. */
export const jwksRoutes =
  (publicKeys: JSONWebKeySet): FastifyPluginAsync =>
  async (app) => {
    app.withTypeProvider<ZodTypeProvider>().route({
      method: 'GET',
      url: '/.well-known/jwks.json',
      schema: {
        operationId: 'getKeys',
        summary: 'Keys that tokens of this service are checked with',
        tags: ['service'],
        response: { 200: KEY_SET.describe('A JSON Web Key Set.') },
      },
      handler: async (_request, reply) => {
        reply.header('cache-control', 'public, max-age=300')
        return publicKeys
      },
    })
  }
