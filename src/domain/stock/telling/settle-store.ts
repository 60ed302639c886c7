import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { checkAfterSeconds, confirmAfterSeconds } from '../stock.ts'
import type { Telling } from './tell-store.ts'

/** A telling that the shop accepted. */
export type Told = Telling & {
  /** It showed that before anything was sent. */
  unsent?: true
}

/**
 * The shop has said yes. What it has sold meanwhile it shows less; where that may have been overwritten, it is looked at in a moment. Where there is something else to
 * tell by now, it is due again. A shop that `tells` what it shows is due as well, until somebody has seen that it shows it: whoever wanted to look may die, or find it away.
 */
export async function settleTold(trx: Db, told: readonly Told[], { tells }: { tells: boolean }): Promise<void> {
  if (told.length === 0) return
  const document = JSON.stringify(
    told.map(({ id, telling_id, sent_at, quantity, wanted, expected, seen_at, unsent = false }) => ({
      ...{ id, telling_id, sent_at, quantity, wanted, was: unsent ? quantity : expected, seen_at, unsent },
    })),
  )
  await sql`
    update stock_links l set accepted_at = now(), confirmed_at = case when r.unsent then now() end, told = r.quantity,
      shows = r.wanted - l.own_sold,
      seen = case when r.is_apart then r.quantity end, seen_at = case when r.is_apart then coalesce(r.seen_at, now()) end,
      at_least = null, own_sold = 0, attempts = 0, error = null, updated_at = now(),
      blind_until = case when l.blind_until = 'infinity' then now() else l.blind_until end,
      due_at = case when l.wanted is distinct from r.wanted - l.own_sold then now()
        when l.doubt then now() + make_interval(secs => ${checkAfterSeconds})
        when ${tells} and not r.unsent then now() + make_interval(secs => ${confirmAfterSeconds}) end
    from (
      select l.id, r.sent_at, r.quantity, r.wanted, r.seen_at, r.unsent,
        case when l.own_sold = 0 then r.quantity <> r.wanted else r.quantity < r.wanted - l.own_sold end as is_apart
      from jsonb_to_recordset(${document}::jsonb)
        r(id bigint, sent_at timestamptz, quantity bigint, wanted bigint, seen_at timestamptz, unsent boolean)
      join stock_links l on l.id = r.id order by l.id for update of l
    ) r
    where l.id = r.id and l.sent_at = r.sent_at`.execute(trx)
  await sql`
    update stock_tellings t set accepted_at = now(), confirmed_at = case when r.unsent then now() end,
      quantity = r.quantity, was = r.was
    from jsonb_to_recordset(${document}::jsonb) r(telling_id bigint, quantity bigint, was bigint, unsent boolean)
    where t.id = r.telling_id`.execute(trx)
}

/** A level that was told, and what the shop was seen to show afterwards. */
export type Shown = Pick<Telling, 'id' | 'telling_id' | 'sent_at'> & { found: number }

/**
 * What a shop shows after it said yes. As it should: then it is confirmed. Less is most likely a sale of which no order has come yet; more is to be explained,
 * unless the shop may have sold something since.
 */
export async function settleShown(trx: Db, shown: readonly Shown[]): Promise<void> {
  if (shown.length === 0) return
  await sql`
    insert into stock_sightings (link_id, expected, found)
    select l.id, l.shows, r.found
    from jsonb_to_recordset(${JSON.stringify(shown)}::jsonb) r(id bigint, sent_at timestamptz, found bigint)
    join stock_links l on l.id = r.id
    where l.sent_at = r.sent_at and l.accepted_at is not null and r.found <> l.shows and l.seen is distinct from r.found
    order by l.id`.execute(trx)
  const { rows } = await sql<{ telling_id: number }>`
    update stock_links l set confirmed_at = case when r.found = coalesce(l.seen, l.shows) then now() end,
      seen = case when r.found <> l.shows then r.found end,
      seen_at = case when r.found <> l.shows then coalesce(l.seen_at, now()) end, updated_at = now(),
      due_at = case when r.found = coalesce(l.seen, l.shows) and l.wanted = l.shows and not l.doubt then null else l.due_at end
    from (
      select r.* from jsonb_to_recordset(${JSON.stringify(shown)}::jsonb)
        r(id bigint, telling_id bigint, sent_at timestamptz, found bigint)
      join stock_links l on l.id = r.id order by l.id for update of l
    ) r
    where l.id = r.id and l.sent_at = r.sent_at and l.accepted_at is not null and l.confirmed_at is null
      and (r.found <= coalesce(l.seen, l.shows) or (r.found > l.shows and l.shows = l.wanted and not l.doubt))
    returning case when l.confirmed_at is not null then r.telling_id end as telling_id`.execute(trx)
  await sql`
    update stock_tellings set confirmed_at = now()
    where id = any(${rows.flatMap(({ telling_id: id }) => id ?? [])}::bigint[])`.execute(trx)
}

/** A telling that did not arrive, as far as anybody knows. */
export interface Failed {
  telling: Telling
  /** Null where only the moment was wrong. */
  error: string | null
  againSeconds: number
}

/** The shop shows what it showed before or what it was told: at least the less of both, less what it has sold meanwhile. */
export async function settleFailed(trx: Db, failed: readonly Failed[]): Promise<void> {
  if (failed.length === 0) return
  const document = JSON.stringify(
    failed.map(({ telling: { id, telling_id, sent_at, was, wanted, expected }, error, againSeconds }) => ({
      ...{ id, telling_id, sent_at, error, again: againSeconds, found: expected },
      at_least: was === null ? null : Math.min(was, wanted),
    })),
  )
  await sql`
    update stock_links l set attempts = l.attempts + 1, error = r.error, due_at = now() + make_interval(secs => r.again),
      at_least = r.at_least, doubt = true, updated_at = now()
    from (
      select r.* from jsonb_to_recordset(${document}::jsonb)
        r(id bigint, sent_at timestamptz, at_least bigint, error text, again double precision)
      join stock_links l on l.id = r.id order by l.id for update of l
    ) r
    where l.id = r.id and l.sent_at = r.sent_at`.execute(trx)
  await sql`
    update stock_tellings t set error = coalesce(r.error, 'The shop showed ' || r.found || '.')
    from jsonb_to_recordset(${document}::jsonb) r(telling_id bigint, error text, found bigint)
    where t.id = r.telling_id`.execute(trx)
}
