import { sql } from 'kysely'
import { say } from '../commerce/words/say.ts'
import { invalidField } from '../lib/fault.ts'
import type { Db } from '../runtime/db/connection.ts'
import type { OwnedByUser } from './tenant.ts'

/** How many of something anybody may have: what one tenant makes without end, all others carry. */
export type Quota =
  | 'apps'
  | 'clients'
  | 'accounts'
  | 'integrations'
  | 'schedules'
  | 'flows'
  | 'webhooks'
  | 'channels'
  | 'views'

export interface Quotas {
  limits: Readonly<Record<Quota, number>>
  /** Somebody was refused for it. */
  onRefused?(quota: Quota): void
}

/**
 * Apps, clients, and integrations without an app: of a company, or of a user who has none. Accounts and integrations: of an app.
 * Schedules: of an integration. Flows: of an app; each may go through all its integrations. Webhooks: of an app; of an integration ten times as many, since version 1.0 has one for each kind of event.
 * Channels, by which alerts are sent: of an app. Views of lists: of a user in an app.
 */
export const defaultQuotas: Quotas['limits'] = {
  apps: 100,
  clients: 500,
  accounts: 50_000,
  integrations: 50_000,
  schedules: 500,
  flows: 200,
  webhooks: 50,
  channels: 20,
  views: 100,
}

export const quotaOf = (quotas: Quotas | undefined, quota: Quota): number => (quotas?.limits ?? defaultQuotas)[quota]

interface Wanted {
  /** The field of the request that the refusal is about. */
  field: string
  limit: number
  more?: number
}

/** Nobody waits for it and nothing is locked: requests at the same moment may go beyond by as many as they are. */
async function assertRoom(
  quotas: Quotas | undefined,
  quota: Quota,
  { field, limit, more = 1 }: Wanted,
  count: (upTo: number) => Promise<number>,
): Promise<void> {
  if ((await count(limit)) + more <= limit) return
  quotas?.onRefused?.(quota)
  const isMerchants = quota === 'integrations' || quota === 'schedules'
  throw invalidField(
    field,
    isMerchants ? say(`too_many_${quota}`, { limit }) : `At most ${limit} ${quota} are allowed.`,
  )
}

const ownedBy = ({ company_id: company, user_id: user }: OwnedByUser) =>
  company === null ? sql`user_id = ${user} and company_id is null` : sql`company_id = ${company}`

/** No further than the limit: what lies beyond it makes no difference. */
async function countRows(db: Db, rows: ReturnType<typeof sql>, upTo: number): Promise<number> {
  const { rows: found } = await sql<{ n: number }>`
    select count(*) as n from (select from ${rows} limit ${upTo}) as found`.execute(db)
  return found[0]?.n ?? 0
}

/** As many as the list says, which keeps count of them. */
async function countListed(db: Db, list: 'accounts' | 'integrations', appId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select n from list_counters where list = ${list} and scope = ${appId}`.execute(db)
  return rows[0]?.n ?? 0
}

export const assertRoomForApp = (db: Db, quotas: Quotas | undefined, owner: OwnedByUser) =>
  assertRoom(quotas, 'apps', { field: 'name', limit: quotaOf(quotas, 'apps') }, (upTo) =>
    countRows(db, sql`apps where ${ownedBy(owner)} and deleted_at is null`, upTo),
  )

export const assertRoomForClient = (db: Db, quotas: Quotas | undefined, owner: OwnedByUser) =>
  assertRoom(quotas, 'clients', { field: 'name', limit: quotaOf(quotas, 'clients') }, (upTo) =>
    countRows(db, sql`oauth_clients where ${ownedBy(owner)} and revoked_at is null`, upTo),
  )

export const assertRoomForAccount = (db: Db, quotas: Quotas | undefined, { appId }: { appId: number }) =>
  assertRoom(quotas, 'accounts', { field: 'remote_id', limit: quotaOf(quotas, 'accounts') }, () =>
    countListed(db, 'accounts', appId),
  )

export const assertRoomForIntegration = (
  db: Db,
  quotas: Quotas | undefined,
  place: OwnedByUser & { app_id: number | null },
) =>
  assertRoom(quotas, 'integrations', { field: 'shop', limit: quotaOf(quotas, 'integrations') }, (upTo) =>
    place.app_id === null
      ? countRows(db, sql`integrations where ${ownedBy(place)} and app_id is null and deleted_at is null`, upTo)
      : countListed(db, 'integrations', place.app_id),
  )

export const assertRoomForSchedules = (
  db: Db,
  quotas: Quotas | undefined,
  { integrationId, field, more }: { integrationId: number; field: string; more: number },
) =>
  assertRoom(quotas, 'schedules', { field, more, limit: quotaOf(quotas, 'schedules') }, (upTo) =>
    countRows(db, sql`schedules where integration_id = ${integrationId} and deleted_at is null`, upTo),
  )

export const assertRoomForFlow = (db: Db, quotas: Quotas | undefined, { appId }: { appId: number }) =>
  assertRoom(quotas, 'flows', { field: 'name', limit: quotaOf(quotas, 'flows') }, (upTo) =>
    countRows(db, sql`flows where app_id = ${appId} and deleted_at is null`, upTo),
  )

export const assertRoomForChannel = (db: Db, quotas: Quotas | undefined, { appId }: { appId: number }) =>
  assertRoom(quotas, 'channels', { field: 'address', limit: quotaOf(quotas, 'channels') }, (upTo) =>
    countRows(db, sql`alert_channels where app_id = ${appId} and deleted_at is null`, upTo),
  )

export const assertRoomForView = (
  db: Db,
  quotas: Quotas | undefined,
  { userId, appId }: { userId: number; appId: number },
) =>
  assertRoom(quotas, 'views', { field: 'name', limit: quotaOf(quotas, 'views') }, (upTo) =>
    countRows(db, sql`saved_views where user_id = ${userId} and app_id = ${appId}`, upTo),
  )

export const assertRoomForWebhook = (
  db: Db,
  quotas: Quotas | undefined,
  { appId, integrationId }: { appId: number | null; integrationId: number | null },
) =>
  assertRoom(
    quotas,
    'webhooks',
    { field: 'url', limit: quotaOf(quotas, 'webhooks') * (integrationId === null ? 1 : 10) },
    (upTo) =>
      countRows(
        db,
        integrationId === null
          ? sql`webhook_subscriptions where app_id = ${appId} and integration_id is null and deleted_at is null
              and listens_until is null`
          : sql`webhook_subscriptions where integration_id = ${integrationId} and deleted_at is null`,
        upTo,
      ),
  )
