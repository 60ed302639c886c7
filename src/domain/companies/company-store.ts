import { sql } from 'kysely'
import { forbidden, notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import { holdRow } from '../../runtime/db/rows/hold-row.ts'
import { listTotal } from '../list-total.ts'
import type { UserTenant } from '../tenant.ts'
import { type Company, type CompanyInput, seesCompany } from './company.ts'

const columns = [
  'id',
  'user_id',
  'name',
  'email',
  'phone',
  'website',
  'country',
  'active',
  'created_at',
  'updated_at',
] as const

export const companyList: ListPlan = {
  name: 'companies',
  from: 'companies',
  columns: columns.join(', '),
  filters: { active: { column: 'active', type: 'boolean' } },
  sorts: { id: 'id', name: 'name', created_at: 'created_at', updated_at: 'updated_at' },
}

const isEmpty = 'not exists(select from users where users.company_id = companies.id and users.deleted_at is null)'

export function companyScope(tenant: UserTenant): ListScope {
  if (tenant.admin) {
    return { key: 'all', sql: 'deleted_at is null', params: [], total: listTotal('companies', 0) }
  }
  return {
    key: 'own',
    sql: `(id = ?::bigint or (user_id = ? and ${isEmpty})) and deleted_at is null`,
    params: [tenant.companyId, tenant.userId],
  }
}

export async function findCompany(db: Db, tenant: UserTenant, id: number): Promise<Company> {
  const found = await db
    .selectFrom('companies')
    .select(columns)
    .select(sql<boolean>`${sql.raw(isEmpty)}`.as('empty'))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw notFound()
  if (!seesCompany(tenant, found)) throw forbidden()
  const { empty: _, ...company } = found
  return company
}

export async function companyExists(db: Db, id: number): Promise<boolean> {
  const found = await db
    .selectFrom('companies')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

/** Whoever changes how its members sign in does so one after the other, until the transaction ends. */
export async function holdCompany(trx: Db, id: number): Promise<void> {
  await holdRow(trx, 'companies', id)
}

/** Only what a caller may set, whatever else came along. */
function companyColumns({ name, email, phone, website, country, active }: Partial<CompanyInput>) {
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    ...(website !== undefined && { website }),
    ...(country !== undefined && { country }),
    ...(active !== undefined && { active }),
  }
}

export async function insertCompany(db: Db, creator: number | null, input: CompanyInput): Promise<Company> {
  return await db
    .insertInto('companies')
    .values({ ...companyColumns(input), name: input.name, user_id: creator })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function changeCompany(
  db: Db,
  tenant: UserTenant,
  input: { id: number; changes: Partial<CompanyInput> },
): Promise<Company> {
  await findCompany(db, tenant, input.id)
  return await db
    .updateTable('companies')
    .set({ ...companyColumns(input.changes), updated_at: sql<string>`now()` })
    .where('id', '=', input.id)
    .where('deleted_at', 'is', null)
    .returning(columns)
    .executeTakeFirstOrThrow(notFound)
}

/** As its owner. True if the user had no company before. */
export async function joinCompany(db: Db, userId: number, companyId: number): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ company_id: companyId, company_role: 'owner', updated_at: sql<string>`now()` })
    .where('id', '=', userId)
    .where('company_id', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Null where there is none. */
export async function companyName(db: Db, id: number | null): Promise<string | null> {
  return id === null ? null : ((await companyNames(db, [id])).get(id) ?? null)
}

export async function companyNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.selectFrom('companies').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
