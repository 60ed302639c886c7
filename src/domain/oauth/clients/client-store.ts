import { sql } from 'kysely'
import { forbidden, notFound } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { ListPlan, ListScope } from '../../../runtime/db/lists/paginate.ts'
import { holdRow } from '../../../runtime/db/rows/hold-row.ts'
import { listTotal } from '../../list-total.ts'
import { ownedParams, ownedSql, owns, type UserTenant } from '../../tenant.ts'
import { isAnsweredFor } from '../../token-revocation-store.ts'
import type { Client } from './client.ts'

const columns = [
  'id',
  'user_id',
  'company_id',
  'app_id',
  'name',
  'grant_types',
  'scopes',
  'redirect',
  'confidential',
  'created_at',
  'updated_at',
] as const

export const clientList: ListPlan = {
  name: 'clients',
  from: 'oauth_clients',
  columns: columns.join(', '),
  filters: { app_id: { column: 'app_id', type: 'bigint' } },
  sorts: { id: 'id', name: 'name', created_at: 'created_at', updated_at: 'updated_at' },
}

export function clientScope(tenant: UserTenant): ListScope {
  if (tenant.admin) return { key: 'all', sql: 'revoked_at is null', params: [], total: listTotal('clients', 0) }
  return {
    key: 'own',
    sql: `${ownedSql()} and revoked_at is null`,
    params: ownedParams(tenant),
  }
}

export async function findClient(db: Db, tenant: UserTenant, id: number): Promise<Client> {
  const client = await db
    .selectFrom('oauth_clients')
    .select(columns)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!client) throw notFound()
  if (!owns(tenant, client)) throw forbidden()
  return client
}

/** The same, and nobody else changes that client until the transaction ends. */
export async function lockClient(db: Db, tenant: UserTenant, id: number): Promise<Client> {
  await holdRow(db, 'oauth_clients', id)
  return await findClient(db, tenant, id)
}

export async function ownsApp(db: Db, tenant: UserTenant, appId: number): Promise<boolean> {
  const app = await db
    .selectFrom('apps')
    .select(['user_id', 'company_id'])
    .where('id', '=', appId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return app !== undefined && owns(tenant, app, appId)
}

export interface NewClient {
  user_id: number | null
  company_id: number | null
  app_id: number | null
  name: string
  secret_hash: Buffer | null
  grant_types: string[]
  scopes: string[] | null
  redirect: string[]
  confidential: boolean
}

export async function insertClient(db: Db, client: NewClient): Promise<Client> {
  return await db.insertInto('oauth_clients').values(client).returning(columns).executeTakeFirstOrThrow()
}

export type ClientChanges = Partial<Pick<NewClient, 'app_id' | 'name' | 'grant_types' | 'scopes' | 'redirect'>>

export async function changeClient(db: Db, id: number, changes: ClientChanges): Promise<Client> {
  return await db
    .updateTable('oauth_clients')
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(columns)
    .executeTakeFirstOrThrow(notFound)
}

export async function setClientMaker(
  db: Db,
  id: number,
  values: { user_id: number; secret_hash?: Buffer },
): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set({ ...values, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}

export async function markClientRevoked(db: Db, id: number): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set({ revoked_at: sql<string>`now()`, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}

export type ClientWithSecret = Client & { secret_hash: Buffer | null }

/**
 * By the client itself, at the token endpoint: it proves who it is by its secret, there is no tenant yet. A client whose
 * app or maker is gone opens nothing any more, and is given no token that would say otherwise.
 */
export async function findClientForLogin(db: Db, id: number): Promise<ClientWithSecret | undefined> {
  return await db
    .selectFrom('oauth_clients')
    .select([...columns, 'secret_hash'])
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`${sql.raw(isAnsweredFor('oauth_clients'))}`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('apps')
            .select('apps.id')
            .whereRef('apps.id', '=', 'oauth_clients.app_id')
            .where('apps.deleted_at', 'is not', null),
        ),
      ),
    )
    .executeTakeFirst()
}

/**
 * Until the transaction ends nobody takes its secret or its app away; false where somebody has, since it proved who it is. What is
 * given to it then would be closed by nobody.
 */
export async function holdClient(
  trx: Db,
  { id, secret_hash, app_id }: Pick<ClientWithSecret, 'id' | 'secret_hash' | 'app_id'>,
): Promise<boolean> {
  const held = await trx
    .selectFrom('oauth_clients')
    .select('id')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('secret_hash', 'is not distinct from', secret_hash)
    .where('app_id', 'is not distinct from', app_id)
    .forShare()
    .executeTakeFirst()
  return held !== undefined
}
