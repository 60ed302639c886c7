import { malformed } from '../../../lib/fault.ts'
import { momentOf } from '../../../lib/timestamp.ts'
import type { Reader } from './paginate.ts'

/**
 * The rows of one integration in the order in which they were last changed, in pages that follow on from each other and
 * never leave one out. A row carries the time at which its transaction began, and shows when that has committed: later
 * transactions may show first. So a page ends before the oldest transaction of a writer (`settledUntil`); what
 * comes after that is for the next time.
 */
export interface ChangePlan {
  /** Unique among plans. */
  name: string
  from: string
  /** With `updated_at` and the keys among them. */
  columns: string
  /** What distinguishes rows of the same time, in the order of the index. */
  keys: readonly { column: string; type: 'bigint' | 'text' }[]
}

/** Behind the row with these keys; without keys, from this time on. */
export interface Position {
  at: string
  keys: readonly string[] | null
}

export interface ChangePage<Row> {
  rows: Row[]
  /** Where the next page begins. */
  cursor: string
  /** Whether there is more already. */
  more: boolean
  /** Everything that was changed before this time has been shown, once `more` is false. */
  asOf: string
}

export async function readChanges<Row extends object>(
  reader: Reader,
  plan: ChangePlan,
  integrationId: number,
  { since, limit }: { since: string; limit: number },
): Promise<ChangePage<Row>> {
  const position = positionOf(plan, since)
  // In a statement of its own, before the rows: what commits between the two is seen by the second.
  const asOf = await settledUntil(reader)
  const values = [integrationId, position.at, asOf, limit + 1, ...(position.keys ?? [])]
  const { rows } = await reader.query<Row>(textFor(plan, position.keys !== null), values)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, cursor: cursorOf(last ? placeOf(plan, last) : position), more: rows.length > limit, asOf }
}

/** Certain ones of them, as they are now, in no order. */
export async function readByIds<Row extends object>(
  reader: Reader,
  { from, columns }: ChangePlan,
  integrationId: number,
  ids: readonly number[],
): Promise<Row[]> {
  const text = `select ${columns} from ${from} where integration_id = $1 and id = any($2::bigint[])`
  return (await reader.query<Row>(text, [integrationId, ids])).rows
}

/**
 * A backend takes the time of its transaction just before it says so in pg_stat_activity. Nobody can look in between, so
 * this much is left for it; the machine would have to hold one backend up for longer at that very place.
 */
const marginSeconds = 1

/**
 * Whatever began before this time and changes what is in the feeds has ended. Our own transactions all count: one that has
 * written nothing yet still may. Of others only those that have written to one of these tables: a report or a dump, however
 * long it takes, is not waited for. Where a pooler has given our own connection another name, nobody can be told apart,
 * and all are waited for; so is, to be safe, a writer whose beginning we may not see, until it ends.
 */
export async function settledUntil(reader: Reader): Promise<string> {
  const { rows } = await reader.query<{ at: string }>(settledText, [])
  const [row] = rows
  if (!row) throw new Error('pg_stat_activity has no answer.')
  return row.at
}

const isOurs = `s.application_name like 'entrepot%' and s.application_name <> 'entrepot backup'`
const tables = `array['orders', 'products', 'shipments', 'inventory']::regclass[]`
const writes = `array['RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']`

/**
 * Of sessions of another role we may see neither what they are nor since when, but whether they have written, and that a
 * transaction is open by the lock that each holds on itself.
 */
const isHidden = 's.backend_type is null and s.pid <> pg_backend_pid()'
const isOpen = `s.pid in (select l.pid from pg_locks l where l.locktype = 'virtualxid' and l.granted)`

const settledText = `
with sessions as materialized (
  select pid, application_name, xact_start, backend_xid, backend_type from pg_stat_activity
  where datname = current_database() and coalesce(backend_type, 'client backend') = 'client backend')
select least(min(coalesce(s.xact_start, case
    when s.backend_xid is not null or ${isHidden} and ${isOurs} and ${isOpen} then to_timestamp(0) end)), now())
  - interval '${marginSeconds} second' as at
from sessions s
where (${isOurs})
  or not exists (select from sessions s where s.pid = pg_backend_pid() and ${isOurs})
  or s.backend_xid is not null and s.pid in (
    select l.pid from pg_locks l where l.locktype = 'relation' and l.granted and l.mode = any(${writes})
      and l.database = (select oid from pg_database where datname = current_database()) and l.relation = any(${tables}))`

const texts = new Map<string, string>()

function textFor(plan: ChangePlan, behindRow: boolean): string {
  const shape = `${plan.name}|${behindRow}`
  const known = texts.get(shape)
  if (known) return known
  const order = ['updated_at', ...plan.keys.map(({ column }) => column)].join(', ')
  const keys = plan.keys.map(({ type }, index) => `$${index + 5}::${type}`)
  const start = behindRow ? `(${order}) > ($2::timestamptz, ${keys.join(', ')})` : 'updated_at >= $2::timestamptz'
  const text = `select ${plan.columns} from ${plan.from} where integration_id = $1 and ${start} and updated_at < $3::timestamptz order by ${order} limit $4`
  texts.set(shape, text)
  return text
}

function placeOf(plan: ChangePlan, row: object): Position {
  const fields = row as Readonly<Record<string, unknown>>
  return { at: String(fields['updated_at']), keys: plan.keys.map(({ column }) => String(fields[column])) }
}

const cursorOf = ({ at, keys }: Position): string =>
  Buffer.from(JSON.stringify([at, ...(keys ?? [])])).toString('base64url')

/** A time, or the cursor of a page before. Both come from outside. */
export function positionOf(plan: ChangePlan, since: string): Position {
  const time = momentOf(since)
  // Down to the millisecond before, so that nothing is left out.
  if (!Number.isNaN(time)) return { at: new Date(clamp(time)).toISOString(), keys: null }
  const [at, ...keys] = decode(since)
  if (at === undefined || !isTime(at)) throw notACursor()
  if (keys.length === 0) return { at, keys: null }
  if (keys.length !== plan.keys.length || !plan.keys.every(({ type }, index) => isKey(type, keys[index]))) {
    throw notACursor()
  }
  return { at, keys }
}

const clamp = (time: number) => Math.min(Math.max(time, 0), Date.UTC(9999, 0))

/** Null for what is none of ours. */
export function partsIn(cursor: string): string[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : null
  } catch {
    return null
  }
}

function decode(cursor: string): string[] {
  const parts = partsIn(cursor)
  if (parts === null) throw notACursor()
  return parts
}

/** As we write one, that the database takes: it has no year 0. */
export const isTime = (text: string): boolean => {
  const time = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 19) === text.slice(0, 19)
}

export const isKey = (type: 'bigint' | 'text', key = ''): boolean =>
  type === 'bigint' ? /^\d{1,15}$/.test(key) : key.length <= 10_000 && !key.includes('\0') && key.isWellFormed()

const notACursor = () => malformed('The updated_since parameter is neither a time nor the next_cursor of a page.')
