import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

export interface CatalogueEntry {
  type: string
  name: string
  description: string | null
  auth_type: string
}

/**
 * Adds what is new and follows what has changed, without touching the rest: two processes may do it at once. What an
 * operator has removed stays removed. Gives the types that have no service of ours afterwards.
 */
export async function upsertCatalogue(db: Db, entries: readonly CatalogueEntry[]): Promise<string[]> {
  const given = sql`jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
    as given (type text, name text, description text, auth_type text)`
  const ours = sql`services.user_id is null and services.company_id is null`
  await sql`
    insert into services (type, name, description, auth_type, mutable)
    select type, name, description, auth_type, false from ${given}
    where not exists (select from services where services.type = given.type and ${ours})
    on conflict do nothing`.execute(db)
  await sql`
    update services
    set name = given.name, description = given.description, auth_type = given.auth_type, updated_at = now()
    from ${given}
    where services.type = given.type and services.deleted_at is null and ${ours}
      and (services.name, services.description, services.auth_type)
        is distinct from (given.name, given.description, given.auth_type)`.execute(db)
  const { rows } = await sql<{ type: string }>`
    select type from ${given}
    where not exists (select from services where services.type = given.type and deleted_at is null and ${ours})`.execute(
    db,
  )
  return rows.map((row) => row.type)
}

/** By type. Whoever asks holds the catalogue until the transaction ends: no two add to it at once. */
export async function builtInServiceIds(db: Db): Promise<Map<string, number>> {
  await sql`select pg_advisory_xact_lock(hashtext('entrepot catalogue'))`.execute(db)
  const services = await db
    .selectFrom('services')
    .select(['id', 'type'])
    .where('user_id', 'is', null)
    .where('company_id', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return new Map(services.map((service) => [service.type, service.id]))
}
