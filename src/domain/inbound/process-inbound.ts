import { randomUUID } from 'node:crypto'
import type { Connector } from '../../commerce/connector.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import { say } from '../../commerce/words/say.ts'
import { Fault, whyOf } from '../../lib/fault.ts'
import { textOf, type Wording } from '../../lib/words/wording.ts'
import { isDatabaseAway } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { markArrived } from '../integrations/messages-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { queueRun } from '../runs/queue-run.ts'
import { queuedResources } from '../runs/run-store.ts'
import { actOn } from './inbound-act.ts'
import {
  inboundWords,
  type Message,
  type Subject,
  sortMessages,
  subjectKindsOf,
  subjectsOf,
} from './inbound-message.ts'
import { type Gathered, gatherRecords, isAway } from './inbound-records.ts'
import { type Held, settleRecords } from './inbound-settle.ts'
import {
  claimWork,
  companionsOf,
  countAttempt,
  dueDeliveries,
  type Finished,
  finishDeliveries,
  leaseSeconds,
  overtaken,
  type Postponed,
  postponeDeliveries,
  type Recipient,
  readRecipient,
  releaseWork,
  renewWork,
  type WaitingDelivery,
} from './inbound-work-store.ts'
import { traceProcessed } from './trace-inbound.ts'

const atOnce = 200
/** After so many workers in a row that did not come back, messages are tried one by one. */
const maxFruitlessClaims = 2
/** Tries before a message is given up. */
const maxAttempts = 8
/** Seconds for which a shop that is away is waited for besides. */
const maxWaitSeconds = 86_400
/** Seconds until it is looked again whether an integration that rests has been woken. */
const restSeconds = 600

/** Processes a batch of inbound deliveries of an integration. `busy`: somebody else does. */
export async function processInbound(
  context: Context,
  integrationId: number,
  signal: AbortSignal,
): Promise<'busy' | 'more' | 'done'> {
  const holder = randomUUID()
  const claim = await claimWork(context.db, integrationId, holder)
  if (!claim) return 'busy'
  const held = { integrationId, holder }
  const renewing = setInterval(() => {
    renewWork(context.db, integrationId, holder).catch(() => undefined)
  }, leaseSeconds * 250)
  let isReleased = false
  try {
    const careful = claim.vain >= maxFruitlessClaims
    const due = await dueDeliveries(context.db, integrationId, careful ? 1 : atOnce)
    const [first] = due
    if (!first) return 'done'
    if (careful) await countAttempt(context.db, integrationId, first.id)
    if (careful && first.attempts >= maxAttempts) {
      await giveUp(context, held, first, inboundWords('message.crashed'))
      return 'more'
    }
    const others = due.length === atOnce ? await companionsOf(context.db, integrationId, due) : []
    const ended = await workOn(context, held, { due, others, isLast: true }, signal)
    isReleased = ended.isReleased
    // What has come meanwhile was announced after this had begun, and makes for another turn.
    return careful || due.length === atOnce || ended.isCutShort ? 'more' : 'done'
  } finally {
    clearInterval(renewing)
    if (!isReleased) await releaseWork(context.db, integrationId, holder)
  }
}

interface Ended {
  /** The messages of the integration are no longer held. */
  isReleased: boolean
  /** Some are as they were: there was no time for them. */
  isCutShort: boolean
}

interface Batch {
  due: readonly WaitingDelivery[]
  others: readonly WaitingDelivery[]
  /** No other comes after it while the messages are held. */
  isLast: boolean
}

/** What goes wrong for no known reason is tried again one by one, so that one message does not hold up the others. */
async function workOn(context: Context, held: Held, batch: Batch, signal: AbortSignal): Promise<Ended> {
  const { due } = batch
  try {
    return await workTogether(context, held, batch, signal)
  } catch (error) {
    if (error === overtaken) return { isReleased: true, isCutShort: false }
    if (isDatabaseAway(error)) throw error
    const [only] = due
    context.log.warn({ err: error, integration: held.integrationId }, 'webhooks of a shop could not be processed')
    if (due.length === 1 && only) await retryLater(context, held, [{ delivery: only, error }])
    const ends: Ended[] = []
    if (due.length > 1)
      for (const one of due) ends.push(await workOn(context, held, { due: [one], others: [], isLast: false }, signal))
    return { isReleased: false, isCutShort: ends.some(({ isCutShort }) => isCutShort) }
  }
}

async function workTogether(
  context: Context,
  held: Held,
  { due, others, isLast }: Batch,
  signal: AbortSignal,
): Promise<Ended> {
  const { integrationId } = held
  const recipient = await readRecipient(context.db, integrationId)
  if (!recipient) return { isReleased: false, isCutShort: false }
  const connector = connectorFor(context.connectors, recipient)
  const { acts, records, waiting, finished } = sortMessages(connector, recipient, [...due, ...others])
  for (const message of acts) await actOn(context, held, recipient, message)
  await end(context, held, finished)
  await postponeDeliveries(
    context.db,
    integrationId,
    waiting.map(({ delivery: { id } }) => ({ id, seconds: restSeconds, rests: true, error: say('not_active') })),
  )
  if (!connector || records.length === 0) return { isReleased: false, isCutShort: false }
  // Of what somebody has handed in, nothing follows about the shop.
  if (records.some(({ delivery: { verified } }) => verified) && reportsOrders(connector)) {
    await markArrived(context.db, integrationId, recipient.messages)
  }
  const [orders, goods] = partition(records)
  let ended: Ended = { isReleased: false, isCutShort: false }
  for (const some of [orders, goods].filter(({ length }) => length > 0)) {
    const isLastOf = isLast && (some === goods || goods.length === 0)
    const one = await settleSome(context, held, { connector, recipient, signal }, { records: some, isLast: isLastOf })
    ended = { isReleased: one.isReleased, isCutShort: ended.isCutShort || one.isCutShort }
  }
  return ended
}

/** Orders are not to wait until the shop has been asked for everything else. */
function partition(records: readonly Message[]): [orders: Message[], goods: Message[]] {
  const isOfOrders = ({ reading }: Message) => subjectKindsOf(reading).has('orders')
  return [records.filter(isOfOrders), records.filter((one) => !isOfOrders(one))]
}

async function settleSome(
  context: Context,
  held: Held,
  asking: { connector: Connector; recipient: Recipient; signal: AbortSignal },
  { records, isLast }: { records: readonly Message[]; isLast: boolean },
): Promise<Ended> {
  const { integrationId } = held
  const { recipient } = asking
  const begun = Date.now()
  const gathered = await gatherRecords(context, asking, subjectsOf(records))
  const { failed, unreached } = gathered
  // Those that there was no time for are due as they were.
  const open = new Set([...failed.map(({ subject }) => subject), ...unreached].flatMap(({ messages }) => messages))
  const isAllSettled = gathered.settled.length > 0 && failed.length + gathered.unasked.length === 0
  const settling = { held, recipient, open, isLast: isLast && isAllSettled }
  await settleRecords(context, settling, gathered.settled)
  traceProcessed(context.trace, integrationId, begun, gathered)
  await readWhole(context, held, gathered.unasked, new Set([...open, ...doneIn(gathered)]))
  await retryLater(context, held, failuresIn(gathered))
  return { isReleased: settling.isLast, isCutShort: unreached.length > 0 }
}

/** What people have entered in a shop may leave out its orders: those are then asked for as before. */
const reportsOrders = ({ webhooks }: Connector): boolean =>
  webhooks?.registration.kind !== 'entered' || webhooks.topics['order.updated'] !== undefined

const doneIn = ({ settled }: Gathered): Message[] => settled.flatMap(({ messages }) => messages)

/** Once for each message, however many of its records failed. */
function failuresIn({ failed }: Gathered): { delivery: WaitingDelivery; error: unknown }[] {
  const failures = new Map<Message, unknown>()
  for (const { subject, error } of failed) for (const message of subject.messages) failures.set(message, error)
  return [...failures].map(([{ delivery }, error]) => ({ delivery, error }))
}

const resources = { orders: 'sync_orders', products: 'sync_products', inventory: 'sync_inventory' } as const

/** What cannot be asked for one by one is read with whatever else has changed, once for all that waits. */
async function readWhole(
  context: Context,
  { integrationId }: Held,
  subjects: readonly Subject[],
  elsewhere: ReadonlySet<Message>,
): Promise<void> {
  if (subjects.length === 0) return
  const wanted = new Set(subjects.map(({ kind }) => resources[kind]))
  const messages = [...new Set(subjects.flatMap((subject) => subject.messages))].filter((one) => !elsewhere.has(one))
  await context.transaction(async (trx) => {
    const queued = await queuedResources(trx, integrationId)
    for (const resource of wanted) {
      if (!queued.has(resource)) await queueRun(context, trx, integrationId, { resource, input: {} })
    }
    await finishDeliveries(
      trx,
      integrationId,
      messages.map(({ delivery: { id } }) => ({ id, outcome: 'acted' })),
    )
  })
}

/** Later, or never: by then it is among those that were given up, with the reason, and may be tried again by hand. */
async function retryLater(
  context: Context,
  held: Held,
  failures: readonly { delivery: WaitingDelivery; error: unknown }[],
): Promise<void> {
  const later: Postponed[] = []
  for (const { delivery, error } of failures) {
    const { id, attempts, age } = delivery
    // What came while the integration rested, or is tried again by hand, may be older than a day at its first try.
    const permanent = attempts + 1 >= maxAttempts && (!isAway(error) || age > maxWaitSeconds)
    if (permanent) await giveUp(context, held, delivery, whyOf(error))
    else later.push({ id, seconds: delayAfter(attempts, error), error: whyOf(error) })
  }
  await postponeDeliveries(context.db, held.integrationId, later)
}

function delayAfter(attempts: number, error: unknown): number {
  const requestedSeconds = error instanceof Fault ? (error.retryAfterSeconds ?? 0) : 0
  const own = Math.min(2 ** (attempts + 1), 900)
  // Not all at the same moment.
  return Math.max(Math.min(requestedSeconds, 900), own) * (1 + Math.random() / 4)
}

const giveUp = (context: Context, held: Held, { id, topic }: WaitingDelivery, error: string | Wording): Promise<void> =>
  context.transaction(async (trx) => {
    await finishDeliveries(trx, held.integrationId, [{ id, outcome: 'failed', error }])
    await appendLog(trx, held.integrationId, {
      level: 'error',
      event: 'webhooks.given_up',
      words: logWords('webhooks.given_up'),
      context: { delivery: id, topic },
      said: { words: logWords('webhooks.given_up_because', { reason: error }) },
    })
  })

/** Those that could not be parsed are logged; the others are not. */
async function end(context: Context, held: Held, finished: readonly Finished[]): Promise<void> {
  if (finished.length === 0) return
  const failed = finished.filter(({ outcome }) => outcome === 'failed')
  await context.transaction(async (trx) => {
    await finishDeliveries(trx, held.integrationId, finished)
    if (failed.length === 0) return
    await appendLog(trx, held.integrationId, {
      level: 'error',
      event: 'webhooks.given_up',
      words: logWords('webhooks.not_parsed', { webhooks: failed.length }),
      context: { deliveries: failed.slice(0, 10).map(({ id }) => ({ id })) },
      said: {
        context: { deliveries: failed.slice(0, 10).map(({ id, error }) => ({ id, error: textOf(error ?? null) })) },
      },
    })
  })
}
