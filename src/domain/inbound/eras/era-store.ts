import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

/**
 * Messages lie in eras (partitions), each named for the day since 1970 on which it began. All that comes goes into one of them,
 * the default of the column: a message that comes twice meets itself there by its key, and in eras before by being looked for.
 */
const tableOf = (era: number) => sql.table(era === 1 ? firstEra : `shop_messages_era_${era}`)

/** Under the name that all messages had before there were eras: programs from then know no other. */
export const firstEra = 'inbound_deliveries'
/** The migration that made it one. */
const madeBy = '0094_messages_by_era'

export interface Eras {
  /** In order. */
  eras: number[]
  /** Where messages go now. */
  current: number
  /** The day on which that one began; of the first, the one after it was made. */
  begun: number
  today: number
}

export async function readEras(db: Db): Promise<Eras> {
  const { rows } = await sql<Eras>`
    with present as (
      select (regexp_match(pg_get_expr(d.adbin, d.adrelid), '\\d+'))[1]::bigint as era
      from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      where d.adrelid = 'shop_messages'::regclass and a.attname = 'era')
    select
      array(select (regexp_match(pg_get_expr(c.relpartbound, c.oid), '\\d+'))[1]::bigint
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'shop_messages'::regclass order by 1) as eras,
      era as current,
      greatest(era, (select ceil(extract(epoch from applied_at) / 86400)::bigint from migrations where name = ${madeBy} and era = 1)) as begun,
      floor(extract(epoch from now()) / 86400)::bigint as today
    from present`.execute(db)
  const [found] = rows
  if (!found) throw new Error('There is no era of messages.')
  return found
}

/** For so long a lock is waited for: whoever wants to store a message waits behind it, and is not refused before two seconds. */
const patience = sql`set local lock_timeout = '500ms'`
/** Citus changes all shards one after the other then, as it has to where tables refer to each other. */
const inTurn = sql`set local citus.multi_shard_modify_mode = 'sequential'`

/**
 * The default is changed when all who are storing messages have ended, and before anybody else begins: nobody stores a message in the new era
 * without seeing all that is in those before. Programs that know the first era alone would, so that none of them starts any more. In a transaction.
 */
export async function beginEra(trx: Db, era: number): Promise<void> {
  await patience.execute(trx)
  await inTurn.execute(trx)
  await sql`create table if not exists ${tableOf(era)} partition of shop_messages
    (primary key (integration_id, delivery_id), unique (integration_id, id)) for values in (${sql.lit(era)})`.execute(
    trx,
  )
  await sql`alter table only shop_messages alter column era set default ${sql.lit(era)}`.execute(trx)
  await sql`update migrations set needs = left(name, 4) where name = ${madeBy} and needs is null`.execute(trx)
}

/**
 * Those that nobody has worked on yet go into the era of today; not what is there already, as a program from before that was left
 * running may have stored it a second time in the first era.
 */
export async function carryWaiting(db: Db, { from, into }: { from: number; into: number }): Promise<void> {
  await sql`update shop_messages m set era = ${into} where m.era = ${from} and m.processed_at is null and not exists (
    select 1 from shop_messages k
    where k.integration_id = m.integration_id and k.delivery_id = m.delivery_id and k.era = ${into})`.execute(db)
}

/** Whatever waits in it has been carried on: nobody makes a message due again meanwhile. In a transaction. */
export async function dropEra(trx: Db, { era, into }: { era: number; into: number }): Promise<void> {
  await patience.execute(trx)
  await inTurn.execute(trx)
  await sql`lock table shop_messages in access exclusive mode`.execute(trx)
  await carryWaiting(trx, { from: era, into })
  await sql`drop table if exists ${tableOf(era)}`.execute(trx)
}

/** Days since its last message came; null if there is none. */
export async function ageOf(db: Db, era: number): Promise<number | null> {
  const { rows } = await sql<{ days: number | null }>`
    select (extract(epoch from now() - max(received_at)) / 86400)::float8 as days from shop_messages
    where era = ${era}`.execute(db)
  return rows[0]?.days ?? null
}
