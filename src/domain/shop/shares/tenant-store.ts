import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

/** Whose integration it is: of a company, else of an app or user. */
export async function tenantOf(db: Db, integrationId: number): Promise<string> {
  const { rows } = await sql<{ tenant: string }>`
    select coalesce('company ' || coalesce(a.company_id, i.company_id), 'app ' || i.app_id, 'user ' || i.user_id, '') as tenant
    from integrations i left join apps a on a.id = i.app_id where i.id = ${integrationId}`.execute(db)
  return rows[0]?.tenant ?? ''
}
