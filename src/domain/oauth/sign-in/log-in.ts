import { setTimeout as sleep } from 'node:timers/promises'
import { addressBlock } from '../../../lib/addresses/address-block.ts'
import { boundedPool } from '../../../lib/bounded-pool.ts'
import { foldEmail } from '../../../lib/identity/fold-email.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../../lib/password.ts'
import type { Context } from '../../context.ts'
import { invalidCredentials } from '../oauth-faults.ts'
import { findLogin, type Login, rememberAddress, replacePasswordHash, returnAttempts } from './login-store.ts'
import { type Paid, payForAttempt } from './login-throttle.ts'

/**
 * Attempts that are being looked at are paid for. With few at once a user who logs in from many places at the same
 * time does not run out of attempts, and nothing is lost: there are no more hashes at once anyway.
 */
const logins = boundedPool({ running: 4, waiting: 64 })

export interface LoggedIn
  extends Pick<Login, 'id' | 'hasSecondFactor' | 'hasPasskey' | 'needsSecondFactor' | 'mustUseSingleSignOn'> {
  passwordHash: string
}

interface Credentials {
  username: string
  password: string
  address: string
}

/** An unknown user, a wrong password and a disabled user take the same time and get the same answer. */
export async function logIn(context: Context, input: Credentials): Promise<LoggedIn> {
  const credentials = { ...input, address: addressBlock(input.address) }
  const begun = await logins(async () => {
    const attempt = await beginAttempt(context, credentials)
    return attempt.paid.waitSeconds > 0 ? attempt : await judge(context, credentials, attempt)
  })
  if (!('paid' in begun)) return begun
  // Nothing is held meanwhile, neither a place among those who log in nor a connection: nobody waits but this caller.
  await sleep(begun.paid.waitSeconds * 1000)
  return await logins(() => judge(context, credentials, begun))
}

interface BegunAttempt {
  login: Login | undefined
  paid: Paid
}

async function beginAttempt(context: Context, credentials: Credentials): Promise<BegunAttempt> {
  const { db } = context
  const { username, address } = credentials
  const login = await findLogin(db, credentials)
  if (login) context.say?.({ userId: login.id })
  const account = login ? `id ${login.id}` : `name ${foldEmail(username)}`
  return { login, paid: await payForAttempt(db, { account, address, known: login?.known ?? false }) }
}

async function judge(context: Context, credentials: Credentials, { login, paid }: BegunAttempt): Promise<LoggedIn> {
  const { db } = context
  let right: boolean
  try {
    right = await verifyPassword(login?.passwordHash ?? null, credentials.password)
  } catch (error) {
    // Nothing was looked at: too many others were waiting for their hash.
    await returnAttempts(db, paid.reserved)
    throw error
  }
  if (!right || !login?.active || login.passwordHash === null) throw invalidCredentials()
  await returnAttempts(db, paid.reserved)
  const { id, hasSecondFactor, hasPasskey, needsSecondFactor, mustUseSingleSignOn } = login
  // Half a sign-in makes no address a known one: whoever has the password alone would guess codes from there.
  if (!hasSecondFactor) await rememberAddress(db, { userId: id, address: credentials.address })
  const passwordHash = await freshHash(context, login, credentials.password)
  return { id, passwordHash, hasSecondFactor, hasPasskey, needsSecondFactor, mustUseSingleSignOn }
}

/** A hash made with weaker figures is made anew now that the password is at hand. */
async function freshHash(context: Context, login: Login, password: string): Promise<string> {
  const current = login.passwordHash ?? ''
  if (!needsRehash(current)) return current
  const fresh = await hashPassword(password)
  await replacePasswordHash(context.db, login.id, current, fresh)
  return fresh
}
