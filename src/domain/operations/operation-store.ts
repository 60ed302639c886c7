import { sql } from 'kysely'
import { hoursAfter } from '../../lib/timestamp.ts'
import { readEverywhere } from '../../runtime/db/citus/nodes.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { databaseTime } from '../../runtime/db/database-time.ts'
import type { Operation, OperationKind, OperationStatus } from './operation.ts'

/** Longer than any attempt takes, waiting for the budget included. */
const leaseSeconds = 120
/** An answer that nobody has taken: so long the same request is taken for the one that never got it. */
const waitingHours = 24

export interface Planned {
  kind: OperationKind
  key: string
  input: unknown
  /** Done once means done: the result stays the answer. */
  once: boolean
}

export interface HeldOperation
  extends Pick<Operation, 'id' | 'kind' | 'key' | 'generation' | 'status' | 'input' | 'result' | 'receipt'> {
  holder: string
  /** Since it was last sent. */
  sentSecondsAgo: number | null
}

/** Writes the change down, or takes up the one that is there; null while somebody else is at it. */
export async function holdOperation(
  db: Db,
  integrationId: number,
  planned: Planned,
  holder: string,
): Promise<HeldOperation | null> {
  const { kind, key, input } = planned
  // Two statements, since a distributed table takes no times in the conflict clause of one.
  const { rows } = await sql<Pick<HeldOperation, 'id' | 'generation'>>`
    insert into operations (integration_id, kind, key, status, input, attempts, holder, lease_until)
    values (${integrationId}, ${kind}, ${key}, 'planned', ${JSON.stringify(input)}, 1, ${holder},
      now() + make_interval(secs => ${leaseSeconds}))
    on conflict (integration_id, kind, key) do nothing
    returning id, generation`.execute(db)
  const [made] = rows
  if (made)
    return { ...made, kind, key, status: 'planned', input, result: null, receipt: null, sentSecondsAgo: null, holder }
  return await takeUp(db, integrationId, planned, holder)
}

const done = sql`status in ('confirmed', 'refused')`

async function takeUp(
  db: Db,
  integrationId: number,
  { kind, key, input, once }: Planned,
  holder: string,
): Promise<HeldOperation | null> {
  const at = await databaseTime(db)
  const anew = sql`(${done} and not (status = 'confirmed' and (
    ${once}::boolean or (settled_at is null and updated_at > ${hoursAfter(at, -waitingHours)}::timestamptz))))`
  const { rows } = await sql<Omit<HeldOperation, 'holder'>>`
    update operations set
      holder = ${holder}, lease_until = now() + make_interval(secs => ${leaseSeconds}),
      error = null, updated_at = now(),
      generation = case when ${anew} then generation + 1 else generation end,
      attempts = case when ${anew} then 1 else attempts + 1 end,
      status = case when ${anew} then 'planned' else status end,
      result = case when ${anew} then null else result end,
      receipt = case when ${anew} then null else receipt end,
      sent_at = case when ${anew} then null else sent_at end,
      settled_at = case when ${anew} or not ${done} then null else settled_at end,
      input = case when status in ('sent', 'unknown') then input else ${JSON.stringify(input)}::jsonb end
    where integration_id = ${integrationId} and kind = ${kind} and key = ${key}
      and (lease_until is null or lease_until < now())
    returning id, kind, key, generation, status, input, result, receipt,
      extract(epoch from ${at}::timestamptz - sent_at)::float8 as "sentSecondsAgo"`.execute(db)
  const [row] = rows
  return row ? { ...row, holder } : null
}

type Held = Pick<HeldOperation, 'id' | 'holder'>

/** From here on nobody can be sure that it did not happen. False: somebody else has taken over. */
export async function markSent(db: Db, integrationId: number, { id, holder }: Held, input: unknown): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('operations')
    .set({ status: 'sent', input: JSON.stringify(input), sent_at: sql<string>`now()`, updated_at: sql<string>`now()` })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** What the shop gave to ask after the change with. Whoever was overtaken keeps nothing. */
export async function keepReceipt(db: Db, integrationId: number, { id, holder }: Held, receipt: string): Promise<void> {
  await db
    .updateTable('operations')
    .set({ receipt })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute()
}

/** A shop may say what the database cannot hold. It has made the change all the same, so that is left out. */
const storable = (value: unknown): string =>
  JSON.stringify(value).replace(/\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g, (whole, escaped: string) => {
    if (escaped === 'u0000') return ''
    return escaped.length > 1 ? '\ufffd' : whole
  })

/** What became of the attempt; the operation is free again. Whoever was overtaken changes nothing. */
export async function endAttempt(
  db: Db,
  integrationId: number,
  { id, holder }: Held,
  end: { status: OperationStatus; result?: unknown; error?: string },
): Promise<void> {
  await db
    .updateTable('operations')
    .set({
      status: end.status,
      result: end.result === undefined ? null : storable(end.result),
      error: end.error?.replaceAll('\0', '').toWellFormed() ?? null,
      holder: null,
      lease_until: null,
      updated_at: sql<string>`now()`,
      ...(end.status === 'refused' && { settled_at: sql<string>`now()` }),
    })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute()
}

/** Our copy shows it now: part of the transaction that makes it so. */
export async function settleOperation(
  db: Db,
  integrationId: number,
  { id, generation }: Pick<HeldOperation, 'id' | 'generation'>,
): Promise<void> {
  await db
    .updateTable('operations')
    .set({ settled_at: sql<string>`now()` })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('generation', '=', generation)
    .where('status', '=', 'confirmed')
    .where('settled_at', 'is', null)
    .execute()
}

/** Nobody will look at it again by themselves. It stays what it is, for whoever asks for the same. */
export async function giveUpOperation(db: Db, integrationId: number, id: number): Promise<void> {
  await db
    .updateTable('operations')
    .set({ settled_at: sql<string>`now()` })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('status', 'in', ['sent', 'unknown'])
    .execute()
}

/** Those of a kind that somebody began and whose end our copy does not show. */
export async function openOperations(
  db: Db,
  integrationId: number,
  kind: OperationKind,
): Promise<Pick<Operation, 'key' | 'input'>[]> {
  return await db
    .selectFrom('operations')
    .select(['key', 'input'])
    .where('integration_id', '=', integrationId)
    .where('kind', '=', kind)
    .where('settled_at', 'is', null)
    .where('status', '<>', 'refused')
    .where('updated_at', '>', sql<string>`now() - make_interval(hours => ${waitingHours})`)
    .orderBy('id')
    .execute()
}

/** Whether another change of that kind has been sent for the order, and nobody knows yet what came of it. */
export async function isOtherSent(
  db: Db,
  integrationId: number,
  { kind, key, orderRemoteId }: { kind: OperationKind; key: string; orderRemoteId: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select id from operations
    where integration_id = ${integrationId} and input ->> 'order_remote_id' = ${orderRemoteId}
      and kind = ${kind} and key <> ${key} and status in ('sent', 'unknown') and settled_at is null
    limit 1`.execute(db)
  return rows.length > 0
}

export interface UnconfirmedOperation {
  integration_id: number
  id: number
  kind: string
  key: string
  input: unknown
  /** The shop can be asked after it. */
  traceable: boolean
  /** Too old to go on asking. */
  overdue: boolean
}

/**
 * Of all integrations, the longest untouched of each node first; the more often it was tried in vain, the longer it
 * rests.
 */
export const unconfirmedOperations = (db: Db, limit: number): Promise<UnconfirmedOperation[]> =>
  readEverywhere(db, {
    table: 'operations',
    rows: (table) => `select integration_id, id, kind, key, input, receipt is not null as traceable,
      created_at < now() - interval '1 day' as overdue, updated_at
    from ${table}
    where status in ('sent', 'unknown') and settled_at is null and (lease_until is null or lease_until < now())
      and updated_at < now() - least(interval '1 hour', interval '30 seconds' * power(2, least(attempts, 10)))
    order by updated_at limit ${limit}`,
    tail: `order by updated_at limit ${limit}`,
  })

/** So that one that cannot be looked at does not stand in the way of the others. */
export async function postponeOperation(db: Db, integrationId: number, id: number): Promise<void> {
  await db
    .updateTable('operations')
    .set({ updated_at: sql<string>`now()`, attempts: sql<number>`attempts + 1` })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .execute()
}

/** They hold what customers wrote, and nobody needs them any longer. */
export async function deleteOldOperations(db: Db): Promise<void> {
  await sql`delete from operations where updated_at < now() - interval '30 days'`.execute(db)
}
