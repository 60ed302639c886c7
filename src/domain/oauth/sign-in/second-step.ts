import { addressBlock } from '../../../lib/addresses/address-block.ts'
import { invalidField } from '../../../lib/fault.ts'
import { digest, randomSecret } from '../../../lib/secret.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { beginTotp, confirmTotp, type Enrolment, wrongCode } from '../second-factor/enrol-totp.ts'
import { type PasskeyAnswer, passkeyRefused, provePasskey } from '../second-factor/passkeys/prove-passkey.ts'
import { proveCode } from '../second-factor/prove-code.ts'
import { mustUseSingleSignOn } from '../single-sign-on/single-sign-on-store.ts'
import { holdActiveUser } from '../token-store.ts'
import { type From, sessionSeconds, signsInElsewhere } from './console-session.ts'
import { insertSession } from './console-session-store.ts'
import { rememberAddress } from './login-store.ts'
import { readSignInStep, type SignInStep, spendSignInStep } from './sign-in-step-store.ts'

async function openStep(context: Context, ticket: string): Promise<SignInStep> {
  const step = await readSignInStep(context.db, digest(ticket))
  if (!step) throw tooLate()
  context.say?.({ userId: step.userId })
  return step
}

const tooLate = () => invalidField('ticket', 'This took too long. Sign in again.')

export const userOfTicket = async (context: Context, ticket: string): Promise<number> =>
  (await openStep(context, ticket)).userId

/** For whoever has to set a second factor up before going on. */
export async function enrolAtSignIn(context: Context, ticket: string): Promise<Enrolment> {
  const step = await openStep(context, ticket)
  if (!step.enrols) throw invalidField('ticket', 'There is a second factor already.')
  return await beginTotp(context, { id: step.userId, email: step.email, company_id: step.companyId })
}

export interface FinishedSignIn {
  session: string
  /** Shown once, to whoever has just set it up. */
  recoveryCodes: string[] | null
}

export async function finishSignIn(
  context: Context,
  input: { ticket: string; code: string } & From,
): Promise<FinishedSignIn> {
  const step = await openStep(context, input.ticket)
  const { userId } = step
  const { code, address, agent = null } = input
  const secret = randomSecret()
  const open = async (trx: Db) => {
    // Whatever ends the user's sessions has ended this one as well.
    if (!(await spendSignInStep(trx, step.id))) throw tooLate()
    const { provider } = step
    const session = { secretHash: digest(secret), userId, lifetimeSeconds: sessionSeconds, address, agent }
    await insertSession(trx, { ...session, secondFactor: true, provider })
  }
  let recoveryCodes: string[] | null = null
  if (step.enrols) recoveryCodes = await confirmTotp(context, { userId, code, address }, open)
  else {
    if (!(await proveCode(context, { userId, code, address }))) throw wrongCode()
    await context.transaction(open)
  }
  await rememberAddress(context.db, { userId, address: addressBlock(address) })
  return { session: secret, recoveryCodes }
}

/** The authenticator has seen the person: that is more than a password. With a ticket it is the second step of that sign-in. */
export async function signInWithPasskey(
  context: Context,
  input: { ticket: string | null; response: PasskeyAnswer } & From,
): Promise<string> {
  const { address, agent = null } = input
  const step = input.ticket === null ? null : await openStep(context, input.ticket)
  const userId = await provePasskey(context, input.response)
  if (step && step.userId !== userId) throw passkeyRefused()
  if (!step && (await mustUseSingleSignOn(context.db, userId))) throw signsInElsewhere()
  const secret = randomSecret()
  await context.transaction(async (trx) => {
    if (step && !(await spendSignInStep(trx, step.id))) throw tooLate()
    if (!(await holdActiveUser(trx, userId))) throw passkeyRefused()
    const session = { secretHash: digest(secret), userId, lifetimeSeconds: sessionSeconds, address, agent }
    await insertSession(trx, { ...session, secondFactor: true, provider: step?.provider ?? null })
  })
  await rememberAddress(context.db, { userId, address: addressBlock(address) })
  return secret
}
