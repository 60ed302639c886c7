import { Fault, invalidField } from '../../../lib/fault.ts'
import type { Context } from '../../context.ts'
import type { UserCaller } from '../../tenant.ts'
import { findUser } from '../../users/user-store.ts'
import { type LoggedIn, logIn } from './log-in.ts'

/**
 * Somebody who is signed in says the password once more. Counted like a log-in: whoever has found an open session must not
 * guess faster than everybody else.
 */
export async function provePassword(
  context: Context,
  caller: UserCaller,
  input: { current: string; address: string },
): Promise<LoggedIn> {
  const { id: userId, email } = await findUser(context.db, caller, caller.userId)
  const attempt = { username: email, password: input.current, address: input.address, userId }
  return await logIn(context, attempt).catch((error: unknown) => {
    if (error instanceof Fault && error.kind === 'oauth') throw currentIsWrong()
    throw error
  })
}

export const currentIsWrong = () => invalidField('current_password', 'The password is incorrect.')
