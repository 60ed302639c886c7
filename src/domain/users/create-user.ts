import { type FieldErrors, invalid, invalidField } from '../../lib/fault.ts'
import { keepPassword } from '../../lib/identity/password-tag.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { companyExists } from '../companies/company-store.ts'
import type { Context } from '../context.ts'
import { emailTaken } from './address-store.ts'
import { passwordErrors } from './password-rules.ts'
import { type Actor, directPermissions, grantErrors, type InstanceRole, type User } from './user.ts'
import { findRoles, findUser, insertUser, setPermissions, setRoles } from './user-store.ts'

export interface CreateUserInput {
  name: string
  email: string
  password: string
  active?: boolean
  /** Left out: the company of the one who creates. */
  company_id?: number | null
  roles?: readonly string[]
  permissions?: readonly string[]
}

export async function createUser(context: Context, actor: Actor, input: CreateUserInput): Promise<User> {
  // Only an admin can mean "no company" by null; for everybody else it is a field left empty.
  const companyId =
    input.company_id === undefined || !actor.admin ? (input.company_id ?? actor.companyId) : input.company_id
  const roles = await findRoles(context.db, input.roles ?? [])
  const errors = await creationErrors(context.db, actor, input, { companyId, roles })
  if (Object.keys(errors).length > 0) throw invalid(errors)

  // Before the transaction: a hash takes long, and nothing waits for it but the caller.
  const password = await keepPassword(context.keys, input.password)
  return await context.transaction(async (trx) => {
    // In a company the index says whether somebody was quicker.
    if (companyId === null && (await emailTaken(trx, actor, { email: input.email, companyId }))) throw emailIsTaken()
    const id = await insertUser(trx, {
      created_by: actor.userId,
      company_id: companyId,
      name: input.name,
      email: input.email,
      ...password,
      active: input.active ?? true,
    })
    if (id === null) throw emailIsTaken()
    await setRoles(trx, id, roles)
    await setPermissions(trx, id, directPermissions(input.permissions ?? [], roles))
    return await findUser(trx, { ...actor, admin: true }, id)
  })
}

export const takenWords = 'The email has already been taken.'
export const emailIsTaken = () => invalidField('email', takenWords)
export const companyIsInvalid = 'The selected company id is invalid.'

async function creationErrors(
  db: Db,
  actor: Actor,
  input: CreateUserInput,
  resolved: { companyId: number | null; roles: readonly InstanceRole[] },
): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  const { companyId } = resolved
  // Who has an address in a company is the business of those who may put somebody there.
  if (!(await mayPlaceIn(db, actor, companyId))) errors['company_id'] = [companyIsInvalid]
  else if (await emailTaken(db, actor, { email: input.email, companyId })) errors['email'] = [takenWords]
  return {
    ...errors,
    ...passwordErrors(input.password, input),
    ...grantErrors(actor, input, { roles: resolved.roles, target: null }),
  }
}

/** Admins put users into any company, everybody else only into their own. */
export async function mayPlaceIn(db: Db, actor: Actor, companyId: number | null): Promise<boolean> {
  if (!actor.admin) return companyId === actor.companyId
  return companyId === null || (await companyExists(db, companyId))
}
