import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { AuditEntry, AuditFacts, Checkpoint } from './audit-entry.ts'

export async function readAuditKey(db: Db): Promise<Buffer | null> {
  return (await db.selectFrom('audit_keys').select('sealed').executeTakeFirst())?.sealed ?? null
}

/** Of several at once the first one counts. */
export async function insertAuditKey(db: Db, { sealed, keyId }: { sealed: Buffer; keyId: string }): Promise<void> {
  await db
    .insertInto('audit_keys')
    .values({ id: 1, sealed, key_id: keyId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export interface NewEntry extends AuditFacts {
  at: string
  mac: Buffer
}

/** It is shown to the company of the app, else to that of the user. */
export async function insertEntry(db: Db, entry: NewEntry): Promise<void> {
  await sql`
    insert into audit_entries (at, kind, operation, what, detail, outcome, caller, user_id, client_id, account_id, app_id,
      integration_id, record_type, record_id, fields, address, request_id, mac, company_id)
    values (${entry.at}, ${entry.kind}, ${entry.operation}, ${entry.what}, ${entry.detail}, ${entry.outcome},
      ${entry.caller}, ${entry.user_id}, ${entry.client_id}, ${entry.account_id}, ${entry.app_id},
      ${entry.integration_id}, ${entry.record_type}, ${entry.record_id}, ${entry.fields}::text[], ${entry.address},
      ${entry.request_id}, ${entry.mac},
      coalesce((select company_id from apps where id = ${entry.app_id}::bigint),
        (select company_id from users where id = ${entry.user_id}::bigint)))`.execute(db)
}

const columns = [
  ...(['id', 'at', 'kind', 'operation', 'what', 'detail', 'outcome', 'caller', 'user_id', 'client_id'] as const),
  ...(['account_id', 'app_id', 'company_id', 'integration_id', 'record_type', 'record_id', 'fields'] as const),
  ...(['address', 'request_id', 'mac', 'block'] as const),
] as const

const entryColumns = sql.raw(columns.map((name) => `e.${name}`).join(', '))

export interface BlockRow {
  number: number
  previous: Buffer
  hash: Buffer
  entries: number
  last_at: string
}

/** Those that are in no block yet, in the order in which they are sealed. */
export async function unsealedEntries(db: Db, limit: number): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    select ${entryColumns} from audit_entries e where e.block is null order by e.id limit ${limit}`.execute(db)
  return rows
}

export async function entriesOfBlock(db: Db, number: number): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    select ${entryColumns} from audit_entries e where e.block = ${number} order by e.id`.execute(db)
  return rows
}

export type Head = Pick<BlockRow, 'number' | 'hash'>

/** Whoever seals holds it: blocks are made one after the other. */
export async function lockHead(trx: Db): Promise<Head> {
  return await trx.selectFrom('audit_head').select(['number', 'hash']).forUpdate().executeTakeFirstOrThrow()
}

export const readHead = (db: Db): Promise<Head | undefined> =>
  db.selectFrom('audit_head').select(['number', 'hash']).executeTakeFirst()

export async function insertBlock(trx: Db, block: BlockRow, ids: readonly number[]): Promise<void> {
  await trx.insertInto('audit_blocks').values(block).execute()
  await sql`update audit_entries set block = ${block.number} where id = any(${ids}::bigint[]) and block is null`.execute(
    trx,
  )
  await trx.updateTable('audit_head').set({ number: block.number, hash: block.hash }).execute()
}

export async function blocksAfter(db: Db, number: number, limit: number): Promise<BlockRow[]> {
  return await db
    .selectFrom('audit_blocks')
    .select(['number', 'previous', 'hash', 'entries', 'last_at'])
    .where('number', '>', number)
    .orderBy('number')
    .limit(limit)
    .execute()
}

/** Entries that say they are in a block that is not there. */
export async function strayEntries(db: Db, { first, last }: { first: number; last: number }): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    (select id from audit_entries where block < ${first} order by block limit 20)
    union all (select id from audit_entries where block > ${last} order by block limit 20)`.execute(db)
  return rows.map(({ id }) => id)
}

/** Entries that were written once and stand there again: what they are sealed with is right, and their time is the same. */
export async function copiedEntries(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select copy.id from audit_entries entry
    join audit_entries copy on copy.at = entry.at and copy.mac = entry.mac and copy.id > entry.id
    order by copy.id limit 20`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many wait for their block, and since when. */
export async function unsealedSince(db: Db): Promise<{ entries: number; seconds: number }> {
  const { rows } = await sql<{ entries: number; seconds: number }>`
    select count(*)::int as entries, coalesce(extract(epoch from now() - min(at)), 0)::float8 as seconds
    from audit_entries where block is null`.execute(db)
  return rows[0] ?? { entries: 0, seconds: 0 }
}

export async function readCheckpoint(db: Db): Promise<(Checkpoint & { mac: Buffer }) | null> {
  const row = await db.selectFrom('audit_checkpoint').select(['number', 'hash', 'removed', 'mac']).executeTakeFirst()
  return row ?? null
}

/** The oldest blocks whose last entry is older than that. */
export async function oldBlocks(db: Db, days: number, limit: number): Promise<BlockRow[]> {
  const { rows } = await sql<BlockRow>`
    select number, previous, hash, entries, last_at from audit_blocks
    where number <= (select coalesce(max(number), 0) from (
      select number, last_at from audit_blocks order by number limit ${limit}
    ) oldest where last_at < now() - make_interval(days => ${days}))
    order by number`.execute(db)
  return rows
}

/** The one way in which entries go: with all of their block, from the oldest on, leaving a checkpoint. */
export async function removeBlocks(trx: Db, checkpoint: Checkpoint & { mac: Buffer }): Promise<void> {
  await sql`select set_config('entrepot.audit_retention', 'on', true)`.execute(trx)
  await sql`delete from audit_entries where block <= ${checkpoint.number}`.execute(trx)
  await sql`delete from audit_blocks where number <= ${checkpoint.number}`.execute(trx)
  await sql`select set_config('entrepot.audit_retention', 'off', true)`.execute(trx)
  await trx
    .insertInto('audit_checkpoint')
    .values({ id: 1, ...checkpoint })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(checkpoint))
    .execute()
}

/** Whose entries somebody may see. */
export type AuditScope = { all: true } | { companyId: number } | { userId: number } | { appId: number }

export interface AuditFilter {
  from?: string | undefined
  until?: string | undefined
  kind?: string | undefined
  operation?: string | undefined
  outcome?: string | undefined
  user_id?: number | undefined
  client_id?: number | undefined
  account_id?: number | undefined
  app_id?: number | undefined
  integration_id?: number | undefined
  record_type?: string | undefined
  record_id?: string | undefined
  request_id?: string | undefined
}

export interface AuditPlace {
  at: string
  id: number
}

export type ShownEntry = Omit<AuditEntry, 'mac'> & { user_name: string | null }

/** Newest first, after a place. */
export async function readEntries(
  db: Db,
  scope: AuditScope,
  { filter, after, limit }: { filter: AuditFilter; after: AuditPlace | null; limit: number },
): Promise<ShownEntry[]> {
  const { from, until, ...equal } = filter
  const conditions = [
    ...scopeConditions(scope),
    ...Object.entries(equal).flatMap(([name, value]) =>
      value === undefined ? [] : [sql`${sql.ref(`e.${name}`)} = ${value}`],
    ),
    ...(from === undefined ? [] : [sql`e.at >= ${from}`]),
    ...(until === undefined ? [] : [sql`e.at < ${until}`]),
    ...(after === null ? [] : [sql`(e.at, e.id) < (${after.at}::timestamptz, ${after.id}::bigint)`]),
  ]
  const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
  const { rows } = await sql<ShownEntry>`
    select ${entryColumns}, u.name as user_name
    from (select * from audit_entries e where ${where} order by e.at desc, e.id desc limit ${limit}) e
    left join users u on u.id = e.user_id
    order by e.at desc, e.id desc`.execute(db)
  return rows
}

function scopeConditions(scope: AuditScope) {
  if ('companyId' in scope) return [sql`e.company_id = ${scope.companyId}`]
  if ('userId' in scope) return [sql`e.user_id = ${scope.userId}`]
  if ('appId' in scope) return [sql`e.app_id = ${scope.appId}`]
  return []
}
