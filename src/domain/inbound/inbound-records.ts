import type { Connector } from '../../commerce/connector.ts'
import { isCredentialsRefusal } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { because, Fault } from '../../lib/fault.ts'
import { isOlderVersion } from '../../lib/remote-version.ts'
import type { Lane } from '../budgets/budget.ts'
import type { Context } from '../context.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { reportFailure } from '../integrations/move-integration.ts'
import { factsOf, openShop } from '../shop/open-remote.ts'
import type { ShopReads, SyncRecord } from '../sync/kind.ts'
import { kinds } from '../sync/kinds.ts'
import type { Quarantined } from '../sync/quarantine/quarantine-store.ts'
import { type ReadRecords, readRecords } from '../sync/reading/read-records.ts'
import type { Subject } from './inbound-message.ts'
import { confirmRecords, contentOf, ordersPlacedBefore, type Recipient } from './inbound-work-store.ts'

/** What is known of a record now. */
export interface Settled extends Pick<Subject, 'kind' | 'key' | 'messages'> {
  /** Null if it was deleted in the shop, or is quarantined. */
  record: SyncRecord | null
  quarantined: Quarantined | null
  /** Older than what the platform shows: that it was not given says nothing about it. */
  hidden?: boolean
  /** Whether we held it before; left out where nobody has looked. */
  isKnown?: boolean
}

export interface Gathered {
  settled: Settled[]
  /** Of kinds that cannot be asked for one by one. */
  unasked: Subject[]
  /** Could not be asked for now, with the reason. */
  failed: { subject: Subject; error: unknown }[]
  /** Nobody got round to asking for them. */
  unreached: Subject[]
}

/** How the shop is asked: before whom, and the seconds after which no further question is begun. */
interface Pace {
  lane: Lane
  askingSeconds: number
  /** For the shop's limits, where that is less than others of the lane wait. */
  maxWaitSeconds?: number
}

const ofOrders: Pace = { lane: 'orders', askingSeconds: 20 }
/** Whatever else is asked for, orders may come meanwhile, and wait until it is done. Each of our own changes of stock comes back as such a message. */
const ofGoods: Pace = { lane: 'catalogue', askingSeconds: 2, maxWaitSeconds: 2 }

/** Seconds that the shop may take for an answer. */
const maxSecondsPerAnswer = 10
const askedAtOnce = 4

/** The state of each record: as the messages brought it, where that can be trusted, else as the shop reports it. */
export async function gatherRecords(
  context: Context,
  { connector, recipient, signal }: { connector: Connector; recipient: Recipient; signal: AbortSignal },
  subjects: readonly Subject[],
): Promise<Gathered> {
  const gathered: Gathered = { settled: [], unasked: [], failed: [], unreached: [] }
  const { known, asked } = await trustMessages(context, connector, recipient, subjects)
  gathered.settled.push(...known)
  const one = asked.filter(({ kind }) => {
    const reads = kinds[kind].reads(connector)
    return reads?.get !== undefined || reads?.levelsOf !== undefined
  })
  gathered.unasked.push(...asked.filter((subject) => !one.includes(subject)))
  if (one.length === 0) return gathered
  const pace = one.some(({ kind }) => kind === 'orders') ? ofOrders : ofGoods
  const until = performance.now() + pace.askingSeconds * 1000
  let away: unknown
  const shop = await open(context, recipient, pace).catch((error: unknown) => {
    away = error
    return null
  })
  const queue = [...one]
  const work = async () => {
    for (let subject = queue.shift(); subject; subject = queue.shift()) {
      if (!shop || away !== undefined) {
        gathered.failed.push({ subject, error: away })
        continue
      }
      if (signal.aborted || performance.now() > until) {
        gathered.unreached.push(subject)
        continue
      }
      try {
        const known = await ask(connector, shop, subject)
        // An article without levels may be gone: only a look at all of them says so.
        if (known.length === 0) gathered.unasked.push(subject)
        gathered.settled.push(...known)
      } catch (error) {
        // A shop that is away, or does not let us in, is not asked for the others either.
        if (isAway(error)) away = error
        gathered.failed.push({ subject, error })
      }
    }
  }
  await Promise.all(Array.from({ length: askedAtOnce }, work))
  if (isCredentialsRefusal(away)) {
    const why = away instanceof Fault ? because(away) : ''
    await reportFailure(context, recipient.id, { reason: 'credentials_rejected', why })
  }
  const days = shop && connector.orders?.horizon?.(shop)
  if (days != null) await markHidden(context, recipient, gathered.settled, days)
  return gathered
}

async function markHidden(
  { db }: Pick<Context, 'db'>,
  { id }: Recipient,
  settled: readonly Settled[],
  days: number,
): Promise<void> {
  const missing = settled.filter(({ kind, record, quarantined: bad }) => kind === 'orders' && !record && !bad)
  const keys = missing.map(({ key }) => key)
  const old = await ordersPlacedBefore(db, id, { keys, days })
  for (const one of missing) one.hidden = old.has(one.key)
}

export const isAway = (error: unknown): boolean =>
  isCredentialsRefusal(error) ||
  (error instanceof Fault && (error.kind === 'upstream_retryable' || error.kind === 'unavailable'))

async function trustMessages(
  context: Pick<Context, 'db'>,
  connector: Connector,
  recipient: Recipient,
  subjects: readonly Subject[],
): Promise<{ known: Settled[]; asked: Subject[] }> {
  const facts = factsOf(connector, recipient)
  const incoming = new Map<Subject, SyncRecord>()
  for (const subject of subjects) {
    const reads = kinds[subject.kind].reads(connector)
    const record = subject.thin || !reads ? null : newestIn(await readRecords(reads, subject.raws, facts), subject)
    if (record) incoming.set(subject, record)
  }
  const asked = subjects.filter((subject) => !incoming.has(subject))
  const heldBefore = new Set<Subject>()
  for (const kind of ['orders', 'products'] as const) {
    const ofKind = [...incoming].filter(([subject]) => subject.kind === kind)
    const records = ofKind.map(([{ key }, { row }]) => ({ key, version: versionOf(row), payload: payloadOf(row) }))
    const { doubtful, known } = await confirmRecords(context.db, recipient.id, kind, records)
    for (const [subject] of ofKind) {
      if (known.has(subject.key)) heldBefore.add(subject)
      if (!doubtful.has(subject.key)) continue
      incoming.delete(subject)
      asked.push(subject)
    }
  }
  const known = [...incoming].map(([subject, record]) => {
    const { kind, key, messages } = subject
    return { kind, key, messages, record, quarantined: null, isKnown: heldBefore.has(subject) }
  })
  return { known, asked }
}

/**
 * Null where one of them is not understood, or is about something else, or where two of the newest version differ, as versions by the
 * second do: then the shop is asked.
 */
function newestIn(
  { records, quarantined }: ReadRecords,
  { kind, key }: Pick<Subject, 'kind' | 'key'>,
): SyncRecord | null {
  if (quarantined.length > 0 || (kind !== 'inventory' && records.some((record) => record.key !== key))) return null
  const newest = records.reduce<SyncRecord | null>(
    (newest, record) => (newest && isOlderVersion(versionOf(record.row), versionOf(newest.row)) ? newest : record),
    null,
  )
  const version = newest && versionOf(newest.row)
  if (!newest || version === null) return newest
  const said = payloadOf(newest.row)
  // Most that come twice are the same to the letter.
  const differs = ({ row }: SyncRecord) =>
    versionOf(row) === version && payloadOf(row) !== said && contentOf(payloadOf(row)) !== contentOf(said)
  return records.some(differs) ? null : newest
}

async function open(context: Context, { id }: Recipient, pace: Pace): Promise<Shop> {
  const { askingSeconds: _, ...waits } = pace
  const { shop } = await openShop(context, await readIntegration(context.db, id), waits)
  return {
    ...shop,
    remote: {
      request: (asked) =>
        shop.remote.request({
          ...asked,
          timeoutSeconds: Math.min(asked.timeoutSeconds ?? maxSecondsPerAnswer, maxSecondsPerAnswer),
        }),
    },
  }
}

async function ask(connector: Connector, shop: Shop, subject: Subject): Promise<Settled[]> {
  const { kind, key, messages } = subject
  const reads: ShopReads | undefined = kinds[kind].reads(connector)
  if (reads?.levelsOf) return await askLevels(reads, reads.levelsOf, shop, subject)
  const raw = (await reads?.get?.(shop, key)) ?? null
  if (raw === null || !reads) return [{ kind, key, messages, record: null, quarantined: null }]
  const { records, quarantined } = await readRecords(reads, [raw], shop)
  const [bad] = quarantined
  // Under the id that it was asked for, so that it is taken back when it can be read after all.
  return [{ kind, key, messages, record: records[0] ?? null, quarantined: bad ? { ...bad, key } : null }]
}

async function askLevels(
  reads: ShopReads,
  levelsOf: NonNullable<ShopReads['levelsOf']>,
  shop: Shop,
  { kind, key, messages }: Subject,
): Promise<Settled[]> {
  const { records, quarantined } = await readRecords(reads, await levelsOf(shop, key), shop)
  return [
    ...records.map((record) => ({ kind, key: record.key, messages, record, quarantined: null })),
    ...quarantined.map((bad) => ({ kind, key: bad.key, messages, record: null, quarantined: bad })),
  ]
}

const fieldIn = (row: unknown, name: string): unknown => (Object(row) as Record<string, unknown>)[name]

export function versionOf(row: unknown): string | null {
  const version = fieldIn(row, 'remote_version')
  return typeof version === 'string' ? version : null
}

const payloadOf = (row: unknown): unknown => fieldIn(row, 'remote_payload') ?? null
