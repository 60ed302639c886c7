import { addressBlock } from '../../../lib/addresses/address-block.ts'
import { boundedPool } from '../../../lib/bounded-pool.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../../lib/password.ts'
import type { Context } from '../../context.ts'
import { invalidCredentials } from '../oauth-faults.ts'
import { findLogin, type Login, rememberAddress, replacePasswordHash, returnAttempts } from './login-store.ts'
import { payForAttempt } from './login-throttle.ts'

/**
 * Attempts that are being looked at are paid for. With few at once a user who logs in from many places at the same
 * time does not run out of attempts, and nothing is lost: there are no more hashes at once anyway.
 */
const logins = boundedPool({ running: 4, waiting: 64 })

export interface LoggedIn {
  id: number
  passwordHash: string
}

interface Credentials {
  username: string
  password: string
  address: string
  /** Through which it is tried; 0 is the console. */
  clientId: number
}

/** An unknown user, a wrong password and a disabled user take the same time and get the same answer. */
export const logIn = (context: Context, credentials: Credentials): Promise<LoggedIn> =>
  logins(() => check(context, { ...credentials, address: addressBlock(credentials.address) }))

async function check(context: Context, credentials: Credentials): Promise<LoggedIn> {
  const { db } = context
  const login = await findLogin(db, credentials)
  if (login) context.say?.({ userId: login.id })
  const paid = await payForAttempt(db, { ...credentials, known: login?.known ?? false })
  let right: boolean
  try {
    right = await verifyPassword(login?.passwordHash ?? null, credentials.password)
  } catch (error) {
    // Nothing was looked at: too many others were waiting for their hash.
    await returnAttempts(db, paid)
    throw error
  }
  if (!right || !login?.active || login.passwordHash === null) throw invalidCredentials()
  await returnAttempts(db, paid)
  await rememberAddress(db, { userId: login.id, address: credentials.address })
  return { id: login.id, passwordHash: await freshHash(context, login, credentials.password) }
}

/** A hash made with weaker figures is made anew now that the password is at hand. */
async function freshHash(context: Context, login: Login, password: string): Promise<string> {
  const current = login.passwordHash ?? ''
  if (!needsRehash(current)) return current
  const fresh = await hashPassword(password)
  await replacePasswordHash(context.db, login.id, current, fresh)
  return fresh
}
