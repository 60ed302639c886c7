import { hash, randomUUID } from 'node:crypto'
import type { Delivery, DeliveryReading } from '../../commerce/connector/webhooks.ts'
import type { Connector } from '../../commerce/connector.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import type { ShopFacts } from '../../commerce/shop.ts'
import { notFound, unauthenticated } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { traced } from '../../runtime/telemetry/trace.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { factsOf } from '../shop/open-remote.ts'
import { createAddressCache, createClientCache, type Receiver } from '../shop-webhooks/inbound-address.ts'
import type { Address } from '../shop-webhooks/inbound-address-store.ts'
import { createKeyCache } from '../shop-webhooks/inbound-keys.ts'
import { createLine } from '../shop-webhooks/inbound-memory.ts'
import { noteRefused } from '../shop-webhooks/refused-messages.ts'
import { integrationParameter } from '../shop-webhooks/shop-webhooks.ts'
import { createIntake, type Store } from './inbound-intake.ts'
import { integrationsOfCustomer } from './inbound-store.ts'
import { receivedSpan } from './trace-inbound.ts'

export interface Inbound {
  channel: string
  /** Null for an integration of no account. */
  accountId: number | null
  store: string
  delivery: Delivery
  /** Whether who sends it was refused too often lately: nobody, where it is missing. */
  isSuspect?: () => boolean
}

export type Received =
  | { kind: 'stored'; duplicate: boolean }
  | { kind: 'handshake'; status: number; contentType: string; body: string }

/** In the place of a shop: the address that a platform has for all shops of an app. No shop can be called so. */
const allShops = '-'

/**
 * A message from a shop: verified on its raw bytes, stored once, and answered when it is safe; the work comes later.
 * `entered` is the integration of a caller who has shown token and gateway key; without one the platform's signature
 * must do.
 */
export async function receiveDelivery(
  context: Context,
  entered: Integration | null,
  inbound: Inbound,
): Promise<Received> {
  const { delivery } = inbound
  const receiver = receiverOf(context)
  if (entered) {
    const connector = connectorFor(context.connectors, entered)
    if (!connector || !isAddressed(entered, inbound)) throw notFound()
    const row = rowOf(entered.id, readSafely(connector, factsOf(connector, entered), delivery), delivery)
    // Under a name of its own: it never takes the place of the platform's own message.
    const handed = { ...row, delivery_id: `caller:${row.delivery_id}`, verified: false }
    return { kind: 'stored', ...(await receiver.store(handed)) }
  }
  const connector = context.connectors.get(inbound.channel)
  const namedShop = connector?.webhooks?.shopOf?.(delivery) ?? null
  const identity = connector?.webhooks?.identityOf?.(delivery) ?? null
  if (inbound.store === allShops) {
    // What is described has one address for each shop.
    if (!connector) throw unauthenticated()
    const named = addressIn(connector, delivery)
    if (named === null) return await receiveForApp(context, receiver, connector, inbound)
    return await receiveFor(context, receiver, named, inbound)
  }
  if (namedShop !== null && namedShop !== inbound.store) throw unauthenticated()
  const address = { ...inbound, identity, integrationId: namedIn(delivery) }
  return await receiveFor(context, receiver, address, inbound)
}

/**
 * Before anything of a message is read: whether there is a shop at its address. What came to the address of all shops says
 * in its body whom it is for.
 */
export async function expectDelivery(
  context: Context,
  { channel, accountId, store, query, isSuspect }: Omit<Inbound, 'delivery'> & Pick<Delivery, 'query'>,
): Promise<void> {
  if (store === allShops && context.connectors.get(channel)?.webhooks) return
  const address = { channel, accountId, store, identity: null, integrationId: numberIn(query[integrationParameter]) }
  const receivers = await receiverOf(context).receivers(context.connectors, address, isSuspect ?? trusted)
  if (receivers.length === 0) throw unauthenticated()
}

/** Whoever has the shop that a message names, by the platform's own id or by name; null if it names none. */
function addressIn({ type, webhooks }: Connector, delivery: Delivery): Address | null {
  const shop = webhooks?.shopOf?.(delivery) ?? null
  const identity = webhooks?.identityOf?.(delivery) ?? null
  if (shop === null && identity === null) return null
  return { channel: type, accountId: 'any', store: shop ?? allShops, identity, integrationId: null }
}

/**
 * A message that a platform left in a queue. One about a shop that nobody has, or about nothing that we know, is nothing to
 * wait for.
 */
export async function receiveQueuedDelivery(context: Context, connector: Connector, body: string): Promise<void> {
  const delivery = { method: 'POST', headers: {}, query: {}, raw: Buffer.from(body) }
  const address = addressIn(connector, delivery)
  if (address === null) return
  const receiver = receiverOf(context)
  const receivers = await receiver.receivers(context.connectors, address, trusted)
  const stored = receivers
    .filter(({ left }) => !left)
    .map(({ integration, facts }) =>
      receiver.store(rowOf(integration.id, readSafely(connector, facts, delivery), delivery)),
    )
  await Promise.all(stored)
}

const trusted = () => false

async function receiveFor(
  context: Context,
  receiver: InboundReceiver,
  address: Address,
  { delivery, isSuspect = trusted }: Pick<Inbound, 'delivery' | 'isSuspect'>,
): Promise<Received> {
  const stored: Promise<{ duplicate: boolean }>[] = []
  const receivers = await receiver.receivers(context.connectors, address, isSuspect)
  for (const { integration, left, facts, secrets: known } of receivers) {
    const connector = connectorFor(context.connectors, integration)
    if (!connector) continue
    const publicKey = await receiver.publicKey(connector, { facts, client: known.client }, delivery)
    const secrets = { ...known, publicKey }
    const handshake = left ? null : connector.webhooks?.handshake?.(delivery, secrets)
    if (handshake) return { kind: 'handshake', ...handshake }
    if (!isGenuine(context, connector, delivery, secrets)) continue
    const reading = readSafely(connector, facts, delivery)
    if (left && !reading?.topic?.startsWith('privacy.')) continue
    stored.push(receiver.store(rowOf(integration.id, reading, delivery)))
  }
  // Nobody learns whether there is such a shop.
  if (stored.length === 0) throw unauthenticated()
  const results = await Promise.all(stored)
  return { kind: 'stored', duplicate: results.every(({ duplicate }) => duplicate) }
}

/**
 * A message that names no shop: a platform asks whether we are there, or to forget somebody wherever we know them. It is
 * kept for each integration that does; if none does, there is nothing to do.
 */
async function receiveForApp(
  context: Context,
  receiver: InboundReceiver,
  connector: Connector,
  { delivery, isSuspect = trusted }: Pick<Inbound, 'delivery' | 'isSuspect'>,
): Promise<Received> {
  const client = await receiver.client(connector, numberIn(delivery.query['app']), isSuspect)
  const facts = { shop: allShops, settings: {} }
  const publicKey = await receiver.publicKey(connector, { facts, client: client ?? {} }, delivery)
  const secrets = { registration: [], client: client ?? {}, publicKey }
  const handshake = connector.webhooks?.handshake?.(delivery, secrets)
  if (handshake) return { kind: 'handshake', ...handshake }
  if (!isGenuine(context, connector, delivery, secrets)) throw unauthenticated()
  const reading = readSafely(connector, facts, delivery)
  const customer = reading?.topic?.startsWith('privacy.') ? (reading.privacy?.customer?.remoteId ?? null) : null
  const ids = customer === null ? [] : await integrationsOfCustomer(context.db, connector.type, customer)
  const results = await Promise.all(ids.map((id) => receiver.store(rowOf(id, reading, delivery))))
  return { kind: 'stored', duplicate: results.length > 0 && results.every(({ duplicate }) => duplicate) }
}

interface InboundReceiver {
  receivers: ReturnType<typeof createAddressCache>
  client: ReturnType<typeof createClientCache>
  publicKey: ReturnType<typeof createKeyCache>
  store: Store
}

/** One for each database that a process uses: what arrives at the same time is written together. */
const receiversByContext = new WeakMap<Db, InboundReceiver>()

function receiverOf(context: Context): InboundReceiver {
  const known = receiversByContext.get(context.db)
  if (known) return known
  const intake = createIntake(context)
  const line = createLine()
  const receiver: InboundReceiver = {
    receivers: createAddressCache(context, line),
    client: createClientCache(context, line),
    publicKey: createKeyCache(context),
    store: (row) =>
      traced(
        context.trace,
        () => [receivedSpan(row)],
        async () => {
          try {
            return await intake(row)
          } catch (error) {
            noteRefused(context.db, row.integration_id)
            throw error
          }
        },
      ),
  }
  receiversByContext.set(context.db, receiver)
  return receiver
}

const isAddressed = (integration: Integration, { channel, accountId, store: shop }: Inbound): boolean =>
  integration.type === channel && integration.shop === shop && integration.account_id === accountId

const namedIn = ({ query }: Delivery): number | null => numberIn(query[integrationParameter])

const numberIn = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null

/** Whatever a stranger sends, the answer is no and not an error. */
function isGenuine(
  { log }: Pick<Context, 'log'>,
  { type, webhooks }: Connector,
  delivery: Delivery,
  secrets: Receiver['secrets'],
): boolean {
  try {
    return (webhooks?.verify(delivery, secrets) ?? false) && isRecent(webhooks?.sentAt?.(delivery) ?? null)
  } catch (error) {
    log.debug({ err: error, type }, 'a shop webhook could not be verified')
    return false
  }
}

/** Seconds that clocks may differ and a message may be under way: what is older may have been recorded by anybody. */
const maxAgeSeconds = 300

const isRecent = (sentAt: number | null): boolean =>
  sentAt === null || Math.abs(Date.now() / 1000 - sentAt) <= maxAgeSeconds

/** Null for a message that is genuine but beyond us: it is kept all the same. */
function readSafely(connector: Connector, facts: ShopFacts, delivery: Delivery): DeliveryReading | null {
  try {
    return connector.webhooks?.read(delivery, facts) ?? null
  } catch {
    return null
  }
}

const ourOwn = ['authorization', 'x-gateway-key', 'cookie']

const maxIdLength = 300
const unnamed = 'unnamed:'

function rowOf(integrationId: number, reading: DeliveryReading | null, delivery: Delivery) {
  const [first] = reading?.changes ?? []
  // Where messages have no names, two that say the same may be about two changes.
  const reportedId = reading === null ? '' : (reading.deliveryId ?? `${unnamed}${randomUUID()}`)
  return {
    integration_id: integrationId,
    delivery_id: reportedId !== '' && reportedId.length <= maxIdLength ? clean(reportedId) : contentHash(delivery),
    topic: reading?.topic ?? null,
    verified: true,
    kind: first?.kind ?? null,
    remote_id: first ? clean(first.remoteId).slice(0, maxIdLength) : null,
    headers: kept(delivery.headers),
    query: kept(delivery.query),
    body: delivery.raw,
  }
}

/** The same message has the same contents. One without a body says what it has to say in its address. */
const contentHash = ({ raw, query }: Delivery): string =>
  hash('sha256', raw.length > 0 ? raw : JSON.stringify(Object.entries(kept(query)).sort()))

function kept(fields: Delivery['headers']): Record<string, string> {
  const rest: Record<string, string> = {}
  for (const name in fields) if (!ourOwn.includes(name)) rest[clean(name)] = clean(fields[name] ?? '')
  return rest
}

/** The database's text holds neither NUL nor half a character. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()
