import createClient from 'openapi-fetch'
import type { components, paths } from '../lib/api-types.gen.ts'

export { ask, Refusal } from '../lib/ask.ts'

/**
 * The service, asked with the session's cookie. The header is what other sites cannot send; `app` speaks for one of the
 * user's apps, with no more rights than the user has.
 */
function clientFor(app: string | null) {
  return createClient<paths>({
    baseUrl: location.origin,
    headers: { accept: 'application/json', 'x-entrepot-console': '1', ...(app !== null && { 'x-entrepot-app': app }) },
  })
}

export const api = clientFor(null)

const clients = new Map<string, ReturnType<typeof clientFor>>()

export function asApp(app: string): ReturnType<typeof clientFor> {
  const client = clients.get(app) ?? clientFor(app)
  clients.set(app, client)
  return client
}

export type Schemas = components['schemas']
