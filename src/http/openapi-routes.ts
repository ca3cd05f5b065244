import type { FastifyPluginAsync } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'

/** The interface, described for machines. */
export const openApiRoutes = (): FastifyPluginAsync => async (app) => {
  app.withTypeProvider<ZodTypeProvider>().route({
    method: 'GET',
    url: '/openapi.json',
    schema: {
      operationId: 'getOpenApi',
      summary: 'This description',
      tags: ['service'],
      response: { 200: z.looseObject({ openapi: z.string() }).describe('An OpenAPI 3.1 document.') },
    },
    handler: async () => ({ ...app.swagger(), openapi: '3.1.0' }),
  })
}
