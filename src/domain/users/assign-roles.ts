import { type FieldErrors, forbidden, invalid, invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { announce } from '../announce-store.ts'
import { appsById } from '../apps/app-store.ts'
import type { Context } from '../context.ts'
import { type Role, rightsOfRole } from '../rights.ts'
import { reaches } from '../tenant.ts'
import { type Actor, type AppRole, outranks, type User } from './user.ts'
import { changeUser, findUser, lockUser, otherOwner, setAppRoles } from './user-store.ts'

export interface RolesInput {
  /** Null takes it away: what is left are permissions. */
  company_role?: Role | null
  /** Replace the ones there are. */
  app_roles?: readonly AppRole[]
}

/** What somebody is in the company, and for single apps of it. */
export async function assignRoles(
  context: Pick<Context, 'transaction'>,
  actor: Actor,
  input: { id: number; changes: RolesInput },
): Promise<User> {
  const { id, changes } = input
  return await context.transaction(async (trx) => {
    const user = await lockUser(trx, actor, id)
    if (outranks(user, actor)) throw forbidden()
    const errors = await roleErrors(trx, actor, { companyId: user.company_id, ...changes })
    if (Object.keys(errors).length > 0) throw invalid(errors)
    if (changes.company_role !== undefined) {
      if (changes.company_role !== 'owner') await keepAnOwner(trx, user)
      await changeUser(trx, id, { company_role: changes.company_role })
    }
    if (changes.app_roles) await setAppRoles(trx, id, changes.app_roles)
    await announce(trx, 'user', id)
    return await findUser(trx, { ...actor, admin: true }, id)
  })
}

/** A role is within reach if everything it gives is. Nobody gives away more than they have. */
const mayGive = (actor: Actor, role: Role): boolean =>
  actor.admin || (reaches(actor, null) && rightsOfRole[role].every((right) => actor.rights.has(right)))

export async function roleErrors(
  db: Db,
  actor: Actor,
  wanted: RolesInput & { companyId: number | null },
): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  const { companyId, company_role: role, app_roles: appRoles = [] } = wanted
  if (role && (companyId === null || !mayGive(actor, role))) {
    errors['company_role'] = ['The selected company role is invalid.']
  }
  const apps = await appsById(
    db,
    appRoles.map(({ app_id }) => app_id),
  )
  for (const [index, { app_id, role: ofApp }] of appRoles.entries()) {
    const isOfCompany = companyId !== null && apps.get(app_id)?.company_id === companyId
    if (!isOfCompany) errors[`app_roles.${index}.app_id`] = [`The selected app_roles.${index}.app_id is invalid.`]
    if (!mayGive(actor, ofApp)) errors[`app_roles.${index}.role`] = [`The selected app_roles.${index}.role is invalid.`]
  }
  return errors
}

/** A company without an owner could lose its apps to nobody's say; the operator of the instance may still do it. */
export async function keepAnOwner(db: Db, user: Pick<User, 'id' | 'company_id' | 'company_role'>): Promise<void> {
  if (user.company_role !== 'owner' || user.company_id === null) return
  if (await otherOwner(db, { companyId: user.company_id, userId: user.id })) return
  throw invalidField('company_role', 'The last owner of the company must stay one.')
}
