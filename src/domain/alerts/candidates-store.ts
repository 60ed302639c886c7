import { sql } from 'kysely'
import { readEverywhere } from '../../runtime/db/citus/nodes.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { anyOf } from '../../runtime/db/lists/any-of.ts'
import { consentDays, hoursBeforeShipping, uncomparedDays } from '../attention/attention-store.ts'
import type { Shop } from '../attention/find-attention.ts'

/**
 * Where to look for trouble, over all apps: at least those that have some, by indexes that hold little else. What it is, the
 * statements of `attention-store.ts` say.
 */

interface Named {
  integration_id: number
}

const ids = (rows: readonly Named[]): number[] => rows.map(({ integration_id: id }) => id)

/** From one integration to the next along an index that begins with it, so that many rows of one cost no more than one. */
const hops = (table: string, condition: string, more = 'true', order = ''): string => `
  select integration_id from (
    with recursive hop as (
      (select integration_id, ${order || '0'} as first from ${table} where ${condition}
        order by integration_id${order ? `, ${order}` : ''} limit 1)
      union all
      select n.integration_id, n.first from hop cross join lateral (
        select integration_id, ${order || '0'} as first from ${table}
        where ${condition} and integration_id > hop.integration_id
        order by integration_id${order ? `, ${order}` : ''} limit 1) n
    ) select integration_id, first from hop
  ) h where ${more}`

export async function shopsWithWorkTrouble(db: Db): Promise<number[]> {
  const failed = await readEverywhere<Named>(db, {
    table: 'runs',
    rows: (runs) =>
      `select distinct integration_id from ${runs} where status = 'failed' and created_at > now() - interval '1 day'`,
    tail: '',
  })
  const waiting = await readEverywhere<Named>(db, {
    table: 'runs',
    rows: (runs) => `select distinct integration_id from ${runs} where status in ('queued', 'running') and waits > 0`,
    tail: '',
  })
  const unprocessed = await readEverywhere<Named>(db, {
    table: 'shop_messages',
    rows: (messages) => hops(messages, 'processed_at is null'),
    tail: '',
  })
  const failedMessages = await readEverywhere<Named>(db, {
    table: 'shop_messages',
    rows: (messages) => hops(messages, `outcome = 'failed'`),
    tail: '',
  })
  return [...ids(failed), ...ids(waiting), ...ids(unprocessed), ...ids(failedMessages)]
}

export async function shopsWithStockTrouble(db: Db): Promise<number[]> {
  const quarantined = await readEverywhere<Named>(db, {
    table: 'quarantine',
    rows: (quarantine) => hops(quarantine, 'true'),
    tail: '',
  })
  const due = await readEverywhere<Named>(db, {
    table: 'orders',
    rows: (orders) =>
      hops(
        orders,
        `ship_by is not null and status in ('PENDING', 'ACKNOWLEDGED') and deleted_at is null`,
        `first < now() + interval '${hoursBeforeShipping} hours'`,
        'ship_by',
      ),
    tail: '',
  })
  return [...ids(quarantined), ...ids(due)]
}

/** Integrations that are in trouble by themselves. */
export async function troubledShops(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from integrations where status = 'ERROR' and deleted_at is null
    union
    select id from integrations where status = 'PENDING' and deleted_at is null
      and created_at < now() - interval '1 day' and created_at > now() - interval '30 days'
    union
    select id from integrations where messages = 'not_arriving' and deleted_at is null
    union
    select id from integrations where consent_ends_at < now() + make_interval(days => ${consentDays})
      and consent_ends_at is not null and deleted_at is null
    union
    select id from integrations where completeness ->> 'missing' <> '0' and deleted_at is null
      and compared_at > now() - interval '1 day'
    union
    select id from integrations where status = 'ACTIVE' and active and deleted_at is null
      and coalesce(compared_at, installed_at) < now() - make_interval(days => ${uncomparedDays})`.execute(db)
  return rows.map(({ id }) => id)
}

/** Of these integrations, those that belong to an app that is in use; and all of the given types besides. */
export async function shopsOfApps(
  db: Db,
  wanted: readonly number[],
  types: readonly string[],
): Promise<(Shop & { appId: number })[]> {
  const { rows } = await sql<Shop & { appId: number }>`
    select i.id, i.type, i.app_id as "appId" from integrations i join apps a on a.id = i.app_id
    where i.id = ${anyOf(wanted)} and i.deleted_at is null and a.deleted_at is null and a.active
    union
    select i.id, i.type, i.app_id from integrations i join apps a on a.id = i.app_id
    where i.type = any(${[...types]}::text[]) and i.deleted_at is null and i.status in ('ACTIVE', 'ERROR')
      and a.deleted_at is null and a.active
    order by 1`.execute(db)
  return rows
}

/** Apps with a webhook that fails, was disabled, or has something waiting for a minute. */
export async function appsWithWebhookTrouble(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct w.app_id as id from webhook_subscriptions w join apps a on a.id = w.app_id
    where w.deleted_at is null and w.listens_until is null and a.deleted_at is null and a.active
      and (w.disabled_at is not null or w.failing_since is not null or exists (
        select from webhook_deliveries d
        where d.webhook_id = w.id and d.state = 'pending' and d.due_at < now() - interval '1 minute'))`.execute(db)
  return rows.map(({ id }) => id)
}

export async function appsOfCompanies(
  db: Db,
  companyIds: readonly number[],
): Promise<{ id: number; company_id: number }[]> {
  const { rows } = await sql<{ id: number; company_id: number }>`
    select id, company_id from apps
    where company_id = ${anyOf(companyIds)} and deleted_at is null and active`.execute(db)
  return rows
}
