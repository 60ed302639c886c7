import { sql } from 'kysely'
import type { Db } from '../runtime/db/connection.ts'

/** Whom a demo was made for. Nobody else has an address below `.example`: it leads nowhere. */
export interface DemoOwner {
  userId: number
  companyId: number | null
}

export async function demoOwners(db: Db): Promise<DemoOwner[]> {
  const { rows } = await sql<DemoOwner>`
    select id as "userId", company_id as "companyId" from users
    where email ~ '^demo@demo-[a-z0-9]{7,18}[.]example$' and deleted_at is null order by id`.execute(db)
  return rows
}

export async function appsOf(db: Db, companyId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from apps where company_id = ${companyId} and deleted_at is null order by id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function integrationsOf(db: Db, appId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from integrations where app_id = ${appId} order by id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export async function clientsOf(db: Db, companyId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from oauth_clients where company_id = ${companyId} and revoked_at is null order by id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function deleteCompany(trx: Db, companyId: number): Promise<void> {
  await sql`update companies set deleted_at = now(), active = false where id = ${companyId}`.execute(trx)
}
