import type { Connector } from '../../commerce/connector.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { invalidField, notFound } from '../../lib/fault.ts'
import type { Wording } from '../../lib/words/wording.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { useShop } from '../shop/use-shop.ts'
import { isAllowedPath, readShopPath } from './shop-path.ts'

/** Requests that the caller words and we send, with the integration's credentials, to its own shop and nowhere else. */

export interface ShopRequest {
  method: RemoteRequest['method']
  endpoint: string
  query: Readonly<Record<string, unknown>>
  payload: unknown
}

const proxyOf = ({ proxy }: Connector) => proxy

/** Whatever the shop says short of "not now" and "not you" is the answer, its refusals too. */
export async function askShop(context: Context, integration: Integration, asked: ShopRequest): Promise<RemoteAnswer> {
  const place = readShopPath(asked.endpoint)
  if (!place) throw invalidField('endpoint', 'The endpoint field format is invalid.')
  const query = simple(asked.query)
  const answer = await useShop(context, integration, proxyOf, async ({ remote }, rules) => {
    if (!isAllowedPath(rules, place.path)) return null
    return await remote.request({
      method: asked.method,
      path: place.path,
      query: { ...place.query, ...query },
      ...(asked.method !== 'GET' && asked.payload !== undefined && { body: asked.payload }),
    })
  })
  if (!answer) throw invalidField('endpoint', 'The selected endpoint is invalid.')
  return answer
}

/** Anything else has no place in a query string, and a request without it would be another one. */
function simple(query: ShopRequest['query']): NonNullable<RemoteRequest['query']> {
  const parameters: Record<string, string | number | boolean | readonly string[]> = {}
  for (const [name, value] of Object.entries(query)) {
    if (value === null) continue
    if (isSimple(value)) parameters[name] = value
    else if (Array.isArray(value) && value.every(isSimple)) parameters[name] = value.map(String)
    else throw invalidField(`query.${name}`, 'A parameter is a text, a number, true or false, or a list of these.')
  }
  return parameters
}

const isSimple = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Names are the connector's own list, which says what each stands for. */
export async function readResource(
  context: Context,
  integration: Integration,
  asked: { resource: string; query: NonNullable<RemoteRequest['query']> },
): Promise<unknown> {
  const rules = connectorFor(context.connectors, integration)?.proxy
  const path = rules && Object.hasOwn(rules.resources, asked.resource) ? rules.resources[asked.resource] : undefined
  if (path === undefined) throw notFound()
  const answer = await useShop(context, integration, proxyOf, ({ remote }) =>
    remote.request({ method: 'GET', path, query: asked.query }),
  )
  if (!answer || answer.status === 404) throw notFound()
  if (answer.status >= 400) throw refused(reasonOf(answer))
  return answer.body
}

function reasonOf({ body }: RemoteAnswer): string | Wording {
  if (typeof body === 'object' && body !== null) {
    for (const key of ['message', 'error', 'errors']) {
      const said = new Map(Object.entries(body)).get(key)
      if (typeof said === 'string' && said !== '') return said.slice(0, 500)
    }
  }
  return say('rejected')
}
