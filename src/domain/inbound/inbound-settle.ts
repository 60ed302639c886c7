import { clean, reasonOf } from '../../lib/clean-text.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { databaseTime } from '../../runtime/db/database-time.ts'
import type { Context } from '../context.ts'
import { startFlowsFor } from '../flows/start-flow.ts'
import { appendLog } from '../logs/log-store.ts'
import { keptOrdersDays } from '../retention/retention-store.ts'
import { kinds } from '../sync/kinds.ts'
import { quarantine, releaseQuarantined } from '../sync/quarantine/quarantine-store.ts'
import { recordsSetAside } from '../sync/quarantine/records-set-aside.ts'
import { textOf } from '../sync/reading/read-records.ts'
import { isRefusal, withoutExpired } from '../sync/store-batch.ts'
import { earlier, type SyncKind } from '../sync/sync.ts'
import { heldVersions } from '../sync/vanished-store.ts'
import type { Message } from './inbound-message.ts'
import { type Settled, versionOf } from './inbound-records.ts'
import { assertHeld, type Finished, finishDeliveries, type Outcome } from './inbound-work-store.ts'

export interface Held {
  integrationId: number
  holder: string
}

const dayMs = 86_400_000

/** Records are quarantined by runs; messages are none. */
const noRun = 0

/**
 * Rows, history, the quarantine, flows that wait for it and the end of the messages: one transaction. The rows are
 * guarded by their versions, so that it may happen beside a sync. Records that the database refuses are found by halving
 * and quarantined. `open`: messages that are not done with, although these records of theirs are.
 */
export async function settleRecords(
  context: Context,
  held: Held,
  settled: readonly Settled[],
  open: ReadonlySet<Message>,
): Promise<void> {
  if (settled.length === 0) return
  try {
    await write(context, held, settled, open)
  } catch (error) {
    if (!isRefusal(error)) throw error
    const [only] = settled
    if (only && settled.length === 1) {
      const bad = { key: clean(only.key), reason: reasonOf(error), payload: textOf(only.record?.row) }
      await write(context, held, [{ ...only, record: null, quarantined: bad }], open)
      return
    }
    const middle = settled.length >> 1
    const [left, right] = [settled.slice(0, middle), settled.slice(middle)]
    // A message about records of both halves is over with the second.
    const later = new Set(right.flatMap(({ messages }) => messages))
    await settleRecords(context, held, left, new Set([...open, ...later]))
    await settleRecords(context, held, right, open)
  }
}

async function write(
  context: Context,
  { integrationId, holder }: Held,
  settled: readonly Settled[],
  open: ReadonlySet<Message>,
): Promise<void> {
  const groups = await Promise.all(
    (['orders', 'products', 'inventory'] as const).flatMap(async (name) => {
      const ofKind = settled.filter(({ kind }) => kind === name)
      const keys = ofKind.flatMap(({ record }) => (record ? [record.key] : []))
      const ids = await kinds[name].takeIds(context.db, integrationId, { keys, allNew: false })
      return { name, ofKind, ids }
    }),
  )
  const keptDays = await keptOrdersDays(context.db, integrationId)
  await context.transaction(async (trx) => {
    await assertHeld(trx, integrationId, holder)
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
  const before =
    name === 'inventory' ? new Map<string, null>() : await heldVersions(trx, integrationId, { kind: name, keys })
  if (records.length > 0) {
    const rows = records.map(({ row }) => row)
    await kind.store(trx, integrationId, { ids, rows, runId: null, source: 'webhook' })
    await releaseQuarantined(trx, integrationId, { kind: name, keys })
  }
  await kind.remove(trx, integrationId, gone)
  const kept = await quarantine(trx, { integrationId, kind: name, runId: noRun }, quarantined)
  if (kept.length > 0) {
    await appendLog(trx, integrationId, {
      level: 'warning',
      event: 'webhooks.set_aside',
      message: `${kept.length} of the ${name} sent by the shop failed validation and were quarantined.`,
      ...recordsSetAside(kept),
    })
  }
  for (const one of ofKind) {
    const outcome = expired.includes(one.key) ? 'unchanged' : outcomeOf(one, before)
    for (const message of one.messages) outcomes.set(message, more(outcomes.get(message), outcome))
  }
}

function outcomeOf({ record, quarantined: bad, hidden }: Settled, before: ReadonlyMap<string, string | null>): Outcome {
  if (bad) return 'set_aside'
  if (hidden) return 'unchanged'
  if (!record) return 'removed'
  const held = before.get(record.key) ?? null
  const version = versionOf(record.row)
  return held !== null && version !== null && version <= held ? 'unchanged' : 'stored'
}

const weights: readonly Outcome[] = ['unchanged', 'stored', 'removed', 'set_aside']
const more = (one: Outcome | undefined, other: Outcome): Outcome =>
  one !== undefined && weights.indexOf(one) > weights.indexOf(other) ? one : other
