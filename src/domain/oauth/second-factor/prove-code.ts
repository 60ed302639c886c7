import type { Context } from '../../context.ts'
import { returnAttempts } from '../sign-in/login-store.ts'
import { payForCode } from './code-throttle.ts'
import { readTotpSecret, spendRecoveryCode, takeStep } from './second-factor-store.ts'
import { isTotpCode, readCode, stepOfCode } from './totp.ts'

type Proving = Pick<Context, 'db' | 'keys' | 'say'>

/** Whether it is a code of the user's app or a recovery code; either is good once. */
export async function proveCode(
  context: Proving,
  input: { userId: number; code: string; address: string },
): Promise<boolean> {
  const { db } = context
  const { userId } = input
  const code = readCode(input.code)
  if (!isTotpCode(code)) {
    const isSpent = await spendRecoveryCode(db, userId, code)
    if (isSpent) context.say?.({ detail: 'recovery_code' })
    return isSpent
  }
  const step = await stepOf(context, { ...input, code }, true)
  return step !== null && (await takeStep(db, userId, step))
}

/** The step of a right code. Paid for before it is looked at, and given back if it was right. */
export async function stepOf(
  { db, keys }: Proving,
  input: { userId: number; code: string; address: string },
  confirmed: boolean,
): Promise<number | null> {
  const reserved = await payForCode(db, input)
  const known = await readTotpSecret(db, keys, input.userId)
  if (known?.isConfirmed !== confirmed) return null
  const step = stepOfCode(known.secret, readCode(input.code), known.nowSeconds)
  if (step !== null) await returnAttempts(db, reserved)
  return step
}
