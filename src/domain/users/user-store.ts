import { sql } from 'kysely'
import { forbidden, notFound } from '../../lib/fault.ts'
import { foldEmail } from '../../lib/identity/fold-email.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { deletedNow } from '../../runtime/db/deleted-now.ts'
import {
  type ListPlan,
  type ListScope,
  type PageOf,
  type PageQuery,
  paginate,
  type Reader,
  type Version,
} from '../../runtime/db/lists/paginate.ts'
import { holdRow } from '../../runtime/db/rows/hold-row.ts'
import { listTotal } from '../list-total.ts'
import type { Permission } from '../permissions.ts'
import type { Role } from '../rights.ts'
import type { UserTenant } from '../tenant.ts'
import { addressColumns } from './address-store.ts'
import { type Roles, readRoles, rememberedRoles, type StoredUser, said, toUser } from './stored-user-store.ts'
import { type Actor, type AppRole, adminRole, type InstanceRole, seesUser, type User } from './user.ts'

const plain = [
  'id',
  'created_by',
  'company_id',
  'name',
  'email',
  'email_verified_at',
  'active',
  'created_at',
  'updated_at',
] as const

const given = `select permission from user_permissions where user_permissions.user_id = users.id
  union select permission from user_roles join role_permissions using (role_id) where user_roles.user_id = users.id`

/** One by one, or by a role of the instance; where a token's rights are read. */
export const givenPermissionsSql = `array(${given} order by 1)`

const columns = [...plain, 'company_role', ...Object.entries(said).map(([name, text]) => `${text} as ${name}`)].join(
  ', ',
)

/** All that is said of a user, as one text. */
const version = `row(${[...plain, 'company_role', ...Object.values(said)].join(', ')})::text as version`

const userList: ListPlan = {
  name: 'users',
  from: 'users',
  columns,
  filters: {
    active: { column: 'active', type: 'boolean' },
    company_id: { column: 'company_id', type: 'bigint' },
    email: { column: 'email_folded', type: 'text', match: 'email' },
  },
  sorts: { id: 'id', name: 'name', email: 'email', created_at: 'created_at', updated_at: 'updated_at' },
}

export async function listUsers(reader: Reader, tenant: UserTenant, query: PageQuery): Promise<PageOf<User>> {
  const { rows, total } = await paginate<StoredUser>(reader, userList, userScope(tenant), query)
  const known = await rememberedRoles(reader)
  return { rows: rows.map((row) => toUser(row, known)), total }
}

const versionList: ListPlan = { ...userList, name: 'user-versions', columns: `id, ${version}` }

/** Which users are on that page, and what is another text whenever anything is said of one that was not. */
export const listUserVersions = (reader: Reader, tenant: UserTenant, query: PageQuery): Promise<PageOf<Version>> =>
  paginate(reader, versionList, userScope(tenant), query)

export async function readUsersAsOf(reader: Reader, ids: readonly number[], known: Roles): Promise<(User & Version)[]> {
  const { rows } = await reader.query<StoredUser & Version>(
    `select ${columns}, ${version} from users where id = any($1::bigint[])`,
    [ids],
  )
  return rows.map((row) => ({ ...toUser(row, known), version: row.version }))
}

function userScope(tenant: UserTenant): ListScope {
  if (tenant.admin) return { key: 'all', sql: 'deleted_at is null', params: [], total: listTotal('users', 0) }
  if (tenant.companyId !== null) {
    return {
      key: 'company',
      sql: 'company_id = ? and deleted_at is null',
      params: [tenant.companyId],
      total: listTotal('users', tenant.companyId),
    }
  }
  return {
    key: 'self',
    sql: '(id = ? or (created_by = ? and company_id is null)) and deleted_at is null',
    params: [tenant.userId, tenant.userId],
  }
}

export async function findUser(db: Db, actor: Actor, id: number): Promise<User> {
  const stored = await db
    .selectFrom('users')
    .select([...plain, sql<Role | null>`company_role`.as('company_role')])
    .select([
      sql<number[]>`${sql.raw(said.role_ids)}`.as('role_ids'),
      sql<Permission[]>`${sql.raw(said.own)}`.as('own'),
      sql<string[]>`${sql.raw(said.app_roles)}`.as('app_roles'),
    ])
    .where('deleted_at', 'is', null)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!stored) throw notFound()
  if (!seesUser(actor, stored)) throw forbidden()
  return toUser(stored, await readRoles(db))
}

/** The same, and nobody else changes that user until the transaction ends. */
export async function lockUser(db: Db, actor: Actor, id: number): Promise<User> {
  await holdRow(db, 'users', id)
  return await findUser(db, actor, id)
}

export interface NewUser {
  created_by: number | null
  company_id: number | null
  name: string
  email: string
  /** Null: nobody signs in with a password. */
  password_hash: string | null
  password_tag?: string
  active: boolean
  /** The address is known to be the person's. */
  isVerified?: boolean
}

/** Null if a colleague has taken the address in the meantime. */
export async function insertUser(db: Db, { isVerified, ...user }: NewUser): Promise<number | null> {
  const inserted = await db
    .insertInto('users')
    .values({
      ...user,
      email_folded: foldEmail(user.email),
      ...(isVerified && { email_verified_at: sql<string>`now()` }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id ?? null
}

export interface UserChanges {
  company_id?: number | null
  company_role?: Role | null
  name?: string
  email?: string
  password_hash?: string
  password_tag?: string
  active?: boolean
}

export async function changeUser(db: Db, id: number, changes: UserChanges): Promise<void> {
  await db
    .updateTable('users')
    .set({
      ...changes,
      ...(changes.email !== undefined && addressColumns(changes.email)),
      ...(changes.password_hash !== undefined && { password_set_at: sql<string>`now()` }),
      updated_at: sql<string>`now()`,
    })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Nothing of the person stays. The record does, for what it made and for what is said of it: by its id. */
export async function eraseUser(db: Db, id: number): Promise<void> {
  const placeholder = `deleted-${id}@invalid`
  await db
    .updateTable('users')
    .set({
      ...deletedNow,
      name: 'Deleted user',
      email: placeholder,
      email_folded: placeholder,
      email_verified_at: null,
      password_hash: null,
      password_tag: null,
      active: false,
    })
    .where('id', '=', id)
    .execute()
  await db.updateTable('invitations').set({ email: placeholder }).where('user_id', '=', id).execute()
  await db.deleteFrom('login_addresses').where('user_id', '=', id).execute()
  await db.deleteFrom('totp_secrets').where('user_id', '=', id).execute()
  await db.deleteFrom('recovery_codes').where('user_id', '=', id).execute()
  await db.deleteFrom('passkeys').where('user_id', '=', id).execute()
  await db.deleteFrom('user_permissions').where('user_id', '=', id).execute()
  await db.deleteFrom('user_roles').where('user_id', '=', id).execute()
  await db.deleteFrom('saved_views').where('user_id', '=', id).execute()
}

export async function findRoles(db: Db, names: readonly string[]): Promise<InstanceRole[]> {
  if (names.length === 0) return []
  return await db
    .selectFrom('roles')
    .select(['id', 'name'])
    .select(
      sql<Permission[]>`array(select permission from role_permissions where role_id = roles.id)`.as('permissions'),
    )
    .where('name', 'in', names)
    .execute()
}

export async function setRoles(db: Db, userId: number, roles: readonly InstanceRole[]): Promise<void> {
  await db.deleteFrom('user_roles').where('user_id', '=', userId).execute()
  if (roles.length === 0) return
  await db
    .insertInto('user_roles')
    .values(roles.map((role) => ({ user_id: userId, role_id: role.id })))
    .execute()
}

export async function setPermissions(db: Db, userId: number, permissions: readonly Permission[]): Promise<void> {
  await db.deleteFrom('user_permissions').where('user_id', '=', userId).execute()
  if (permissions.length === 0) return
  await db
    .insertInto('user_permissions')
    .values(permissions.map((permission) => ({ user_id: userId, permission })))
    .execute()
}

export async function readDirectPermissions(db: Db, userId: number): Promise<string[]> {
  const rows = await db.selectFrom('user_permissions').select('permission').where('user_id', '=', userId).execute()
  return rows.map((row) => row.permission)
}

/** Whether somebody else could still administer. Whoever asks holds the role until the end: no two ask at once. */
export async function otherActiveAdmin(db: Db, userId: number): Promise<boolean> {
  const role = await db.selectFrom('roles').select('id').where('name', '=', adminRole).forUpdate().executeTakeFirst()
  const other = await db
    .selectFrom('user_roles')
    .innerJoin('users', 'users.id', 'user_roles.user_id')
    .select('users.id')
    .where('user_roles.role_id', '=', role?.id ?? 0)
    .where('users.id', '<>', userId)
    .where('users.active', '=', true)
    .where('users.deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Roles belong to a company and its apps, and so does who somebody is at its identity provider: they end with it. */
export async function takeCompanyRoles(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('single_sign_on_subjects').where('user_id', '=', userId).execute()
  await db.updateTable('users').set({ company_role: null }).where('id', '=', userId).execute()
  await db.deleteFrom('app_roles').where('user_id', '=', userId).execute()
}

export async function setAppRoles(db: Db, userId: number, appRoles: readonly AppRole[]): Promise<void> {
  await db.deleteFrom('app_roles').where('user_id', '=', userId).execute()
  if (appRoles.length === 0) return
  await db
    .insertInto('app_roles')
    .values(appRoles.map(({ app_id, role }) => ({ user_id: userId, app_id, role })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whoever asks holds the company until the end: no two owners step back at once. */
export async function otherOwner(db: Db, input: { companyId: number; userId: number }): Promise<boolean> {
  await holdRow(db, 'companies', input.companyId)
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('company_id', '=', input.companyId)
    .where('company_role', '=', 'owner')
    .where('id', '<>', input.userId)
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** So that what somebody made there is found afterwards. */
export async function recordDeparture(db: Db, user: Pick<User, 'id' | 'company_id'>): Promise<void> {
  if (user.company_id === null) return
  await db
    .insertInto('departures')
    .values({ company_id: user.company_id, user_id: user.id })
    .onConflict((conflict) => conflict.columns(['company_id', 'user_id']).doUpdateSet({ left_at: sql<string>`now()` }))
    .execute()
}
