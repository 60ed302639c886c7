import { clean } from '../../lib/clean-text.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { databaseTime } from '../../runtime/db/database-time.ts'
import type { Context } from '../context.ts'
import { startFlowsFor } from '../flows/start-flow.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import type { Stored } from '../sync/kind.ts'
import { kinds } from '../sync/kinds.ts'
import { quarantine, releaseQuarantined } from '../sync/quarantine/quarantine-store.ts'
import { recordsSetAside } from '../sync/quarantine/records-set-aside.ts'
import { notStored, setAside } from '../sync/quarantine/why-set-aside.ts'
import { textOf } from '../sync/reading/read-records.ts'
import { isRefusal, withoutExpired } from '../sync/store-batch.ts'
import { earlier, type SyncKind } from '../sync/sync.ts'
import type { Message } from './inbound-message.ts'
import { type Settled, versionOf } from './inbound-records.ts'
import {
  assertHeld,
  type Finished,
  finishDeliveries,
  type Outcome,
  overtaken,
  type Recipient,
  releaseWork,
} from './inbound-work-store.ts'

export interface Held {
  integrationId: number
  holder: string
}

const dayMs = 86_400_000

/** Records are quarantined by runs; messages are none. */
const noRun = 0

export interface Settling {
  held: Held
  recipient: Recipient
  /** Messages that are not done with, although these records of theirs are. */
  open: ReadonlySet<Message>
  /** Nothing else is to be done with what is held: it is given back together with the rest. */
  isLast: boolean
}

/**
 * Rows, history, the quarantine, flows that wait for it and the end of the messages: one transaction. The rows are
 * guarded by their versions, so that it may happen beside a sync. Records that the database refuses are found by halving
 * and quarantined.
 */
export async function settleRecords(context: Context, settling: Settling, settled: readonly Settled[]): Promise<void> {
  if (settled.length === 0) return
  try {
    await write(context, settling, settled)
  } catch (error) {
    if (!isRefusal(error)) throw error
    const [only] = settled
    if (only && settled.length === 1) {
      const bad = setAside(clean(only.key), notStored(error), textOf(only.record?.row))
      await write(context, settling, [{ ...only, record: null, quarantined: bad }])
      return
    }
    const middle = settled.length >> 1
    const [left, right] = [settled.slice(0, middle), settled.slice(middle)]
    // A message about records of both halves is over with the second.
    const later = new Set(right.flatMap(({ messages }) => messages))
    await settleRecords(context, { ...settling, open: new Set([...settling.open, ...later]), isLast: false }, left)
    await settleRecords(context, settling, right)
  }
}

async function write(
  context: Context,
  { held: { integrationId, holder }, recipient, open, isLast }: Settling,
  settled: readonly Settled[],
): Promise<void> {
  const groups = await Promise.all(
    (['orders', 'products', 'inventory'] as const).flatMap(async (name) => {
      const ofKind = settled.filter(({ kind }) => kind === name)
      const brought = ofKind.filter(({ record, isKnown }) => record && isKnown !== true)
      const allNew = brought.every(({ isKnown }) => isKnown === false)
      const keys = brought.map(({ key }) => key)
      const ids = await kinds[name].takeIds(context.db, integrationId, { keys, allNew })
      return { name, ofKind, ids }
    }),
  )
  const keptDays = recipient.keep_orders_days
  await context.transaction(async (trx) => {
    if (!isLast) await assertHeld(trx, integrationId, holder)
    else if (!(await releaseWork(trx, integrationId, holder))) throw overtaken
    const outcomes = new Map<Message, Outcome>()
    for (const { name, ofKind, ids } of groups) {
      if (ofKind.length > 0) await writeKind(trx, integrationId, { name, ofKind, ids, keptDays, outcomes })
    }
    const messages = [...new Set(settled.flatMap((one) => one.messages))].filter((message) => !open.has(message))
    await finishDeliveries(
      trx,
      integrationId,
      messages.map((message): Finished => ({ id: message.delivery.id, outcome: outcomes.get(message) ?? 'unchanged' })),
    )
    if (!recipient.has_flows) return
    for (const topic of new Set(messages.map(({ reading }) => reading.topic))) {
      if (topic !== null) await startFlowsFor(context, trx, integrationId, topic)
    }
  })
}

async function writeKind(
  trx: Db,
  integrationId: number,
  input: {
    name: SyncKind
    ofKind: readonly Settled[]
    ids: readonly number[]
    /** Orders that were placed longer ago are not stored. */
    keptDays: number | null
    outcomes: Map<Message, Outcome>
  },
): Promise<void> {
  const { name, ofKind, ids, keptDays, outcomes } = input
  const kind = kinds[name]
  const incoming = ofKind.flatMap(({ record }) => (record ? [record] : []))
  const keptFrom = keptDays === null ? null : earlier(await databaseTime(trx), keptDays * dayMs)
  const { records, expired } = withoutExpired(kind, { keptFrom }, incoming)
  const gone = ofKind.filter(({ record, quarantined: bad, hidden }) => !record && !bad && !hidden).map(({ key }) => key)
  const quarantined = ofKind.flatMap(({ quarantined: bad }) => (bad ? [bad] : []))
  const keys = records.map(({ key }) => key)
  let before: Stored['versions']
  if (records.length > 0) {
    const rows = records.map(({ row }) => row)
    const stored = await kind.store(trx, integrationId, { ids, rows, runId: null, source: 'webhook' })
    before = stored.versions
    await releaseQuarantined(trx, integrationId, { kind: name, keys })
  }
  await kind.remove(trx, integrationId, gone)
  const kept = await quarantine(trx, { integrationId, kind: name, runId: noRun }, quarantined)
  if (kept.length > 0) {
    await appendLog(trx, integrationId, {
      level: 'warning',
      event: 'webhooks.set_aside',
      words: logWords('webhooks.set_aside', { records: kept.length, kind: logWords(`kind_${name}`) }),
      ...recordsSetAside(kept),
    })
  }
  for (const one of ofKind) {
    const outcome = expired.includes(one.key) ? 'unchanged' : outcomeOf(one, before)
    for (const message of one.messages) outcomes.set(message, more(outcomes.get(message), outcome))
  }
}

function outcomeOf({ record, quarantined: bad, hidden }: Settled, before: Stored['versions']): Outcome {
  if (bad) return 'set_aside'
  if (hidden) return 'unchanged'
  if (!record) return 'removed'
  const held = before?.get(record.key) ?? null
  const version = versionOf(record.row)
  return held !== null && version !== null && version <= held ? 'unchanged' : 'stored'
}

const weights: readonly Outcome[] = ['unchanged', 'stored', 'removed', 'set_aside']
const more = (one: Outcome | undefined, other: Outcome): Outcome =>
  one !== undefined && weights.indexOf(one) > weights.indexOf(other) ? one : other
