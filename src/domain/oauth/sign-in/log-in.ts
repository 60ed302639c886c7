import { setTimeout as sleep } from 'node:timers/promises'
import { addressBlock } from '../../../lib/addresses/address-block.ts'
import { boundedPool } from '../../../lib/bounded-pool.ts'
import { foldEmail } from '../../../lib/identity/fold-email.ts'
import { type KeptPassword, keepPassword, mayBePassword, tagOf } from '../../../lib/identity/password-tag.ts'
import { needsRehash, verifyPassword } from '../../../lib/password.ts'
import type { Context } from '../../context.ts'
import { invalidCredentials } from '../oauth-faults.ts'
import { findLogins, type Login, rekeepPassword, rememberAddress, returnAttempts } from './login-store.ts'
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
  /** Given: whoever else has that address is not meant. */
  userId?: number
}

/**
 * The password decides which of those who have the address it is. An unknown user, a wrong password and a disabled user take the
 * same time and get the same answer, however many have the address.
 */
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
  candidates: Candidate[]
  paid: Paid
}

interface Candidate extends Login {
  passwordHash: string
}

async function beginAttempt(context: Context, credentials: Credentials): Promise<BegunAttempt> {
  const { db, keys } = context
  const { username, password, address, userId } = credentials
  const found = await findLogins(db, credentials)
  const meant = userId === undefined ? found : found.filter(({ id }) => id === userId)
  const candidates = meant.filter((login): login is Candidate => {
    const { active, passwordHash, passwordTag } = login
    return active && passwordHash !== null && mayBePassword(keys, { passwordHash, passwordTag }, password)
  })
  const known = candidates.some((login) => login.known)
  const paid = await payForAttempt(db, { account: foldEmail(username), address, known })
  // Nobody sees in the trail of one company who has the address elsewhere, nor where those mistype their password.
  const isTried = (login: Login) => paid.isGuessedAt || login.known || candidates.some(({ id }) => id === login.id)
  context.say?.({ tried: meant.filter(isTried).map(({ id }) => id) })
  return { candidates, paid }
}

async function judge(
  context: Context,
  credentials: Credentials,
  { candidates, paid }: BegunAttempt,
): Promise<LoggedIn> {
  const { db } = context
  let login: Candidate | undefined
  try {
    login = await firstWith(candidates, credentials.password)
  } catch (error) {
    // Nothing was looked at: too many others were waiting for their hash.
    await returnAttempts(db, paid.reserved)
    throw error
  }
  if (!login) throw invalidCredentials()
  const { id, hasSecondFactor, hasPasskey, needsSecondFactor, mustUseSingleSignOn } = login
  context.say?.({ userId: id })
  await returnAttempts(db, paid.reserved)
  // Half a sign-in makes no address a known one: whoever has the password alone would guess codes from there.
  if (!hasSecondFactor) await rememberAddress(db, { userId: id, address: credentials.address })
  const passwordHash = await freshHash(context, login, credentials.password)
  return { id, passwordHash, hasSecondFactor, hasPasskey, needsSecondFactor, mustUseSingleSignOn }
}

/**
 * Whose password was chosen last: who sets one to try it on others who have the address reaches the own record, and no other is
 * even looked at. Otherwise each password of one's own would be a guess at them that costs nothing.
 */
async function firstWith(candidates: readonly Candidate[], password: string): Promise<Candidate | undefined> {
  if (candidates.length === 0) await verifyPassword(null, password)
  for (const login of candidates) if (await verifyPassword(login.passwordHash, password)) return login
  return undefined
}

/** A hash made with weaker figures, and a tag of another key or of none, are made anew now that the password is at hand. */
async function freshHash(context: Context, login: Candidate, password: string): Promise<string> {
  const { db, keys } = context
  const { id: userId, passwordHash: from } = login
  const tag = tagOf(keys, from, password)
  if (!needsRehash(from) && login.passwordTag === tag) return from
  const to: KeptPassword = needsRehash(from)
    ? await keepPassword(keys, password)
    : { password_hash: from, password_tag: tag }
  await rekeepPassword(db, { userId, from, to })
  return to.password_hash
}
