import type { TObject, TSchema } from 'typebox'
import { type Auth, typedNames } from '../../commerce/definition/auth.ts'
import type { Definition } from '../../commerce/definition/definition.ts'
import { bodyOf } from '../../commerce/reading.ts'
import { credentialsRefused, type RemoteRequest } from '../../commerce/remote.ts'
import { type MissingRight, rightsMissing, rightsRefused, type TriedRight } from '../../commerce/rules/rights.ts'
import type { AnyFields, Shop } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { labelled, object, optional, text, unlisted } from '../../lib/validation/fields.ts'
import { firstRequest } from './pages.ts'
import { filledWith } from './tokens/filled.ts'

/** Nothing that ends a line: it may go into a header. */
const secret = (description: string, trim?: false) =>
  text({
    max: 2000,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    must: 'be one line',
    description,
    ...(trim === false && { trim }),
  })

const fromService = () => unlisted(text({ max: 10_000, description: 'Comes from the service.' }))

/** The form that follows from how the shop is opened, and beside it what the service gives in return. */
export function credentialsOf(auth: Auth): TObject {
  switch (auth.kind) {
    case 'bearer':
      return object({ token: secret('Sent as a bearer token.') })
    case 'basic':
      return object({ username: text(), password: text({ max: 2000, trim: false }) })
    case 'none':
      return object({})
    case 'header':
      return object({ api_key: secret(`Sent in the header ${auth.name}.`) })
    case 'query':
      return object({ api_key: secret(`Sent as the parameter ${auth.name}.`) })
    case 'authorization_code':
      return object({ access_token: fromService(), refresh_token: fromService() })
    case 'client_credentials':
      return labelled(
        { client_id: 'Client ID', client_secret: 'Client secret', ...labelsOf(auth) },
        object({
          client_id: secret('As the service names it for this access.'),
          client_secret: secret('As the service gave it for this access.'),
          ...fieldsTyped(auth),
          access_token: fromService(),
        }),
      )
    case 'login':
      return labelled(labelsOf(auth), object({ ...fieldsTyped(auth), access_token: fromService() }))
    case 'secrets':
      return labelled(labelsOf(auth), object(fieldsTyped(auth)))
  }
}

const labelsOf = ({ secrets = [] }: Auth) =>
  Object.fromEntries(secrets.flatMap(({ name, label }) => (label === undefined ? [] : [[name, label]])))

const fieldsTyped = ({ secrets = [] }: Auth): Record<string, TSchema> =>
  Object.fromEntries(
    secrets.map(({ name, help, optional: isOptional }) => {
      const field = secret(help ?? 'As the service gave it.', false)
      return [name, isOptional ? optional(field) : field]
    }),
  )

export function authenticate(auth: Auth, request: RemoteRequest, credentials: AnyFields): RemoteRequest {
  const { api_key: key, token, username, password, access_token: fetched } = credentials
  switch (auth.kind) {
    case 'none':
      return request
    case 'header':
      return sentWith(request, { in: 'header', name: auth.name ?? '', value: String(key) })
    case 'query':
      return sentWith(request, { in: 'query', name: auth.name ?? '', value: String(key) })
    case 'bearer':
      return sentWith(request, { ...bearer, value: `Bearer ${token}` })
    case 'basic':
      return sentWith(request, { in: 'basic', value: `${username}:${password}` })
    default: {
      const known = { ...credentials, ...(fetched !== undefined && { token: fetched }) }
      const send = auth.send ?? [{ ...bearer, value: 'Bearer {token}' }]
      return send.reduce((asked, { value, ...where }) => {
        const filled = filledWith(value, known)
        return filled === null ? asked : sentWith(asked, { ...where, value: filled })
      }, request)
    }
  }
}

const bearer = { in: 'header', name: 'authorization' } as const

interface Sent {
  in: 'header' | 'query' | 'basic'
  name?: string
  value: string
}

function sentWith(request: RemoteRequest, { in: where, name = '', value }: Sent): RemoteRequest {
  if (where === 'query') return { ...request, query: { ...request.query, [name]: value } }
  const [header, content] =
    where === 'basic' ? ['authorization', `Basic ${Buffer.from(value).toString('base64')}`] : [name, value]
  return { ...request, headers: { ...request.headers, [header.toLowerCase()]: forHeader(content) } }
}

/** Headers carry the letters of ASCII and no others: whoever typed something else hears of it. */
function forHeader(value: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return value
  throw credentialsRefused([], say('letters_not_sent'))
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
    throw credentialsRefused(typedNames(auth))
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
