import { sql } from 'kysely'
import { hoursAfter } from '../../lib/timestamp.ts'
import { readEverywhere } from '../../runtime/db/citus/nodes.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { databaseTime } from '../../runtime/db/database-time.ts'
import { lockCounted } from '../../runtime/db/lists/row-counters.ts'
import { keyForSealing } from '../../runtime/db/vault/vault.ts'
import { sayNews } from '../news-store.ts'
import { leaveOvertaken } from './leave-overtaken-store.ts'
import type { Operation, OperationKind, OperationStatus } from './operation.ts'
import {
  type Answer,
  type SealedInput,
  type SealedResult,
  sealInput,
  sealResult,
  unsealInputs,
  unsealResults,
} from './sealed-operation.ts'

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
  /** Nobody wants it at this moment. */
  onlyFindOut?: boolean
}

export interface HeldOperation
  extends Pick<Operation, 'id' | 'kind' | 'key' | 'generation' | 'status' | 'input' | 'result' | 'receipt'> {
  holder: string
  /** What the shop answered cannot be opened any longer. */
  lostAnswer: boolean
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
  const named = { integration_id: integrationId, kind, key }
  const sealed = sealInput(await keyForSealing(db, integrationId), named, input)
  // Two statements, since a distributed table takes no times in the conflict clause of one.
  const { rows } = await sql<Pick<HeldOperation, 'id' | 'generation'>>`
    insert into operations (integration_id, kind, key, status, input, private_input, attempts, holder, lease_until)
    values (${integrationId}, ${kind}, ${key}, 'planned', ${sealed.input}, ${sealed.private_input}, 1, ${holder},
      now() + make_interval(secs => ${leaseSeconds}))
    on conflict (integration_id, kind, key) do nothing
    returning id, generation`.execute(db)
  const [made] = rows
  if (made)
    return {
      ...made,
      kind,
      key,
      status: 'planned',
      input,
      result: null,
      receipt: null,
      sentSecondsAgo: null,
      lostAnswer: false,
      holder,
    }
  if (!planned.onlyFindOut) await leaveOvertaken(db, integrationId, planned)
  return await takeUp(db, integrationId, { ...planned, sealed }, holder)
}

const done = sql`status in ('confirmed', 'refused')`

async function takeUp(
  db: Db,
  integrationId: number,
  { kind, key, input, once, sealed }: Planned & { sealed: ReturnType<typeof sealInput> },
  holder: string,
): Promise<HeldOperation | null> {
  const at = await databaseTime(db)
  const anew = sql`(${done} and not (status = 'confirmed' and undone_generation is distinct from generation and (
    ${once}::boolean or (settled_at is null and updated_at > ${hoursAfter(at, -waitingHours)}::timestamptz))))`
  const isSent = sql`status in ('sent', 'unknown')`
  const { rows } = await sql<Omit<HeldOperation, 'holder' | 'lostAnswer'> & SealedInput & SealedResult>`
    update operations set
      holder = ${holder}, lease_until = now() + make_interval(secs => ${leaseSeconds}),
      error = null, updated_at = now(),
      generation = case when ${anew} then generation + 1 else generation end,
      attempts = case when ${anew} then 1 else attempts + 1 end,
      status = case when ${anew} then 'planned' else status end,
      result = case when ${anew} then null else result end,
      private_result = case when ${anew} then null else private_result end,
      receipt = case when ${anew} then null else receipt end,
      sent_at = case when ${anew} then null else sent_at end,
      settled_at = case when ${anew} or not ${done} then null else settled_at end,
      input = case when ${isSent} then input else ${sealed.input}::jsonb end,
      private_input = case when ${isSent} then private_input else ${sealed.private_input} end
    where integration_id = ${integrationId} and kind = ${kind} and key = ${key}
      and (lease_until is null or lease_until < now())
    returning integration_id, id, kind, key, generation, status, input, private_input, result, error, private_result,
      receipt,
      extract(epoch from ${at}::timestamptz - sent_at)::float8 as "sentSecondsAgo"`.execute(db)
  const [row] = await unsealInputs(db, await unsealResults(db, rows))
  if (!row) return null
  // Under the same key it is the same change: what was sent can be asked after by what is wanted now.
  return { ...row, input: row.lost ? input : row.input, holder }
}

type Held = Pick<HeldOperation, 'id' | 'kind' | 'key' | 'holder'>

/** From here on nobody can be sure that it did not happen. False: somebody else has taken over. */
export async function markSent(
  db: Db,
  integrationId: number,
  { id, kind, key, holder }: Held,
  input: unknown,
): Promise<boolean> {
  const named = { integration_id: integrationId, kind, key }
  const sealed = sealInput(await keyForSealing(db, integrationId), named, input)
  const { numUpdatedRows } = await db
    .updateTable('operations')
    .set({ status: 'sent', ...sealed, sent_at: sql<string>`now()`, updated_at: sql<string>`now()` })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('holder', '=', holder)
    .executeTakeFirst()
  sayNews(db, 'steps', integrationId)
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

/** The operation is free again, and what it was. */
export async function letGo(db: Db, integrationId: number, { id, holder }: Held): Promise<void> {
  await db
    .updateTable('operations')
    .set({ holder: null, lease_until: null })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute()
}

/** What became of the attempt; the operation is free again. Whoever was overtaken changes nothing. */
export async function endAttempt(
  db: Db,
  integrationId: number,
  { id, kind, key, holder }: Held,
  end: { status: OperationStatus } & Answer,
): Promise<void> {
  const named = { integration_id: integrationId, kind, key }
  await db
    .updateTable('operations')
    .set({
      status: end.status,
      ...sealResult(await keyForSealing(db, integrationId), named, end),
      holder: null,
      lease_until: null,
      updated_at: sql<string>`now()`,
      ...(end.status === 'refused' && { settled_at: sql<string>`now()` }),
    })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute()
  sayNews(db, 'steps', integrationId)
}

/** Our copy shows it now: part of the transaction that makes it so. False where it has shown it before. */
export async function settleOperation(
  db: Db,
  integrationId: number,
  { id, generation }: Pick<HeldOperation, 'id' | 'generation'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('operations')
    .set({ settled_at: sql<string>`now()` })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('generation', '=', generation)
    .where('status', '=', 'confirmed')
    .where('settled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
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
  const rows = await db
    .selectFrom('operations')
    .select(['integration_id', 'kind', 'key', 'input', 'private_input'])
    .where('integration_id', '=', integrationId)
    .where('kind', '=', kind)
    .where('settled_at', 'is', null)
    .where('status', '<>', 'refused')
    .where('updated_at', '>', sql<string>`now() - make_interval(hours => ${waitingHours})`)
    .orderBy('id')
    .execute()
  return await unsealInputs(db, rows)
}

/**
 * Whether another change of that kind has been sent for the order, and nobody knows yet what came of it, or whoever has read
 * the order did so before. The integration is held until the transaction ends, so that of two who ask one sees the other.
 */
export async function isOtherSent(
  trx: Db,
  integrationId: number,
  { kind, key, orderRemoteId, readAt }: Pick<Operation, 'kind' | 'key'> & { orderRemoteId: string; readAt: string },
): Promise<boolean> {
  await lockCounted(trx, integrationId)
  const { rows } = await sql<{ id: number }>`
    select id from operations
    where integration_id = ${integrationId} and input ->> 'order_remote_id' = ${orderRemoteId}
      and kind = ${kind} and key <> ${key}
      and ((status in ('sent', 'unknown') and settled_at is null)
        or (status = 'confirmed' and sent_at > ${readAt}::timestamptz))
    limit 1`.execute(trx)
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
export async function unconfirmedOperations(db: Db, limit: number): Promise<UnconfirmedOperation[]> {
  const rows = await readEverywhere<Omit<UnconfirmedOperation, 'input'>>(db, {
    table: 'operations',
    rows: (table) => `select integration_id, id, kind, key, receipt is not null as traceable,
      created_at < now() - interval '1 day' as overdue, updated_at
    from ${table}
    where status in ('sent', 'unknown') and settled_at is null and (lease_until is null or lease_until < now())
      and updated_at < now() - least(interval '1 hour', interval '30 seconds' * power(2, least(attempts, 10)))
    order by updated_at limit ${limit}`,
    tail: `order by updated_at limit ${limit}`,
  })
  const inputs = new Map<number, unknown>()
  for (const [integrationId, own] of Map.groupBy(rows, ({ integration_id: id }) => id)) {
    const sealed = await db
      .selectFrom('operations')
      .select(['integration_id', 'id', 'kind', 'key', 'input', 'private_input'])
      .where('integration_id', '=', integrationId)
      .where('id', '=', sql<number>`any(${own.map(({ id }) => id)}::bigint[])`)
      .execute()
    for (const { id, input, lost } of await unsealInputs(db, sealed)) if (!lost) inputs.set(id, input)
  }
  // Of what nobody can say what it was, nobody can ask what became of it.
  return rows.map((row) => ({ ...row, input: inputs.get(row.id), overdue: row.overdue || !inputs.has(row.id) }))
}

/** So that one that cannot be looked at does not stand in the way of the others. */
export async function postponeOperation(db: Db, integrationId: number, id: number): Promise<void> {
  await db
    .updateTable('operations')
    .set({ updated_at: sql<string>`now()`, attempts: sql<number>`attempts + 1` })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .execute()
}

const deletedAtOnce = 2000

/** They hold what customers wrote, and nobody needs them any longer. False when there is nothing left to delete. */
export async function deleteOldOperations(db: Db): Promise<boolean> {
  const { rows } = await sql<{ integration_id: number; ids: number[] }>`
    select integration_id, array_agg(id) as ids from (
      select integration_id, id from operations where updated_at < now() - interval '30 days' limit ${deletedAtOnce}) old
    group by integration_id`.execute(db)
  let deleted = 0
  for (const { integration_id: integrationId, ids } of rows) {
    await sql`delete from operations where integration_id = ${integrationId} and id = any(${ids}::bigint[])`.execute(db)
    deleted += ids.length
  }
  return deleted === deletedAtOnce
}
