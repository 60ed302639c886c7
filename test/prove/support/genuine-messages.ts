import { type Delivery, type WebhookSecrets, webhookTopics } from '../../../src/commerce/connector/webhooks.ts'
import type { Connector } from '../../../src/commerce/connector.ts'
import type { ShopFacts } from '../../../src/commerce/shop.ts'
import { openReceiver } from '../../simulator/receiver.ts'
import { type ConformanceShop, conformanceShopsOf } from '../../support/conformance-shops.ts'

/** Messages as one platform sends them, and what they are verified with. */
export interface Genuine {
  /** The connector, and which of its stands. */
  name: string
  connector: Connector
  facts: ShopFacts
  /** What the platform answers when it is asked for its key; null where nobody asks. */
  stand: ConformanceShop
  ours: readonly Delivery[]
  /** The same, signed for somebody else. */
  theirs: readonly Delivery[]
  secrets(secret: string): WebhookSecrets
}

export const ourSecret = 'the secret that we have given to this shop'
const theirSecret = 'the secret that somebody else has given to it'

/** Of every stand of a connector that can sign. */
export async function genuineMessages(connector: Connector): Promise<Genuine[]> {
  if (!connector.webhooks) return []
  const all: Genuine[] = []
  for (const [name, open] of Object.entries(await conformanceShopsOf(connector))) {
    const stand = await open()
    const [ours, theirs] = stand.platform
      ? [stand.platform.messages?.(ourSecret) ?? [], forOthers(stand.platform)]
      : await overheard(connector, stand)
    const secrets = stand.platform?.secrets ?? ((secret: string) => ({ registration: [secret], client: {} }))
    if (ours.length > 0) {
      const facts = { shop: stand.shop.shop, settings: stand.shop.settings }
      all.push({ name: `${connector.type}, ${name}`, connector, facts, stand, ours, theirs, secrets })
    } else await stand.close()
  }
  return all
}

/** Where one key signs for all, nobody has a message that others would not believe. */
const forOthers = ({ messages, signsForAll }: NonNullable<ConformanceShop['platform']>): readonly Delivery[] =>
  signsForAll ? [] : (messages?.(theirSecret) ?? [])

/** A simulated shop tells both of us. */
async function overheard({ webhooks }: Connector, stand: ConformanceShop): Promise<[Delivery[], Delivery[]]> {
  if (webhooks?.registration.kind !== 'api' || !stand.change) return [[], []]
  const receivers = [await openReceiver(), await openReceiver()]
  for (const [at, secret] of [ourSecret, theirSecret].entries()) {
    const topics = webhookTopics.filter((topic) => webhooks.topics[topic])
    await webhooks.registration.register(stand.shop, { url: receivers[at]?.url ?? '', topics, secret })
  }
  stand.change()
  await stand.simulator?.delivered()
  const [ours = [], theirs = []] = receivers.map(({ received }) =>
    received
      .map(({ headers, body }) => ({
        method: 'POST',
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        query: {},
        raw: Buffer.from(body),
      }))
      .filter((delivery) => !webhooks.handshake?.(delivery, { registration: [], client: {} })),
  )
  await Promise.all(receivers.map((receiver) => receiver.close()))
  return [ours, theirs]
}
