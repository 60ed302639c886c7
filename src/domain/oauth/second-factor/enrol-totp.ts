import { invalidField } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import type { User } from '../../users/user.ts'
import { accountLabel } from './account-label.ts'
import { stepOf } from './prove-code.ts'
import { newRecoveryCodes } from './recovery-codes.ts'
import { confirmTotpSecret, replaceRecoveryCodes, saveTotpSecret } from './second-factor-store.ts'
import { newTotpSecret, totpUri } from './totp.ts'

export interface Enrolment {
  /** To be typed where no camera is. */
  secret: string
  uri: string
}

/** Shown once. Nothing is asked for at sign-in before a code has shown that the app has it. */
export async function beginTotp(
  context: Pick<Context, 'db' | 'transaction' | 'keys'>,
  user: Pick<User, 'id' | 'email' | 'company_id'>,
): Promise<Enrolment> {
  const secret = newTotpSecret()
  const isNew = await context.transaction((trx) => saveTotpSecret(trx, context.keys, { userId: user.id, secret }))
  if (!isNew) throw invalidField('second_factor', 'There is an authenticator app already. Remove it first.')
  return { secret, uri: totpUri(secret, await accountLabel(context.db, user)) }
}

/** `more` is done in the same transaction: what the confirmation was for. */
export async function confirmTotp(
  context: Pick<Context, 'db' | 'keys' | 'transaction'>,
  input: { userId: number; code: string; address: string },
  more: (trx: Db) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const step = await stepOf(context, input, false)
  if (step === null) throw wrongCode()
  const codes = newRecoveryCodes()
  await context.transaction(async (trx) => {
    if (!(await confirmTotpSecret(trx, input.userId, step))) throw wrongCode()
    await replaceRecoveryCodes(trx, input.userId, codes)
    await more(trx)
  })
  return codes
}

export const wrongCode = () => invalidField('code', 'The code is not right, or was used before.')
