import { forbidden, invalidField } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import type { UserCaller } from '../../tenant.ts'
import { outranks } from '../../users/user.ts'
import { lockUser } from '../../users/user-store.ts'
import { provePassword } from '../sign-in/prove-password.ts'
import { wrongCode } from './enrol-totp.ts'
import { proveCode } from './prove-code.ts'
import { newRecoveryCodes } from './recovery-codes.ts'
import {
  deleteSecondFactor,
  deleteTotpSecret,
  dropUnusedRecoveryCodes,
  holdFactors,
  readSecondFactor,
  replaceRecoveryCodes,
} from './second-factor-store.ts'

/** Both once more: an open session alone takes nothing away. */
export interface Proof {
  current: string
  code: string
  address: string
}

export async function proveBoth(context: Context, caller: UserCaller, proof: Proof): Promise<void> {
  await provePassword(context, caller, proof)
  const { code, address } = proof
  if (!(await proveCode(context, { userId: caller.userId, code, address }))) throw wrongCode()
}

export async function removeTotp(context: Context, caller: UserCaller, proof: Proof): Promise<void> {
  await proveBoth(context, caller, proof)
  await context.transaction(async (trx) => {
    await holdFactors(trx, caller.userId)
    await deleteTotpSecret(trx, caller.userId)
    await keepDemandedFactor(trx, caller.userId)
    await dropUnusedRecoveryCodes(trx, caller.userId)
  })
}

/** After something was taken away, in the same transaction. */
export async function keepDemandedFactor(trx: Db, userId: number): Promise<void> {
  const { required, totp_since: totp, passkeys } = await readSecondFactor(trx, userId)
  if (required && totp === null && passkeys === 0) {
    throw invalidField('second_factor', 'The company asks everybody for a second factor, and this is the last one.')
  }
}

export async function renewRecoveryCodes(context: Context, caller: UserCaller, proof: Proof): Promise<string[]> {
  await proveBoth(context, caller, proof)
  const codes = newRecoveryCodes()
  await context.transaction((trx) => replaceRecoveryCodes(trx, caller.userId, codes))
  return codes
}

/** For somebody who has lost the device and the recovery codes: the next sign-in takes the password alone. */
export async function resetSecondFactor(context: Context, caller: UserCaller, id: number): Promise<void> {
  await context.transaction(async (trx) => {
    const user = await lockUser(trx, caller, id)
    // One's own is removed with password and code, never by whoever has found an open session.
    if (user.id === caller.userId || outranks(user, caller)) throw forbidden()
    await deleteSecondFactor(trx, id)
  })
}
