import { CompiledQuery, sql } from 'kysely'
import { forbidden, notFound } from '../../lib/fault.ts'
import { liesOn, type Node } from '../../runtime/db/citus/nodes.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { deletedNow } from '../../runtime/db/deleted-now.ts'
import type { JsonValue } from '../../runtime/db/tables.gen.ts'
import { type AccountTenant, type AppTenant, owns, type UserTenant } from '../tenant.ts'
import type { Integration, IntegrationStatus, StatusReason } from './integration.ts'
import { type MessageState, serviceReadMinutes } from './reading.ts'

const ownColumns = [
  'integrations.id',
  'integrations.integration_key',
  'integrations.app_id',
  'integrations.account_id',
  'integrations.service_id',
  'integrations.user_id',
  'integrations.company_id',
  'integrations.name',
  'integrations.type',
  'integrations.shop',
  'integrations.status',
  'integrations.status_reason',
  'integrations.description',
  'integrations.active',
  'integrations.mutable',
  'integrations.settings',
  'integrations.granted',
  'integrations.consent_ends_at',
  'integrations.logo',
  'integrations.completeness',
  'integrations.webhooks',
  'integrations.messages',
  'integrations.messages_since',
  'integrations.read_every_minutes',
  'integrations.next_read_at',
  'integrations.read_share',
  'integrations.installed_at',
  'integrations.last_run_at',
  'integrations.created_at',
  'integrations.updated_at',
] as const

/** Also of a service that is no longer offered: its integrations stay. */
const definition = '(select definition from services where services.id = integrations.service_id)'
const serviceMinutes = `(select ${serviceReadMinutes} from services where services.id = integrations.service_id)`
const columns = [
  ...ownColumns,
  sql<JsonValue>`${sql.raw(definition)}`.as('definition'),
  sql<number | null>`${sql.raw(serviceMinutes)}`.as('service_read_minutes'),
] as const
/** The same for SQL in text. */
export const integrationColumns = `${ownColumns.join(', ')}, ${definition} as definition,
  ${serviceMinutes} as service_read_minutes`

const selectIntegrations = (db: Db) =>
  db
    .selectFrom('integrations')
    .select(columns)
    .where('integrations.deleted_at', 'is', null)
    .$narrowType<{ status: IntegrationStatus; messages: MessageState }>()

/** An integration belongs to whom its app belongs to; one without an app to whoever has made it. */
const selectWithOwner = (db: Db) =>
  selectIntegrations(db)
    .leftJoin('apps', 'apps.id', 'integrations.app_id')
    .select([
      sql<number | null>`case when app_id is null then integrations.user_id else apps.user_id end`.as('owner_user_id'),
      sql<number | null>`case when app_id is null then integrations.company_id else apps.company_id end`.as(
        'owner_company_id',
      ),
    ])

/** As text: nearly every request asks it, and to put so many columns together each time took longer than asking. */
const byId = `
  select ${ownColumns.join(', ')}, services.definition, ${serviceReadMinutes} as service_read_minutes
  from integrations left join services on services.id = integrations.service_id
  where integrations.id = $1 and integrations.deleted_at is null`

/** Whoever it belongs to: for callers that have been let in already, such as jobs and claims. */
export async function readIntegration(db: Db, id: number): Promise<Integration> {
  const found = await integrationIfAny(db, id)
  if (!found) throw notFound()
  return found
}

/** Null where there is none. That it cannot be read just now is something else. */
export async function integrationIfAny(db: Db, id: number): Promise<Integration | null> {
  const { rows } = await db.executeQuery<Integration>(CompiledQuery.raw(byId, [id]))
  return rows[0] ?? null
}

export async function isInstalled(db: Db, id: number): Promise<boolean> {
  const found = await db
    .selectFrom('integrations')
    .select('id')
    .where('id', '=', id)
    .where('status', '<>', 'UNINSTALLED')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

export async function findIntegrationOfApp(db: Db, tenant: AppTenant, id: number): Promise<Integration> {
  const integration = await readIntegration(db, id)
  if (integration.app_id !== tenant.appId) throw forbidden()
  return integration
}

/** By its public key or its id; these cannot be mistaken for each other. */
export async function findIntegrationByKey(db: Db, tenant: AppTenant, key: string): Promise<Integration> {
  if (/^[1-9]\d{0,14}$/.test(key)) return await findIntegrationOfApp(db, tenant, Number(key))
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key)) throw notFound()
  const integration = await selectIntegrations(db)
    .where('integration_key', '=', key.toLowerCase())
    .executeTakeFirstOrThrow(notFound)
  if (integration.app_id !== tenant.appId) throw forbidden()
  return integration
}

export async function findIntegrationOfAccount(db: Db, tenant: AccountTenant, id: number): Promise<Integration> {
  const integration = await readIntegration(db, id)
  if (integration.app_id !== tenant.appId || integration.account_id !== tenant.accountId) throw forbidden()
  return integration
}

export async function findIntegrationOfUser(db: Db, tenant: UserTenant, id: number): Promise<Integration> {
  const found = await selectWithOwner(db).where('integrations.id', '=', id).executeTakeFirstOrThrow(notFound)
  const { owner_user_id: user_id, owner_company_id: company_id, ...integration } = found
  if (!owns(tenant, { user_id, company_id }, integration.app_id)) throw forbidden()
  return integration
}

/** Below an app that the caller has been let into: what is not the app's is not there. */
export async function findIntegrationBelow(db: Db, tenant: AppTenant, id: number): Promise<Integration> {
  return await selectIntegrations(db)
    .where('integrations.id', '=', id)
    .where('app_id', '=', tenant.appId)
    .executeTakeFirstOrThrow(notFound)
}

/** Those of these ids that a user reaches, for references in bodies. */
export async function integrationsReachedByUser(
  db: Db,
  tenant: UserTenant,
  ids: readonly number[],
): Promise<Map<number, Integration>> {
  if (ids.length === 0) return new Map()
  const rows = await selectWithOwner(db).where('integrations.id', 'in', ids).execute()
  const reached = rows.filter(({ owner_user_id: user_id, owner_company_id: company_id, app_id }) =>
    owns(tenant, { user_id, company_id }, app_id),
  )
  return new Map(reached.map((integration) => [integration.id, integration]))
}

/** As it is now, and nobody else changes it until the transaction ends. */
export async function lockIntegration(db: Db, id: number): Promise<Integration> {
  return await selectIntegrations(db)
    .where('integrations.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound)
}

export interface NewIntegration {
  app_id: number | null
  account_id: number | null
  user_id: number | null
  company_id: number | null
  service_id: number
  type: string
  name: string
  shop: string
  status: IntegrationStatus
  status_reason: StatusReason | null
  description?: string | null | undefined
  active?: boolean | undefined
  settings: Record<string, unknown>
}

/** Together with the anchor of its data: the one is never without the other. */
export async function insertIntegration(db: Db, integration: NewIntegration): Promise<Integration> {
  const inserted = await db
    .insertInto('integrations')
    .values(integration)
    .returning(columns)
    .$narrowType<{ status: IntegrationStatus; messages: MessageState }>()
    .executeTakeFirstOrThrow()
  await db.insertInto('integration_state').values({ integration_id: inserted.id, app_id: inserted.app_id }).execute()
  return inserted
}

export interface IntegrationChanges {
  name?: string | undefined
  description?: string | null | undefined
  settings?: Record<string, unknown> | undefined
  active?: boolean | undefined
  logo?: string | undefined
  read_every_minutes?: number | null | undefined
  next_read_at?: string | null | undefined
  status?: IntegrationStatus | undefined
  status_reason?: StatusReason | null | undefined
}

/** Part of a transaction that holds the integration. */
export async function changeIntegration(db: Db, id: number, changes: IntegrationChanges): Promise<Integration> {
  return await db
    .updateTable('integrations')
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(columns)
    .$narrowType<{ status: IntegrationStatus; messages: MessageState }>()
    .executeTakeFirstOrThrow(notFound)
}

export async function markInstalled(db: Db, id: number): Promise<Integration> {
  await db
    .updateTable('integrations')
    .set({
      installed_at: sql<string>`now()`,
      // The first sync has begun: the clock's turn comes after it, but no later than it always does.
      next_read_at: sql<string>`case when read_every_minutes = 0 then null
        else now() + least(coalesce(read_every_minutes, 5), 5) * (0.8 + 0.2 * random()) * interval '1 minute' end`,
      catalogue_read_at: sql<string>`now()`,
      // Whoever registers us in the shop knows better, soon.
      messages: 'none',
      messages_since: null,
    })
    .where('id', '=', id)
    .execute()
  return await changeIntegration(db, id, { status: 'ACTIVE', status_reason: null })
}

/** Its owner from now on; the anchor of its data goes with it. Part of a transaction that holds the integration. */
export async function giveIntegration(
  db: Db,
  id: number,
  owner: { app_id: number; account_id: number | null },
): Promise<Integration> {
  await db.updateTable('integrations').set(owner).where('id', '=', id).execute()
  // The address that the shop sends to names the account.
  await db
    .updateTable('shop_webhooks')
    .set({ next_check_at: sql<string>`now()` })
    .where('integration_id', '=', id)
    .execute()
  await db.updateTable('integration_state').set({ app_id: owner.app_id }).where('integration_id', '=', id).execute()
  return await changeIntegration(db, id, {})
}

export async function touchLastRun(db: Db, id: number): Promise<void> {
  await db.updateTable('integrations').set({ last_run_at: sql<string>`now()` }).where('id', '=', id).execute()
}

/** What the platform says it granted. Nothing else about the integration has changed by that. */
export async function setGranted(db: Db, id: number, granted: readonly string[] | null): Promise<void> {
  const value = granted && [...granted]
  await sql`
    update integrations set granted = ${value}::text[]
    where id = ${id} and granted is distinct from ${value}::text[]`.execute(db)
}

/** What a comparison with the shop has shown. */
export async function setCompleteness(db: Db, id: number, completeness: object): Promise<void> {
  await db
    .updateTable('integrations')
    .set({ completeness: JSON.stringify(completeness) })
    .where('id', '=', id)
    .execute()
}

export type Uncompared = Pick<Integration, 'id' | 'type' | 'definition' | 'completeness'>

/**
 * Connected integrations of these types, and of services that are described, that have not been compared with their
 * shop for a day. Marked in the same statement, so that no other scheduler takes them as well; the longest neglected
 * first.
 */
export async function takeUncompared(
  db: Db,
  { types, limit, node }: { types: readonly string[]; limit: number; node: Node },
): Promise<Uncompared[]> {
  const { rows } = await sql<Uncompared>`
    update integrations set compared_at = now()
    where id in (
      select id from integrations
      where status = 'ACTIVE' and active and deleted_at is null
        and (type = any(${[...types]}::text[])
          or service_id in (select id from services where definition is not null))
        and coalesce(compared_at, installed_at) < now() - interval '1 day'
        and ${liesOn(node, 'id')}
      order by coalesce(compared_at, installed_at) limit ${limit} for update skip locked)
    returning id, type, completeness, ${sql.raw(definition)} as definition`.execute(db)
  return rows
}

/**
 * What was synced for the first time is compared with the shop next, and not only a day later: whoever has just connected it
 * wants to know that nothing is missing. Nothing happens to one that was compared before.
 */
export async function compareSoon(trx: Db, id: number): Promise<void> {
  await sql`
    update integrations set compared_at = now() - interval '1 day' where id = ${id} and compared_at is null`.execute(
    trx,
  )
}

export async function countConnected(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from integrations where status = 'ACTIVE' and active and deleted_at is null`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Ids of a page of the integrations of a type that are connected, be it that their shop refuses us at the moment. None of
 * those that somebody has described under the same type.
 */
export async function connectedOfType(
  db: Db,
  type: string,
  { after, limit, node }: { after: number; limit: number; node: Node },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from integrations
    where type = ${type} and id > ${after} and deleted_at is null and active and status in ('ACTIVE', 'ERROR')
      and ${liesOn(node, 'id')}
      and not exists (select from services where services.id = service_id and definition is not null)
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function softDeleteIntegration(db: Db, id: number): Promise<void> {
  await db.updateTable('integrations').set(deletedNow).where('id', '=', id).execute()
}
