import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { anyOf } from '../../runtime/db/lists/any-of.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import { type AttentionKind, attentionKinds, causeOf, type Found, type Severity } from '../attention/attention.ts'
import type { AppTenant } from '../tenant.ts'
import type { Alert } from './alert.ts'

/** Control plane: of each cause one row while it is open, and what was before for as long as it is kept. */

const columns = `a.id, a.app_id, a.kind, a.cause, a.integration_id, i.name as integration_name, a.webhook_id,
  w.url as webhook_url, a.user_id, a.run_id, a.severity, a.count, a.reason, a.since, a.opened_at, a.updated_at,
  a.closed_at, a.acknowledged_at, a.acknowledged_by, m.until as muted_until`

const joined = `attentions a left join integrations i on i.id = a.integration_id
  left join webhook_subscriptions w on w.id = a.webhook_id
  left join alert_mutes m on m.app_id = a.app_id and m.kind = a.kind and m.cause = a.cause and m.until > now()`

export const alertList: ListPlan = {
  name: 'alerts',
  from: joined,
  columns,
  filters: {
    kind: { column: 'a.kind', type: 'text' },
    severity: { column: 'a.severity', type: 'text' },
    integration_id: { column: 'a.integration_id', type: 'bigint' },
    open: { column: '(a.closed_at is null)', type: 'boolean' },
  },
  sorts: { id: 'a.id', opened_at: 'a.opened_at' },
}

export const alertScope = ({ appId }: AppTenant): ListScope => ({ key: 'app', sql: 'a.app_id = ?', params: [appId] })

const select = (where: RawBuilder<boolean>) => sql<Alert>`
  select ${sql.raw(columns)} from ${sql.raw(joined)} where ${where}`

export async function findAlert(db: Db, { appId }: AppTenant, id: number): Promise<Alert> {
  const { rows } = await select(sql`a.app_id = ${appId} and a.id = ${id}`).execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

export async function alertsByIds(db: Db, ids: readonly number[]): Promise<Alert[]> {
  if (ids.length === 0) return []
  const { rows } = await select(sql`a.id = ${anyOf(ids)}`).execute(db)
  return rows.toSorted((a, b) => attentionKinds.indexOf(a.kind) - attentionKinds.indexOf(b.kind) || a.id - b.id)
}

/** What is open of these kinds, and whose. */
export interface OpenRow {
  id: number
  app_id: number
  kind: AttentionKind
  cause: string
  severity: Severity
  count: number | null
  reason: string | null
}

const openColumns = sql`id, app_id, kind, cause, severity, count, reason`

export async function openOfShops(db: Db, ids: readonly number[], kinds: readonly AttentionKind[]): Promise<OpenRow[]> {
  const { rows } = await sql<OpenRow>`
    select ${openColumns} from attentions
    where integration_id = ${anyOf(ids)} and closed_at is null and kind = any(${[...kinds]}::text[])`.execute(db)
  return rows
}

export async function openOfKinds(db: Db, kinds: readonly AttentionKind[]): Promise<OpenRow[]> {
  const { rows } = await sql<OpenRow>`
    select ${openColumns} from attentions where kind = any(${[...kinds]}::text[]) and closed_at is null`.execute(db)
  return rows
}

/** Shops with something open of these kinds: whether it still is so has to be asked. */
export async function shopsWithOpen(db: Db, kinds: readonly AttentionKind[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct integration_id as id from attentions
    where kind = any(${[...kinds]}::text[]) and closed_at is null and integration_id is not null`.execute(db)
  return rows.map(({ id }) => id)
}

export interface Opening extends Found {
  appId: number
  severity: Severity
}

/** Opens what is not open yet. The ids of those that are new. */
export async function openAlerts(trx: Db, found: readonly Opening[]): Promise<number[]> {
  if (found.length === 0) return []
  const document = JSON.stringify(
    found.map((each) => ({
      app_id: each.appId,
      kind: each.kind,
      cause: causeOf(each),
      integration_id: each.integrationId,
      webhook_id: each.webhook?.id ?? null,
      user_id: each.userId,
      run_id: each.run_id,
      severity: each.severity,
      count: each.count,
      reason: wordOf(each.reason),
      since: each.at,
    })),
  )
  const { rows } = await sql<{ id: number }>`
    insert into attentions (app_id, kind, cause, integration_id, webhook_id, user_id, run_id, severity, count, reason, since)
    select app_id, kind, cause, integration_id, webhook_id, user_id, run_id, severity, count, reason, since
    from jsonb_to_recordset(${document}::jsonb) r(app_id bigint, kind text, cause text, integration_id bigint,
      webhook_id bigint, user_id bigint, run_id bigint, severity text, count int, reason text, since timestamptz)
    on conflict (app_id, kind, cause) where closed_at is null do nothing
    returning id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** A word of ours. What a shop said may name somebody. */
export const wordOf = (reason: string | null): string | null =>
  reason !== null && /^[a-z_]{1,64}$/.test(reason) ? reason : null

/** What is still open, in other numbers. */
export async function updateAlerts(
  trx: Db,
  changed: readonly { id: number; count: number | null; severity: Severity; reason: string | null }[],
): Promise<void> {
  if (changed.length === 0) return
  await sql`
    update attentions a set count = r.count, severity = r.severity, reason = r.reason, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) r(id bigint, count int, severity text, reason text)
    where a.id = r.id and a.closed_at is null`.execute(trx)
}

/** The ids of those that nobody has closed before. */
export async function closeAlerts(trx: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    update attentions set closed_at = now(), updated_at = now() where id = ${anyOf(ids)} and closed_at is null
    returning id`.execute(trx)
  return rows.map(({ id }) => id)
}

export async function acknowledgeAlert(trx: Db, id: number, userId: number | null): Promise<void> {
  await sql`
    update attentions set acknowledged_at = now(), acknowledged_by = ${userId}, updated_at = now()
    where id = ${id} and acknowledged_at is null`.execute(trx)
}

interface Cause {
  app_id: number
  kind: string
  cause: string
}

/** Nothing is said of these causes until then; `null` ends that. */
export async function muteCauses(
  trx: Db,
  causes: readonly Cause[],
  { hours, userId }: { hours: number | null; userId: number | null },
): Promise<void> {
  const of = sql`jsonb_to_recordset(${JSON.stringify(causes.map(({ app_id, kind, cause }) => ({ app_id, kind, cause })))}::jsonb)
    r(app_id bigint, kind text, cause text)`
  if (hours === null) {
    await sql`delete from alert_mutes m using ${of} where m.app_id = r.app_id and m.kind = r.kind and m.cause = r.cause`.execute(
      trx,
    )
    return
  }
  await sql`
    insert into alert_mutes (app_id, kind, cause, until, muted_by)
    select distinct app_id, kind, cause, now() + make_interval(hours => ${hours}), ${userId}::bigint from ${of}
    on conflict (app_id, kind, cause) do update set until = excluded.until, muted_by = excluded.muted_by`.execute(trx)
}

/** So that nothing grows for ever: what was closed long ago, and mutes that have ended. How many rows went. */
export async function pruneSome(db: Db, limit: number): Promise<number> {
  const { numAffectedRows: closed = 0n } = await sql`
    delete from attentions where id in (
      select id from attentions where closed_at < now() - interval '90 days' limit ${limit})`.execute(db)
  const { numAffectedRows: sent = 0n } = await sql`
    delete from alert_notifications where id in (
      select id from alert_notifications where created_at < now() - interval '90 days' limit ${limit})`.execute(db)
  const { numAffectedRows: mutes = 0n } = await sql`
    delete from alert_mutes where (app_id, kind, cause) in (
      select app_id, kind, cause from alert_mutes where until < now() limit ${limit})`.execute(db)
  return Number(closed + sent + mutes)
}
