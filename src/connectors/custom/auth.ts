import type { TObject } from 'typebox'
import type { Definition } from '../../commerce/definition/definition.ts'
import { bodyOf } from '../../commerce/reading.ts'
import { credentialsRefused, type RemoteRequest } from '../../commerce/remote.ts'
import { type MissingRight, rightsMissing, rightsRefused, type TriedRight } from '../../commerce/rules/rights.ts'
import type { AnyFields, Shop } from '../../commerce/shop.ts'
import { object, text } from '../../lib/validation/fields.ts'
import { firstRequest } from './pages.ts'

type Auth = Definition['auth']

const secret = (description: string) => text({ max: 2000, description })

/** The form that follows from how the shop is opened. */
export function credentialsOf({ kind, name }: Auth): TObject {
  if (kind === 'bearer') return object({ token: secret('Sent as a bearer token.') })
  if (kind === 'basic') return object({ username: text(), password: text({ max: 2000, trim: false }) })
  if (kind === 'none') return object({})
  return object({
    api_key: secret(kind === 'header' ? `Sent in the header ${name}.` : `Sent as the parameter ${name}.`),
  })
}

export function authenticate(auth: Auth, request: RemoteRequest, credentials: AnyFields): RemoteRequest {
  const { api_key: key, token, username, password } = credentials
  const headed = (name: string, value: string) => ({ ...request, headers: { ...request.headers, [name]: value } })
  switch (auth.kind) {
    case 'header':
      return headed((auth.name ?? '').toLowerCase(), String(key))
    case 'bearer':
      return headed('authorization', `Bearer ${token}`)
    case 'basic':
      return headed('authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
    case 'query':
      return { ...request, query: { ...request.query, [auth.name ?? '']: String(key) } }
    case 'none':
      return request
  }
}

/** Something small: what the definition names, else the beginning of its first list. */
export async function checkAccess(definition: Definition, { remote }: Shop): Promise<void> {
  const { auth, test } = definition
  const lists = listsOf(definition)
  const [first, others] = test ? [undefined, lists] : [lists[0], lists.slice(1)]
  const answer = await remote.request(first?.request ?? { method: 'GET', path: test?.path ?? '/' })
  if (answer.status === 403) {
    const missing = await rightsRefused(remote, others)
    // Who is let in anywhere is known.
    if (missing.length < others.length) throw rightsMissing(first ? [first, ...missing] : missing)
    throw credentialsRefused(Object.keys(credentialsOf(auth).properties))
  }
  bodyOf(answer)
}

export const checkRights = (definition: Definition, { remote }: Shop): Promise<MissingRight[]> =>
  rightsRefused(remote, listsOf(definition))

/** The beginnings of all lists. */
const listsOf = ({ orders, products, inventory }: Definition): readonly TriedRight[] =>
  Object.entries({ orders, products, inventory }).flatMap(([name, part]) => {
    if (!part) return []
    return [
      { name: `${name} (${part.list.method ?? 'GET'} ${part.list.path})`, where, request: firstRequest(part.list) },
    ]
  })

const where = "the service's own settings for these credentials"
