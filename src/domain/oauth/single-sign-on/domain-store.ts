import { sql } from 'kysely'
import { notFound } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { SingleSignOnDomain } from './single-sign-on.ts'

const columns = ['id', 'domain', 'proof', 'proved_at'] as const

/** At most a few: a company is known by so many names. */
export async function readDomains(db: Db, companyId: number): Promise<SingleSignOnDomain[]> {
  return await db
    .selectFrom('single_sign_on_domains')
    .select(columns)
    .where('company_id', '=', companyId)
    .orderBy('domain')
    .execute()
}

export async function findDomain(db: Db, companyId: number, id: number): Promise<SingleSignOnDomain> {
  return await db
    .selectFrom('single_sign_on_domains')
    .select(columns)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

/** Null if the company has claimed it already. */
export async function insertDomain(
  db: Db,
  input: { companyId: number; domain: string; proof: string },
): Promise<SingleSignOnDomain | null> {
  const row = await db
    .insertInto('single_sign_on_domains')
    .values({ company_id: input.companyId, domain: input.domain, proof: input.proof })
    .onConflict((conflict) => conflict.columns(['company_id', 'domain']).doNothing())
    .returning(columns)
    .executeTakeFirst()
  return row ?? null
}

/** Fails as a duplicate does if another company has proved it: a domain counts for one. */
export async function markProved(db: Db, companyId: number, id: number): Promise<SingleSignOnDomain> {
  return await db
    .updateTable('single_sign_on_domains')
    .set({ proved_at: sql<string>`coalesce(proved_at, now())` })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow(notFound)
}

export async function deleteDomain(db: Db, companyId: number, id: number): Promise<void> {
  await db.deleteFrom('single_sign_on_domains').where('company_id', '=', companyId).where('id', '=', id).execute()
}

/** The company whose provider people of this domain sign in at. */
export async function findCompanyOfDomain(db: Db, domain: string): Promise<number | null> {
  const row = await db
    .selectFrom('single_sign_on_domains')
    .innerJoin('single_sign_on', 'single_sign_on.company_id', 'single_sign_on_domains.company_id')
    .innerJoin('companies', 'companies.id', 'single_sign_on_domains.company_id')
    .select('single_sign_on.company_id')
    .where('domain', '=', domain)
    .where('proved_at', 'is not', null)
    .where('companies.deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.company_id ?? null
}

export async function hasProved(db: Db, companyId: number, domain: string): Promise<boolean> {
  return (await findCompanyOfDomain(db, domain)) === companyId
}
