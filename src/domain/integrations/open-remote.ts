import type { Connector } from '../../commerce/connector.ts'
import { credentialsRefused, type Remote, type RemoteAnswer, shopAway } from '../../commerce/remote.ts'
import type { AnyFields, Shop, ShopFacts } from '../../commerce/shop.ts'
import { invalidField } from '../../lib/fault.ts'
import { validate } from '../../lib/validate.ts'
import type { Context } from '../context.ts'
import { readCredentials } from './credentials-store.ts'
import type { Integration } from './integration.ts'

export interface OpenShop {
  connector: Connector
  shop: Shop
}

type ShopContext = Pick<Context, 'db' | 'keys' | 'connectors' | 'transport'>

/** Credentials and connector of an integration, ready to be called. */
export async function openShop(context: ShopContext, integration: Integration): Promise<OpenShop> {
  const connector = connectorOf(context, integration.type)
  const stored = await readCredentials(context.db, context.keys, integration)
  const credentials = validate(connector.auth.credentials, stored?.credentials)
  if (!credentials.ok) throw credentialsRefused([], 'The integration has no credentials for its shop.')
  const facts = factsOf(connector, integration)
  return { connector, shop: shopWith(context, connector, facts, credentials.value) }
}

/** A service without a connector is a record like any other, but nothing can be run on it. */
export function connectorOf(context: Pick<Context, 'connectors'>, type: string): Connector {
  const connector = context.connectors.get(type)
  if (!connector) throw invalidField('type', 'The selected type is invalid.')
  return connector
}

/** What was stored by an older version may no longer fit; the parts that do are what counts. */
export function factsOf(connector: Connector, { shop, settings }: Pick<Integration, 'shop' | 'settings'>): ShopFacts {
  const checked = validate(connector.settings, settings)
  return { shop, settings: checked.ok ? checked.value : {} }
}

export const shopWith = (
  context: Pick<Context, 'transport'>,
  connector: Connector,
  facts: ShopFacts,
  credentials: AnyFields,
): Shop => ({ ...facts, credentials, remote: remoteFor(context, connector, facts, credentials) })

/** Without credentials: for the exchange that is to bring some. */
export function remoteFor(
  { transport }: Pick<Context, 'transport'>,
  connector: Connector,
  facts: ShopFacts,
  credentials: AnyFields | null,
): Remote {
  const { remote } = connector
  const origin = remote.origin(facts)
  return {
    async request(asked) {
      const url = addressOf(origin, asked.path)
      const request = credentials === null ? asked : remote.authenticate(asked, credentials, facts)
      const answer = remote.inProcess ? await remote.inProcess(request, facts) : await transport({ url, request })
      return judge(connector, answer)
    },
  }
}

/** The path joined to the origin. A path that leads to another host is a bug or an attack, never a request. */
function addressOf(origin: string, path: string): string {
  const base = new URL(origin)
  const address = path.startsWith('/') && !path.startsWith('//') ? new URL(origin + path) : null
  if (address?.host !== base.host || address.protocol !== base.protocol || address.username !== base.username) {
    throw invalidField('path', 'The path field format is invalid.')
  }
  return address.href
}

function judge({ remote, auth }: Connector, answer: RemoteAnswer): RemoteAnswer {
  const reading = remote.read?.(answer)
  const seconds = reading?.retryAfterSeconds ?? retryAfter(answer)
  if (reading?.verdict === 'unauthorized' || answer.status === 401) {
    throw credentialsRefused(auth.kind === 'keys' ? Object.keys(auth.credentials.properties) : [])
  }
  if (
    reading?.verdict === 'throttled' ||
    reading?.verdict === 'away' ||
    answer.status === 429 ||
    answer.status >= 500
  ) {
    throw shopAway(seconds)
  }
  return answer
}

function retryAfter({ headers }: RemoteAnswer): number {
  const seconds = Number(headers['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(3600, Math.ceil(seconds)) : 30
}
