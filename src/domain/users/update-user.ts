import { type FieldErrors, forbidden, invalid, invalidField } from '../../lib/fault.ts'
import { type KeptPassword, keepPassword } from '../../lib/identity/password-tag.ts'
import { type Db, sqlState } from '../../runtime/db/connection.ts'
import { announce } from '../announce-store.ts'
import { companyName } from '../companies/company-store.ts'
import type { Context } from '../context.ts'
import { postLetter } from '../mail/send-mail.ts'
import { permissionsOfRole, type Role } from '../rights.ts'
import { revokeTokens, voidResets } from '../token-revocation-store.ts'
import { emailTaken } from './address-store.ts'
import { keepAnOwner } from './assign-roles.ts'
import { companyIsInvalid, emailIsTaken, mayPlaceIn, takenWords } from './create-user.ts'
import { leaveCompany } from './leave-company.ts'
import { passwordChanged } from './password-letters.ts'
import { passwordErrors } from './password-rules.ts'
import {
  type Actor,
  adminRole,
  directPermissions,
  grantErrors,
  type InstanceRole,
  isAdmin,
  outranks,
  type User,
} from './user.ts'
import {
  changeUser,
  findRoles,
  findUser,
  lockUser,
  otherActiveAdmin,
  readDirectPermissions,
  setPermissions,
  setRoles,
  type UserChanges,
} from './user-store.ts'

export interface UpdateUserInput {
  name?: string
  email?: string
  password?: string
  active?: boolean
  company_id?: number | null
  /** Replace the ones there are. */
  roles?: readonly string[]
  permissions?: readonly string[]
}

interface Update {
  id: number
  changes: UpdateUserInput
}

export async function updateUser(context: Context, actor: Actor, { id, changes }: Update): Promise<User> {
  // First without a lock, so that nobody makes us hash who may not change this user anyway.
  if (outranks(await findUser(context.db, actor, id), actor)) throw forbidden()
  const password = changes.password === undefined ? undefined : await keepPassword(context.keys, changes.password)
  try {
    return await context.transaction(async (trx) => {
      const user = await lockUser(trx, actor, id)
      if (outranks(user, actor)) throw forbidden()
      const roles = await findRoles(trx, changes.roles ?? user.roles)
      const errors = await changeErrors(trx, actor, { user, changes, roles })
      if (Object.keys(errors).length > 0) throw invalid(errors)
      await keepAnAdmin(trx, user, changes)

      await changeUser(trx, id, columnChanges(changes, password))
      const leaves = changes.company_id !== undefined && changes.company_id !== user.company_id
      const stays = !leaves && changes.active !== false
      if (!stays && !actor.admin) await keepAnOwner(trx, user)
      if (leaves) await leaveCompany(trx, user)
      await changeRights(trx, { user, changes, roles, companyRole: leaves ? null : user.company_role })
      if (password !== undefined || changes.active === false) await revokeTokens(trx, 'user', id)
      else await announce(trx, 'user', id)
      if (changes.email !== undefined) await voidResets(trx, id)
      if (password !== undefined) await tellOfPassword(context, trx, { actor, user })
      return await findUser(trx, { ...actor, admin: true }, id)
    })
  } catch (error) {
    // Only the address is unique, and somebody took it between our look and our write.
    const isPlaced = changes.email !== undefined || changes.company_id !== undefined
    if (isPlaced && sqlState(error) === '23505') throw emailIsTaken()
    throw error
  }
}

/** To the address that there was: whoever changes both at once should not be the only one to know. */
async function tellOfPassword(context: Context, trx: Db, { actor, user }: { actor: Actor; user: User }): Promise<void> {
  const how = actor.userId === user.id ? 'by you' : 'by somebody who manages users'
  const company = await companyName(trx, user.company_id)
  await postLetter(context, trx, passwordChanged({ to: user.email, publicUrl: context.publicUrl, company, how }))
}

function columnChanges(changes: UpdateUserInput, password: KeptPassword | undefined): UserChanges {
  const { name, email, active, company_id } = changes
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(active !== undefined && { active }),
    ...(company_id !== undefined && { company_id }),
    ...password,
  }
}

async function changeErrors(
  db: Db,
  actor: Actor,
  input: { user: User; changes: UpdateUserInput; roles: readonly InstanceRole[] },
): Promise<FieldErrors> {
  const { user, changes, roles } = input
  const errors: FieldErrors = {}
  const { name = user.name, email = user.email, company_id: companyId = user.company_id, password } = changes
  const moves = companyId !== user.company_id
  const isAllowed = !moves || (await mayPlaceIn(db, actor, companyId))
  if (!isAllowed) errors['company_id'] = [companyIsInvalid]
  if (isAllowed && (moves || changes.email !== undefined)) {
    if (await emailTaken(db, actor, { email, companyId, except: user.id })) errors['email'] = [takenWords]
  }
  Object.assign(errors, passwordErrors(password, { name, email }))
  return { ...errors, ...grantErrors(actor, changes, { roles, target: user }) }
}

async function changeRights(
  db: Db,
  input: { user: User; changes: UpdateUserInput; roles: readonly InstanceRole[]; companyRole: Role | null },
): Promise<void> {
  const { user, changes, roles, companyRole } = input
  if (changes.roles === undefined && changes.permissions === undefined) return
  if (changes.roles !== undefined) await setRoles(db, user.id, roles)
  const wanted = changes.permissions ?? (await readDirectPermissions(db, user.id))
  const inCompany = companyRole ? [{ permissions: permissionsOfRole(companyRole) }] : []
  await setPermissions(db, user.id, directPermissions(wanted, [...roles, ...inCompany]))
}

/** Without an active admin nobody could ever make one again. */
async function keepAnAdmin(db: Db, user: User, changes: UpdateUserInput): Promise<void> {
  if (!isAdmin(user) || !user.active) return
  const demoted = changes.roles !== undefined && !changes.roles.includes(adminRole)
  if (!demoted && changes.active !== false) return
  if (await otherActiveAdmin(db, user.id)) return
  throw demoted
    ? invalidField('roles', 'The last active admin must keep the admin role.')
    : invalidField('active', 'The last active admin must stay active.')
}
