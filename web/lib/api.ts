import createClient from 'openapi-fetch'
import type { paths } from './api-types.gen.ts'

/**
 * A client whose paths, parameters, bodies and answers are checked by the compiler. `getToken` is asked before each
 * request, so that a renewed token is used at once.
 */
export function apiClient(options: { baseUrl: string; getToken?: () => Promise<string | null> | string | null }) {
  const client = createClient<paths>({ baseUrl: options.baseUrl })
  client.use({
    async onRequest({ request }) {
      const token = await options.getToken?.()
      if (token) request.headers.set('authorization', `Bearer ${token}`)
      request.headers.set('accept', 'application/json')
      return request
    },
  })
  return client
}
