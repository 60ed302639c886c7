import { CompiledQuery } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { Reader } from '../../runtime/db/lists/paginate.ts'
import { remembered } from '../../runtime/remembered.ts'
import type { Permission } from '../permissions.ts'
import { permissionsOfRole, type Role, roles } from '../rights.ts'
import type { AppRole, InstanceRole, User } from './user.ts'

/** From what several tables say of a user to the user. */

/** What is said of a user in other tables, as it is there: to sort and unite it for each row takes half of the statement's time. */
export const said = {
  role_ids: 'array(select role_id from user_roles where user_roles.user_id = users.id)',
  own: 'array(select permission from user_permissions where user_permissions.user_id = users.id)',
  app_roles: `array(select app_id || ' ' || role from app_roles where app_roles.user_id = users.id)`,
}

/** A user as the tables have it. */
export interface StoredUser extends Omit<User, 'roles' | 'permissions' | 'app_roles'> {
  role_ids: number[]
  own: Permission[]
  app_roles: string[]
}

const allRoles = `select id, name, array(select permission from role_permissions where role_id = roles.id order by 1) as permissions
  from roles order by id`

export type Roles = ReadonlyMap<number, InstanceRole>

const rolesById = (roles: readonly InstanceRole[]): Roles =>
  new Map(roles.map((role) => [role.id, { ...role, permissions: role.permissions.sort() }]))

const rolesByReader = new WeakMap<Reader, () => Promise<Roles>>()

/** As they are just now. */
export async function readRoles(db: Db): Promise<Roles> {
  return rolesById((await db.executeQuery<InstanceRole>(CompiledQuery.raw(allRoles))).rows)
}

/** Roles of the instance come with the tables and stay as they are: whoever changes them by hand waits a moment. The same object as long as they are the same. */
export function rememberedRoles(reader: Reader): Promise<Roles> {
  const known = rolesByReader.get(reader) ?? remembered(10, readerOfRoles(reader))
  rolesByReader.set(reader, known)
  return known()
}

function readerOfRoles(reader: Reader): () => Promise<Roles> {
  let last: { said: string; roles: Roles } | undefined
  return async () => {
    const { rows } = await reader.query<InstanceRole>(allRoles)
    const text = JSON.stringify(rows)
    if (last?.said !== text) last = { said: text, roles: rolesById(rows) }
    return last.roles
  }
}

const permissionsByCompanyRole = new Map(roles.map((role) => [role, permissionsOfRole(role).sort()]))

/** Named one by one: to leave some out of a row and copy the rest takes several times as long, and a list does it for each. */
export function toUser(stored: StoredUser, known: Roles): User {
  const held = rolesOf(stored, known)
  const { company_role: companyRole, own, app_roles: appRoles } = stored
  const ofCompany = companyRole === null ? [] : (permissionsByCompanyRole.get(companyRole) ?? [])
  return {
    id: stored.id,
    created_by: stored.created_by,
    company_id: stored.company_id,
    name: stored.name,
    email: stored.email,
    email_verified_at: stored.email_verified_at,
    active: stored.active,
    roles: held.map(({ name }) => name),
    company_role: companyRole,
    app_roles: appRoles.length === 0 ? [] : appRoles.map(toAppRole).sort((a, b) => a.app_id - b.app_id),
    permissions: united([own.sort(), ofCompany, ...held.map(({ permissions }) => permissions)]),
    created_at: stored.created_at,
    updated_at: stored.updated_at,
  }
}

const rolesOf = ({ role_ids: ids }: StoredUser, known: Roles): InstanceRole[] =>
  ids.length === 0 ? [] : ids.sort((a, b) => a - b).flatMap((id) => known.get(id) ?? [])

/** Of sorted lists; nearly everybody has one that is not empty. */
function united(lists: readonly Permission[][]): Permission[] {
  const [first = [], ...others] = lists.filter(({ length }) => length > 0)
  return others.length === 0 ? first : [...new Set([...first, ...others.flat()])].sort()
}

function toAppRole(text: string): AppRole {
  const [appId, role] = text.split(' ')
  return { app_id: Number(appId), role: role as Role }
}
