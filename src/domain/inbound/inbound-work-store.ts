import { sql } from 'kysely'
import { cut } from '../../lib/clean-text.ts'
import { canonicalJson } from '../../lib/sealing/canonical-json.ts'
import { reasonOrNull, textOf, type Wording } from '../../lib/words/wording.ts'
import { readEverywhere } from '../../runtime/db/citus/nodes.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { databaseTime } from '../../runtime/db/database-time.ts'
import { namedRows } from '../../runtime/db/rows/named-rows.ts'
import { keyForSealing } from '../../runtime/db/vault/vault.ts'
import type { Integration } from '../integrations/integration.ts'
import { sayNews } from '../news-store.ts'
import { unsealRemotes } from '../orders/privacy/private-part.ts'
import { type Content, sealError, sealReason, unsealContents } from './sealing/sealed-delivery.ts'

/** A message that waits to be processed. */
export interface WaitingDelivery extends Content {
  id: number
  topic: string | null
  verified: boolean
  /** What it says cannot be opened any longer. */
  lost: boolean
  attempts: number
  received_at: string
  /** Seconds since it came. */
  age: number
}

/** Seconds that one may hold the messages of an integration without a sign of life. Whoever dies over them keeps others waiting for as long. */
export const leaseSeconds = 15

/**
 * Takes the messages of an integration, unless somebody has them. `vain`: how often in a row whoever had them did not
 * come back; something among them may end workers.
 */
export async function claimWork(db: Db, integrationId: number, holder: string): Promise<{ vain: number } | null> {
  const taken = await sql<{ vain: number }>`
    update inbound_work
    set holder = ${holder}, lease_until = now() + make_interval(secs => ${leaseSeconds}),
      vain = case when holder is null then 0 else vain + 1 end
    where integration_id = ${integrationId} and (holder is null or lease_until < now())
    returning vain`.execute(db)
  if (taken.rows[0]) return taken.rows[0]
  // Two statements, since a distributed table takes no times in the conflict clause of one.
  const first = await sql<{ vain: number }>`
    insert into inbound_work (integration_id, holder, lease_until)
    select integration_id, ${holder}, now() + make_interval(secs => ${leaseSeconds})
    from integration_state where integration_id = ${integrationId}
    on conflict (integration_id) do nothing
    returning vain`.execute(db)
  return first.rows[0] ?? null
}

/** Still at it. Whoever was overtaken stays so. */
export async function renewWork(db: Db, integrationId: number, holder: string): Promise<void> {
  await sql`
    update inbound_work set lease_until = now() + make_interval(secs => ${leaseSeconds})
    where integration_id = ${integrationId} and holder = ${holder}`.execute(db)
}

/** Somebody else works on these messages now; there is nothing left to do. */
export const overtaken = new Error('Another worker is processing these webhooks.')

/** They are still ours, and nobody takes them before the transaction ends. */
export async function assertHeld(trx: Db, integrationId: number, holder: string): Promise<void> {
  const { rows } = await sql`
    select from inbound_work where integration_id = ${integrationId} and holder = ${holder} for no key update`.execute(
    trx,
  )
  if (rows.length === 0) throw overtaken
}

/** Whether they were still ours. In a transaction, nobody takes them before it ends. */
export async function releaseWork(db: Db, integrationId: number, holder: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update inbound_work set holder = null, vain = 0
    where integration_id = ${integrationId} and holder = ${holder}`.execute(db)
  return numAffectedRows === 1n
}

const waitingColumns = sql`integration_id, delivery_id, id, topic, verified, headers, query, body, private, attempts, received_at,
  extract(epoch from now() - received_at)::float8 as age`

type WaitingRow = WaitingDelivery & { integration_id: number; delivery_id: string; private: Buffer | null }

/** Of messages that are worked on at a time: several integrations have theirs in memory beside each other. */
const maxBytes = 4 * 1024 * 1024
const bytes = sql`coalesce(size, octet_length(body))`

/** Our own changes of stock come back as such messages, one for each: behind thousands of them an order would wait until the shop has been asked for all. */
const ofGoods = sql`kind is not null and kind in ('product', 'inventory')`
/** So much of a batch goes to them while there are orders enough for all of it. */
const goodsShare = 0.25
/** A shop that floods us is not looked through to the end for each batch. */
const maxLookedAt = 20_000

/**
 * In the order in which they came; what there is about goods after what there is about orders, but never without a turn. The first of them is
 * taken whatever its size.
 */
export async function dueDeliveries(db: Db, integrationId: number, limit: number): Promise<WaitingDelivery[]> {
  const { rows } = await sql<WaitingRow>`
    with waiting as (
      select id, ${bytes} as bytes, ${ofGoods} as is_goods from shop_messages
      where integration_id = ${integrationId} and processed_at is null and next_attempt_at <= now()
      order by id limit ${maxLookedAt}),
    placed as (
      select id, bytes, is_goods, row_number() over (partition by is_goods order by id)
        > ${limit} * case when is_goods then ${goodsShare}::float8 else ${1 - goodsShare}::float8 end as is_beyond
      from waiting),
    next as (select * from placed order by is_beyond, is_goods, id limit ${limit}),
    due as (select id, sum(bytes) over (order by is_beyond, is_goods, id) - bytes as before from next)
    select ${waitingColumns} from shop_messages
    where integration_id = ${integrationId}
      and id = any(array(select id from due where before = 0 or before < ${maxBytes}))
    order by id`.execute(db)
  return await unsealContents(db, rows)
}

const maxCompanions = 20_000

/** Later ones about the same records, however many others came between: one question to the shop does for all of them. */
export async function companionsOf(
  db: Db,
  integrationId: number,
  due: readonly WaitingDelivery[],
): Promise<WaitingDelivery[]> {
  const ids = due.map(({ id }) => id)
  const { rows } = await sql<WaitingRow>`
    with companions as (
      select id, sum(${bytes}) over (order by id) as bytes from shop_messages
      where integration_id = ${integrationId} and processed_at is null and next_attempt_at <= now()
        and id > ${Math.min(...ids)} and id <> all(${ids}::bigint[]) and (kind, remote_id) in (
          select kind, remote_id from shop_messages
          where integration_id = ${integrationId} and id = any(${ids}::bigint[]))
      order by id limit ${maxCompanions})
    select ${waitingColumns} from shop_messages
    where integration_id = ${integrationId} and id in (select id from companions where bytes <= ${maxBytes})
    order by id`.execute(db)
  return await unsealContents(db, rows)
}

export const outcomes = ['stored', 'unchanged', 'removed', 'set_aside', 'acted', 'ignored', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

export interface Finished {
  id: number
  outcome: Outcome
  /** Words of ours if it was ignored; else they may repeat what the shop has said, and are sealed. */
  error?: string | Wording | null
  /** What it says is nobody's any longer. */
  forget?: boolean
}

/** Messages about an order whose buyer was forgotten are emptied as well, or they would keep the buyer for as long as they are kept. */
export async function finishDeliveries(trx: Db, integrationId: number, finished: readonly Finished[]): Promise<void> {
  if (finished.length === 0) return
  sayNews(trx, 'steps', integrationId)
  await sql`
    update shop_messages d
    set processed_at = now(), outcome = r.outcome,
      (error, private_error, reason, private_reason, private, size, body, headers, query) = (
        select case when not told.gone then r.error end, case when not told.gone then decode(r.private_error, 'hex') end,
          case when not told.gone then r.reason end, case when not told.gone then decode(r.private_reason, 'hex') end,
          case when not told.gone then d.private end, case when not told.gone then d.size end,
          case when told.gone then '\\x' else d.body end, case when told.gone then '{}' else d.headers end,
          case when told.gone then '{}' else d.query end
        from (
          select coalesce(r.forget, false) or d.forget or (d.kind = 'order' and exists (
            select from orders o
            where o.integration_id = ${integrationId} and o.remote_id = d.remote_id and o.redacted_at is not null)) as gone
        ) told)
    from jsonb_to_recordset(${JSON.stringify(await withSealedErrors(trx, integrationId, finished))}::jsonb)
      r(id bigint, outcome text, error text, private_error text, reason jsonb, private_reason text, forget boolean)
    where d.integration_id = ${integrationId} and d.id = r.id`.execute(trx)
}

type Failed = { id: number; outcome?: Outcome; error?: string | Wording | null }

/** As they are stored: our own words in the clear, what may repeat a shop sealed; each with what it follows from. */
async function withSealedErrors<One extends Failed>(db: Db, integrationId: number, all: readonly One[]) {
  const isPrivate = ({ outcome, error }: One) => outcome !== 'ignored' && error != null
  const key = all.some(isPrivate) ? await keyForSealing(db, integrationId) : null
  return all.map((one) => {
    if (one.error == null) return one
    const error = cut(textOf(one.error), maxErrorLength)
    const reason = reasonOrNull(one.error)
    if (key === null || !isPrivate(one)) return { ...one, error, reason }
    const place = { integration_id: integrationId, id: one.id }
    return {
      ...one,
      error: null,
      private_error: sealError(key, place, error).toString('hex'),
      private_reason: reason && sealReason(key, place, reason).toString('hex'),
    }
  })
}

const maxErrorLength = 1000

export interface Postponed {
  id: number
  seconds: number
  /** Nobody may work on it now: that is no try. */
  rests?: boolean
  error: string | Wording
}

/** They come again later. */
export async function postponeDeliveries(
  db: Db,
  integrationId: number,
  postponed: readonly Postponed[],
): Promise<void> {
  if (postponed.length === 0) return
  const now = Date.parse(await databaseTime(db))
  const later = postponed.map(({ seconds, ...one }) => ({ ...one, next: new Date(now + seconds * 1000) }))
  await sql`
    update shop_messages d
    set attempts = d.attempts + case when r.rests then 0 else 1 end, error = null,
      private_error = decode(r.private_error, 'hex'), reason = null, private_reason = decode(r.private_reason, 'hex'),
      next_attempt_at = r.next
    from jsonb_to_recordset(${JSON.stringify(await withSealedErrors(db, integrationId, later))}::jsonb)
      r(id bigint, next timestamptz, rests boolean, private_error text, private_reason text)
    where d.integration_id = ${integrationId} and d.id = r.id and d.processed_at is null`.execute(db)
}

/** Counted before it is tried: if it ends the worker, the next one knows. */
export async function countAttempt(db: Db, integrationId: number, id: number): Promise<void> {
  await sql`
    update shop_messages set attempts = attempts + 1
    where integration_id = ${integrationId} and id = ${id}`.execute(db)
}

/** Integrations with messages that wait: from one to the next, so that it does not matter how many wait for each. */
export async function integrationsWithWork(db: Db): Promise<number[]> {
  const rows = await readEverywhere<{ integration_id: number }>(db, {
    table: 'shop_messages',
    rows: (table) => `with recursive shops as (
        select min(integration_id) as id from ${table} where processed_at is null
        union all
        select (select min(d.integration_id) from ${table} d where d.processed_at is null and d.integration_id > shops.id)
        from shops where shops.id is not null)
      select id as integration_id from shops where exists (
        select from ${table} d
        where d.integration_id = shops.id and d.processed_at is null and d.next_attempt_at <= now())`,
    tail: '',
  })
  return rows.map((row) => row.integration_id)
}

export type Recipient = Pick<
  Integration,
  | 'id'
  | 'app_id'
  | 'account_id'
  | 'service_id'
  | 'type'
  | 'definition'
  | 'shop'
  | 'settings'
  | 'granted'
  | 'status'
  | 'active'
  | 'installed_at'
  | 'messages'
> & {
  deleted: boolean
  /** For how many days its app keeps orders; null for ever. */
  keep_orders_days: number | null
  /** Whether anything is to start when the shop has reported something. */
  has_flows: boolean
}

/** Whatever has become of it: some messages concern those that are gone. */
export async function readRecipient(db: Db, integrationId: number): Promise<Recipient | null> {
  const { rows } = await sql<Recipient>`
    select i.id, i.app_id, i.account_id, i.service_id, i.type, s.definition, i.shop, i.settings, i.granted, i.status, i.active,
      i.installed_at, i.messages, i.deleted_at is not null as deleted, a.keep_orders_days,
      exists (
        select from flows f
        where f.app_id = i.app_id and f.type = 'webhook' and f.active and f.deleted_at is null) as has_flows
    from integrations i left join apps a on a.id = i.app_id left join services s on s.id = i.service_id
    where i.id = ${integrationId}`.execute(db)
  return rows[0] ?? null
}

export interface Confirmed {
  /**
   * To be asked for all the same: what the shop had removed, here or before we knew it, and another content under the version
   * that we hold.
   */
  doubtful: Set<string>
  /** We hold them, and be it as deleted. */
  known: Set<string>
}

/** What we know of the records that messages have brought along. */
export async function confirmRecords(
  db: Db,
  integrationId: number,
  kind: 'orders' | 'products',
  records: readonly { key: string; version: string | null; payload: unknown }[],
): Promise<Confirmed> {
  if (records.length === 0) return { doubtful: new Set(), known: new Set() }
  const subject = kind === 'orders' ? 'order' : 'product'
  const { rows } = await sql<{
    key: string
    known: boolean
    gone: boolean
    same: boolean
    remote_id: string
    payload: unknown
    record: Buffer | null
  }>`
    select r.key, c.remote_id, c.id is not null as known, coalesce(c.remote_version = r.version, false) as same,
      c.vanished_at is not null or (c.id is null and exists (
        select from shop_messages d where d.integration_id = ${integrationId} and d.kind = ${subject}
          and d.remote_id = r.key and d.outcome = 'removed')) as gone,
      case when c.remote_version = r.version then c.remote_payload end as payload,
      ${kind === 'orders' ? sql`case when c.remote_version = r.version then c.remote_record end` : sql`null::bytea`} as record
    from unnest(${records.map(({ key }) => key)}::text[], ${records.map(({ version }) => version)}::text[]) r(key, version)
    left join ${sql.table(kind)} c on c.integration_id = ${integrationId} and c.remote_id = r.key`.execute(db)
  const compared = rows.filter(({ gone, same }) => same && !gone)
  const held = await unsealRemotes(
    db,
    integrationId,
    compared.map(({ record, payload, ...row }) => ({ ...row, remote_record: record, remote_payload: payload })),
  )
  const incoming = new Map(records.map(({ key, payload }) => [key, payload]))
  const differs = (key: string, payload: unknown) => contentOf(incoming.get(key)) !== canonicalJson(payload)
  const changed = held.filter(({ key, remote_payload: payload }) => differs(key, payload))
  const keysOf = (some: readonly { key: string }[]) => some.map(({ key }) => key)
  return {
    doubtful: new Set([...keysOf(rows.filter(({ gone }) => gone)), ...keysOf(changed)]),
    known: new Set(keysOf(rows.filter(({ known }) => known))),
  }
}

/** Of what is about to be stored, which is JSON already, however its fields are ordered. */
export const contentOf = (payload: unknown): string =>
  canonicalJson(typeof payload === 'string' ? JSON.parse(payload) : payload)

/** Those of the orders that were placed longer ago than so many days. */
export async function ordersPlacedBefore(
  db: Db,
  integrationId: number,
  { keys, days }: { keys: readonly string[]; days: number },
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select remote_id as key from ${namedRows('orders', integrationId, keys)}
    where placed_at < now() - make_interval(days => ${days}::int)`.execute(db)
  return new Set(rows.map(({ key }) => key))
}
