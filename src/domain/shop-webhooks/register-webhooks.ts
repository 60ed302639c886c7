import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import type { RegisteredWebhook, WebhookTopic } from '../../commerce/connector/webhooks.ts'
import type { Connector } from '../../commerce/connector.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import { isCredentialsRefusal } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { because, Fault } from '../../lib/fault.ts'
import { randomSecret } from '../../lib/secret.ts'
import { textOf, type Wording } from '../../lib/words/wording.ts'
import { type Job, job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import type { Facts } from '../fact.ts'
import { type Integration, isRunning } from '../integrations/integration.ts'
import { isInstalled, readIntegration } from '../integrations/integration-store.ts'
import { readSoon, setMessages } from '../integrations/messages-store.ts'
import { reportFailure } from '../integrations/move-integration.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { openShop, shopWith } from '../shop/open-remote.ts'
import { platformClient } from '../shop/platform-client.ts'
import { inShare } from '../shop/shares/share.ts'
import { type ByApi, callbackAddress, registrationOf, type ShopWebhooks } from './shop-webhooks.ts'
import {
  holdShopWebhooks,
  isAddressOfAnother,
  keepSecrets,
  leaveToPeople,
  letGo,
  markChecked,
  markCleared,
  markFailed,
  readShopWebhooks,
  saveShopSecrets,
  sharesAddress,
} from './shop-webhooks-store.ts'

/** The shop has let us in: from now on it is to send us webhooks. */
export const registerWebhooks: Job<Facts['integration.installed'], Context> = job({
  name: 'register-webhooks',
  input: Type.Object({ integrationId: Type.Integer() }),
  maxRunSeconds: 300,
  oneAtATime: ({ integrationId }) => `webhooks:${integrationId}`,
  run: (context: Context, input) =>
    inShare(context, registerWebhooks, input, async () => {
      if ((await keepWebhooks(context, input.integrationId)) === 'done') return
      await context.transaction((trx) =>
        context.enqueue(trx, registerWebhooks, input, { startAfterSeconds: againSeconds }),
      )
    }),
})

/** Until it is tried again to be alone with a shop. */
const againSeconds = 10

/**
 * Makes the shop send what it should, to where it should, signed with our secret, once each. Repeatable: it asks what is
 * there and puts right what differs. A shop that refuses, or cannot reach us, is no failure of the integration: it is
 * asked for news instead. Nothing is done where somebody else is at it.
 */
export async function keepWebhooks(context: Context, integrationId: number): Promise<'done' | 'busy'> {
  const holder = randomUUID()
  if (!(await holdShopWebhooks(context.db, integrationId, holder))) return 'busy'
  try {
    await keepAlone(context, integrationId)
  } finally {
    await letGo(context.db, integrationId, holder)
  }
  return 'done'
}

async function keepAlone(context: Context, integrationId: number): Promise<void> {
  const integration = await readIntegration(context.db, integrationId)
  const connector = connectorFor(context.connectors, integration)
  if (connector && isRunning(integration)) await subscribeShop(context, connector, integration)
  if (connector?.webhooks?.registration.kind === 'entered') return await leaveToPeople(context.db, integrationId)
  if (registrationOf(connector) === null || !isRunning(integration)) return
  const known = await readShopWebhooks(context.db, context.keys, integrationId)
  const plain = callbackAddress(context, integration, false)
  const address = callbackAddress(context, integration, await sharesAddress(context.db, integration, plain))
  const secrets = secretsFor(known, address)
  if (
    secrets !== known?.secrets &&
    !(await saveShopSecrets(context.db, context.keys, integrationId, { address, secrets }))
  )
    return
  try {
    const anew = secrets !== known?.secrets || !known.cleared
    const moved = known !== null && known.address !== address
    const leaves = moved && !(await isAddressOfAnother(context.db, integrationId, known.address))
    let isTheirs = false
    const found = await repair(context, integration, {
      address,
      anew,
      left: leaves ? known.address : null,
      secret: secrets[0] ?? '',
      async keepSecret(theirs) {
        isTheirs = true
        // Messages that are on their way may be signed with one before.
        await keepSecrets(context.db, context.keys, integrationId, [theirs, ...secrets])
      },
    })
    await logRegistration(context, integrationId, {
      first: known === null || known.registered_at === null,
      // Since when they may have been off; null where we have made them anew ourselves.
      unheardSince: anew ? null : (known?.checked_at ?? null),
      before: known?.last_error ?? null,
      ...found,
    })
    // The secret before is not needed any longer.
    if (!anew && !isTheirs && secrets.length > 1)
      await keepSecrets(context.db, context.keys, integrationId, secrets.slice(0, 1))
  } catch (error) {
    const registered = known?.address === address && known.registered_at !== null
    await fail(context, integrationId, { error, before: known?.last_error ?? null, registered })
  }
}

/** To a queue or address that is not the shop's own. A platform that refuses is asked for news instead. */
async function subscribeShop(context: Context, connector: Connector, integration: Integration): Promise<void> {
  const { queue, registration } = connector.webhooks ?? {}
  const direct = registration && 'subscribe' in registration ? registration.subscribe : undefined
  const subscribe = queue?.subscribe ?? direct
  if (!subscribe) return
  try {
    const client = await platformClient(context.db, context.keys, connector, integration)
    const { shop } = await openShop(context, integration, { lane: 'catalogue' })
    await subscribe(shop, client)
  } catch (error) {
    if (!(error instanceof Fault) || error.kind === 'upstream_retryable') throw error
    await appendLog(context.db, integration.id, {
      level: 'warning',
      event: 'webhooks.refused',
      words: logWords(queue ? 'webhooks.no_queue' : 'webhooks.no_messages', { reason: because(error) }),
    })
  }
}

/** The same object if nothing has to change. Messages that are on their way are still signed with the secret before. */
function secretsFor(known: ShopWebhooks | null, address: string): readonly string[] {
  if (known && known.address === address && !known.stale) return known.secrets
  return [randomSecret(), ...(known?.secrets.slice(0, 1) ?? [])]
}

interface Found {
  topics: string[]
  repairs: { missing: string[]; duplicate: string[] }
  /** What the shop does not let us subscribe to, by the platform's names. */
  refusals: readonly Refusal[]
}

interface Refusal {
  topic: string
  fault: Fault
}

const nothing: Found = { topics: [], repairs: { missing: [], duplicate: [] }, refusals: [] }

interface Wanted {
  address: string
  /** Whether what is there may have been made with another secret. */
  anew: boolean
  /** An address of ours that nobody has any longer. */
  left: string | null
  secret: string
  keepSecret(theirs: string): Promise<void>
}

async function repair(context: Context, integration: Integration, wanted: Wanted): Promise<Found> {
  const { connector, shop } = await openShop(context, integration, { lane: 'orders' })
  const registration = registrationOf(connector)
  if (!registration) return nothing
  const { register, topics } = registration
  const own = register.ownSecret?.(shop.credentials) ?? null
  if (own !== null) await keepSecrets(context.db, context.keys, integration.id, [own])
  try {
    const kept = await clear(shop, register, wanted)
    await markCleared(context.db, integration.id)
    return await bringUpToDate(shop, register, { ...wanted, topics, kept })
  } finally {
    await removeIfLeft(context, integration.id, { connector, shop, register, address: wanted.address })
  }
}

/**
 * Somebody may have uninstalled while we were registering: what was made after the cleanup had looked goes here, with the
 * credentials that are still in hand.
 */
async function removeIfLeft(
  context: Context,
  integrationId: number,
  { connector, shop, register, address }: { connector: Connector; shop: Shop; register: ByApi; address: string },
): Promise<void> {
  if (await isInstalled(context.db, integrationId)) return
  try {
    const open = shopWith(context, connector, shop, shop.credentials)
    const left = (await register.list(open)).filter(({ url }) => url === address)
    await Promise.all(left.map(({ remoteId }) => register.remove(open, remoteId)))
  } catch (error) {
    context.log.info({ err: error, integration: integrationId }, 'webhooks of an uninstalled integration may be left')
  }
}

/** What was made with another secret, or for another address, would only ever be refused. The others are ours to keep. */
async function clear(
  shop: Shop,
  register: ByApi,
  { address, anew, left }: Wanted,
): Promise<readonly RegisteredWebhook[]> {
  const before = await register.list(shop)
  const outdates = anew && (register.usesSecret?.(shop.credentials) ?? true)
  const isOutdated = ({ url }: RegisteredWebhook) => url === left || (outdates && url === address)
  for (const { remoteId } of before.filter(isOutdated)) await register.remove(shop, remoteId)
  return before.filter((one) => one.url === address && !isOutdated(one))
}

async function bringUpToDate(
  shop: Shop,
  register: ByApi,
  {
    address,
    secret,
    keepSecret,
    topics,
    kept,
  }: Wanted & { topics: readonly WebhookTopic[]; kept: readonly RegisteredWebhook[] },
): Promise<Found> {
  const active = kept.filter((one) => one.active)
  const duplicates = repeated([...active, ...kept.filter((one) => !one.active)])
  for (const { remoteId } of duplicates) await register.remove(shop, remoteId)
  const refusals: Refusal[] = []
  const now = await register.register(shop, {
    url: address,
    topics,
    secret,
    keepSecret,
    onRefusal: (topic, fault) => refusals.push({ topic, fault }),
  })
  const [refusal] = refusals
  if (refusal && now.length === 0) throw refusal.fault
  const there = new Set(active.map(({ topic }) => topic))
  return {
    topics: [...new Set(now.map(({ topic }) => topic))].sort(),
    repairs: {
      missing: now.map(({ topic }) => topic).filter((topic) => !there.has(topic)),
      duplicate: duplicates.map(({ topic }) => topic),
    },
    refusals,
  }
}

/** All but the first of each topic. */
function repeated(webhooks: readonly RegisteredWebhook[]): RegisteredWebhook[] {
  const seen = new Set<string>()
  return webhooks.filter(({ topic }) => seen.size === seen.add(topic).size)
}

const logRegistration = (
  context: Context,
  integrationId: number,
  {
    first,
    unheardSince,
    before,
    topics,
    repairs,
    refusals,
  }: { first: boolean; unheardSince: string | null; before: string | null } & Found,
): Promise<void> =>
  context.transaction(async (trx) => {
    const refused = refusedWords(refusals)
    const error = refusals.length === 0 ? null : textOf(refused).slice(0, 1000)
    await markChecked(trx, integrationId, { topics, error })
    const { missing, duplicate } = repairs
    // What is refused is not heard of: the shop is asked as often as one that sends nothing.
    if (topics.length === 0) await setMessages(trx, integrationId, 'none')
    else if (error !== null) await setMessages(trx, integrationId, 'late')
    else if (first) await setMessages(trx, integrationId, 'arriving')
    else if (missing.length === 0) {
      await setMessages(trx, integrationId, 'arriving', { unless: ['late', 'not_arriving'] })
    } else {
      if (unheardSince !== null) await setMessages(trx, integrationId, 'late', { since: unheardSince })
      await readSoon(trx, integrationId)
    }
    // The same news once.
    if (error !== null && error !== before)
      await appendLog(trx, integrationId, {
        level: 'warning',
        event: 'webhooks.refused',
        words: logWords('webhooks.topics_refused', { refusals: refused }),
        context: { topics: refusals.map(({ topic }) => topic) },
      })
    if (missing.length + duplicate.length === 0) return
    await appendLog(trx, integrationId, {
      level: first ? 'info' : 'warning',
      event: first ? 'webhooks.registered' : 'webhooks.repaired',
      words: first ? logWords('webhooks.registered', { topics: topics.length }) : repairedWords(repairs),
      context: first ? { topics } : { missing, duplicate },
    })
  })

/** Each reason once, with what is refused for it. */
const refusedWords = (refusals: readonly Refusal[]): Wording[] =>
  [...Map.groupBy(refusals, ({ fault }) => fault.message).values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const topics = [first, ...others].map(({ topic }) => topic).join(', ')
    return [logWords('webhooks.topic_refused', { topics, reason: because(first.fault) })]
  })

const repairedWords = ({ missing, duplicate }: Found['repairs']): Wording =>
  logWords(missing.length > 0 ? 'webhooks.repaired' : 'webhooks.duplicates_removed', {
    missing: missing.length,
    duplicate: duplicate.length,
  })

async function fail(
  context: Context,
  integrationId: number,
  { error, before, registered }: { error: unknown; before: string | null; registered: boolean },
): Promise<void> {
  if (!(error instanceof Fault)) throw error
  if (isCredentialsRefusal(error)) {
    await reportFailure(context, integrationId, { reason: 'credentials_rejected', why: because(error) })
  }
  await context.transaction(async (trx) => {
    await markFailed(trx, integrationId, error.message.slice(0, 1000))
    if (!registered) await setMessages(trx, integrationId, 'not_arriving')
    // The same news once.
    if (error.message === before) return
    await appendLog(trx, integrationId, {
      level: 'warning',
      event: 'webhooks.failed',
      words: logWords(registered ? 'webhooks.not_checked' : 'webhooks.not_registered', { reason: because(error) }),
    })
  })
}
