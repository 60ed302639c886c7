import createClient from 'openapi-fetch'
import type { components, paths } from '../lib/api-types.gen.ts'
import { ask as plainAsk, Refusal } from '../lib/ask.ts'
import { fetchInTime } from '../lib/fetch-in-time.ts'

export { Refusal } from '../lib/ask.ts'

/**
 * The service, asked with the session's cookie. The header is what other sites cannot send; further ones act for one of
 * the user's apps, or for an account of it, with no more rights than the user has.
 */
type Client = ReturnType<typeof createClient<paths>>

const clientFor = (headers: Readonly<Record<string, string>>): Client =>
  createClient<paths>({
    baseUrl: location.origin,
    headers: { accept: 'application/json', ...headers },
    fetch: fetchInTime,
  })

export const ofUser = { 'x-entrepot-console': '1' }

export const api = clientFor(ofUser)

const clients = new Map<string, Client>()

function kept(key: string, headers: Readonly<Record<string, string>>): Client {
  const client = clients.get(key) ?? clientFor(headers)
  clients.set(key, client)
  return client
}

export const asApp = (app: string): Client => kept(app, { ...ofUser, 'x-entrepot-app': app })

/** What the embedded elements are handed here, in the place of a token. */
export const accountSession = (app: string, account: number) => ({
  ...ofUser,
  'x-entrepot-app': app,
  'x-entrepot-account': String(account),
})

export const asAccount = (app: string, account: number): Client =>
  kept(`${app} ${account}`, accountSession(app, account))

/** A session that has ended is said to the frame, wherever it shows: at a page, in a form, in a list that is searched. */
export async function ask<Data>(request: Parameters<typeof plainAsk<Data>>[0]): Promise<Data> {
  try {
    return await plainAsk(request)
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) dispatchEvent(new Event(sessionEnded))
    throw error
  }
}

export const sessionEnded = 'entrepot-session-ended'
/** Said to whoever has given up asking. */
export const sessionBegun = 'entrepot-session-begun'

export type Schemas = components['schemas']
