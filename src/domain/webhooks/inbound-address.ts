import type { Connector } from '../../commerce/connector.ts'
import type { WebhookSecrets } from '../../commerce/connector-webhooks.ts'
import type { ShopFacts } from '../../commerce/shop.ts'
import { Fault } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { factsOf } from '../integrations/open-remote.ts'
import { platformClient } from '../integrations/start-authorization.ts'
import { type Addressed, addressedIntegrations } from './inbound-store.ts'
import { openSecrets } from './shop-webhooks-store.ts'

export interface Address {
  channel: string
  /** Null for an integration of no account; whoever has the shop where a platform knows of no accounts. */
  accountId: number | null | 'any'
  store: string
  /** Where several share the rest of the address. */
  integrationId: number | null
}

/** An integration that an address names, and what its messages are verified with. */
export interface Receiver extends Pick<Addressed, 'integration' | 'left'> {
  facts: ShopFacts
  secrets: WebhookSecrets
}

/** Who uninstalls, or replaces a secret, need not wait longer than this. */
const trustedMs = 1000
/** A busy address is looked up anew before that, while those who come meanwhile are told what is known. */
const renewedAfterMs = 500
const mostKept = 10_000

type Needs = Pick<Context, 'db' | 'keys'>

interface Known {
  /** When looking it up began. */
  since: number
  receivers: Promise<Receiver[]>
  renewing: boolean
}

/** Looks up whom an address names; for a second it is remembered, found or not. */
export function createAddressBook(context: Needs) {
  const known = new Map<string, Known>()

  return (connector: Connector, address: Address): Promise<Receiver[]> => {
    const key = JSON.stringify([address.channel, address.accountId, address.store, address.integrationId])
    const now = performance.now()
    const kept = known.get(key)
    if (kept && (kept.renewing || now - kept.since < renewedAfterMs) && now - kept.since < trustedMs) {
      return kept.receivers
    }
    const fresh = { since: now, receivers: look(context, connector, address), renewing: false }
    if (kept && now - kept.since < trustedMs) {
      kept.renewing = true
      // If it fails, whoever comes when the old one has run out is told.
      fresh.receivers.then(
        () => known.set(key, fresh),
        () => undefined,
      )
      return kept.receivers
    }
    // Strangers may ask for any number of addresses.
    if (known.size >= mostKept) known.clear()
    known.set(key, fresh)
    fresh.receivers.catch(() => known.delete(key))
    return fresh.receivers
  }
}

async function look(context: Needs, connector: Connector, address: Address): Promise<Receiver[]> {
  const found = await addressedIntegrations(context.db, address)
  return await Promise.all(
    found.map(async ({ integration, sealed, left }) => ({
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
