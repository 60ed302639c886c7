import type { WebhookSecrets } from '../../commerce/connector/webhooks.ts'
import type { Connector } from '../../commerce/connector.ts'
import { type Connectors, connectorFor } from '../../commerce/connectors.ts'
import type { AnyFields, ShopFacts } from '../../commerce/shop.ts'
import { Fault } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { readPlatformClient } from '../services/platform-client-store.ts'
import { factsOf } from '../shop/open-remote.ts'
import { platformClient } from '../shop/platform-client.ts'
import { type Address, type Addressed, addressedIntegrations, serviceIdOf } from './inbound-address-store.ts'
import { createMemory, type Line } from './inbound-memory.ts'
import { openSecrets } from './shop-webhooks-store.ts'

/** An integration that an address names, and what its messages are verified with. */
export interface Receiver extends Pick<Addressed, 'integration' | 'left'> {
  facts: ShopFacts
  secrets: WebhookSecrets
}

type Needs = Pick<Context, 'db' | 'keys'>

/** Looks up whom an address names. */
export function createAddressCache(context: Needs, line: Line) {
  const recall = createMemory<Receiver[]>((receivers) => receivers.length > 0, line)
  return (connectors: Connectors, address: Address, isSuspect: () => boolean): Promise<Receiver[]> => {
    const key = JSON.stringify([
      address.channel,
      address.accountId,
      address.store,
      address.identity,
      address.integrationId,
    ])
    return recall(key, () => look(context, connectors, address), isSuspect)
  }
}

/** Looks up what a platform signs with that has one address for all shops of an app. */
export function createClientCache(context: Needs, line: Line) {
  const recall = createMemory<AnyFields | null>((client) => client !== null, line)
  return ({ type }: Connector, appId: number | null, isSuspect: () => boolean): Promise<AnyFields | null> =>
    recall(
      JSON.stringify([type, appId]),
      async () => {
        const serviceId = await serviceIdOf(context.db, type)
        return serviceId === null ? null : await readPlatformClient(context.db, context.keys, { serviceId, appId })
      },
      isSuspect,
    )
}

/** Each by the connector of its own service: those that are described may share a type. */
async function look(context: Needs, connectors: Connectors, address: Address): Promise<Receiver[]> {
  const found = (await addressedIntegrations(context.db, address)).flatMap((one) => {
    const connector = connectorFor(connectors, one.integration)
    return connector?.webhooks ? [{ ...one, connector }] : []
  })
  return await Promise.all(
    found.map(async ({ integration, sealed, left, connector }) => ({
      integration,
      left,
      facts: factsOf(connector, integration),
      secrets: {
        registration: sealed ? openSecrets(context.keys, integration.id, sealed) : [],
        client: await clientOf(context, connector, integration),
        publicKey: null,
      },
    })),
  )
}

/** A service that is not set up has no secret to verify with; that is no answer to whoever sends us messages. */
async function clientOf(context: Needs, connector: Connector, integration: Receiver['integration']) {
  try {
    return await platformClient(context.db, context.keys, connector, integration)
  } catch (error) {
    if (error instanceof Fault) return {}
    throw error
  }
}
