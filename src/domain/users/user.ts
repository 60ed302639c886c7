import type { FieldErrors } from '../../lib/fault.ts'
import { type Permission, permissions } from '../permissions.ts'
import { type Role, rights } from '../rights.ts'
import type { UserCaller } from '../tenant.ts'

export interface User {
  id: number
  created_by: number | null
  company_id: number | null
  name: string
  email: string
  email_verified_at: string | null
  active: boolean
  roles: string[]
  company_role: Role | null
  app_roles: AppRole[]
  /** Effective: given directly or by a role. */
  permissions: Permission[]
  created_at: string
  updated_at: string
}

/** A role for a single app, in the place of the one in the company. */
export interface AppRole {
  app_id: number
  role: Role
}

/** Of the whole instance, as opposed to a role in a company. */
export interface InstanceRole {
  id: number
  name: string
  permissions: Permission[]
}

/** Who acts on users. `userId` is null for the operator at the command line. */
export interface Actor extends Pick<UserCaller, 'companyId' | 'admin' | 'role' | 'permissions' | 'rights' | 'reach'> {
  userId: number | null
}

/** The person at the terminal of the server: may do everything. */
export const operator: Actor = {
  userId: null,
  companyId: null,
  admin: true,
  role: null,
  permissions: new Set(permissions),
  rights: new Set(rights),
}

export const adminRole = 'admin'

export const isAdmin = (user: Pick<User, 'roles'>): boolean => user.roles.includes(adminRole)

/** Colleagues see each other. Without a company one sees oneself and those one has made who have none either. */
export function seesUser(actor: Actor, user: Pick<User, 'id' | 'company_id' | 'created_by'>): boolean {
  if (actor.admin || user.id === actor.userId) return true
  if (actor.companyId !== null) return user.company_id === actor.companyId
  return user.company_id === null && user.created_by !== null && user.created_by === actor.userId
}

/** Somebody who may do what the actor may not is out of the actor's reach, also inside one company. */
export function outranks(user: Pick<User, 'roles' | 'permissions' | 'company_role'>, actor: Actor): boolean {
  if (actor.admin) return false
  if (isAdmin(user) || (user.company_role === 'owner' && actor.role !== 'owner')) return true
  return user.permissions.some((permission) => !actor.permissions.has(permission))
}

/** A role is within reach if all it allows is. `admin` allows more than its permissions say. */
function mayGrantRole(actor: Actor, role: InstanceRole): boolean {
  if (actor.admin) return true
  return role.name !== adminRole && role.permissions.every((permission) => actor.permissions.has(permission))
}

/**
 * What is wrong with the roles and permissions that `actor` wants `target` to have. What the target has already may
 * stay; anything else must be known and held by the actor.
 */
export function grantErrors(
  actor: Actor,
  wanted: { roles?: readonly string[]; permissions?: readonly string[] },
  known: { roles: readonly InstanceRole[]; target: Pick<User, 'roles' | 'permissions'> | null },
): FieldErrors {
  const errors: FieldErrors = {}
  for (const [index, name] of (wanted.roles ?? []).entries()) {
    const role = known.roles.find((candidate) => candidate.name === name)
    const allowed = role && (known.target?.roles.includes(name) || mayGrantRole(actor, role))
    if (!allowed) errors[`roles.${index}`] = [`The selected roles.${index} is invalid.`]
  }
  for (const [index, name] of (wanted.permissions ?? []).entries()) {
    const allowed =
      isPermission(name) && (known.target?.permissions.includes(name) || actor.admin || actor.permissions.has(name))
    if (!allowed) errors[`permissions.${index}`] = [`The selected permissions.${index} is invalid.`]
  }
  return errors
}

const isPermission = (name: string): name is Permission => (permissions as readonly string[]).includes(name)

/**
 * The permissions to store beside the roles: records show the effective ones, so a client that writes back what it
 * read must not turn what a role gives into something that stays when the role is taken away.
 */
export function directPermissions(
  wanted: readonly string[],
  roles: readonly Pick<InstanceRole, 'permissions'>[],
): Permission[] {
  const byRole = new Set(roles.flatMap((role) => role.permissions))
  return [...new Set(wanted.filter(isPermission))].filter((permission) => !byRole.has(permission))
}
