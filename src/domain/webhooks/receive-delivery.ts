import { hash } from 'node:crypto'
import type { Connector } from '../../commerce/connector.ts'
import type { Delivery } from '../../commerce/connector-webhooks.ts'
import { notFound, unauthenticated } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { factsOf } from '../integrations/open-remote.ts'
import { platformClient } from '../integrations/start-authorization.ts'
import { addressedIntegrations, insertInbound } from './inbound-store.ts'

export interface Inbound {
  channel: string
  /** Null for an integration of no account. */
  accountId: number | null
  store: string
  delivery: Delivery
}

export type Received =
  | { kind: 'stored'; duplicate: boolean }
  | { kind: 'handshake'; status: number; contentType: string; body: string }

/**
 * A message from a shop: verified on its raw bytes, stored once, and answered at once; the work comes later. `entered`
 * is the integration of a caller who has shown token and gateway key; without one the platform's signature must do.
 */
export async function receiveDelivery(
  context: Context,
  entered: Integration | null,
  inbound: Inbound,
): Promise<Received> {
  const connector = context.connectors.get(inbound.channel)
  if (!connector) throw notFound()
  if (entered) {
    if (!isAddressed(entered, inbound)) throw notFound()
    return await store(context, connector, entered, inbound.delivery)
  }
  for (const id of await addressedIntegrations(context.db, inbound)) {
    const integration = await readIntegration(context.db, id)
    const secrets = { registration: [], client: await clientOf(context, connector, integration) }
    const handshake = connector.webhooks?.handshake?.(inbound.delivery, secrets)
    if (handshake) return { kind: 'handshake', ...handshake }
    if (connector.webhooks?.verify(inbound.delivery, secrets)) {
      return await store(context, connector, integration, inbound.delivery)
    }
  }
  // Nobody learns whether there is such a shop.
  throw unauthenticated()
}

const isAddressed = (integration: Integration, { channel, accountId, store: shop }: Inbound): boolean =>
  integration.type === channel && integration.shop === shop && integration.account_id === accountId

/** A service that is not set up has no secret to verify with; that is no answer to whoever sends us messages. */
async function clientOf(context: Context, connector: Connector, integration: Integration) {
  try {
    return await platformClient(context.db, context.keys, connector, integration)
  } catch {
    return {}
  }
}

const ourOwn = ['authorization', 'x-gateway-key', 'cookie']

async function store(
  context: Context,
  connector: Connector,
  integration: Integration,
  delivery: Delivery,
): Promise<Received> {
  const reading = read(connector, integration, delivery)
  const inserted = await insertInbound(context.db, integration.id, {
    delivery_id: reading?.deliveryId ?? hash('sha256', delivery.raw),
    topic: reading?.topic ?? null,
    headers: Object.fromEntries(Object.entries(delivery.headers).filter(([name]) => !ourOwn.includes(name))),
    query: { ...delivery.query },
    body: delivery.raw,
  })
  return { kind: 'stored', duplicate: !inserted }
}

/** Null for a message that is genuine but beyond us: it is kept all the same. */
function read(connector: Connector, integration: Integration, delivery: Delivery) {
  try {
    return connector.webhooks?.read(delivery, factsOf(connector, integration)) ?? null
  } catch {
    return null
  }
}
