import { hash } from 'node:crypto'
import { tooMany } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { type Allowance, type Reserved, returnAttempts, secondsUntilReset, takeAttempts } from './login-store.ts'

/**
 * An attempt is paid for before the password is looked at and given back if it was right, so that parallel guesses
 * cannot outrun the count. Three allowances bound strangers: guesses at one user, at all users of one client, and from
 * one address. Whoever comes from an address the user has logged in from has an allowance of their own, and a part of
 * the client's that strangers cannot use up: guessing from elsewhere locks nobody out.
 */
export interface Attempt {
  username: string
  clientId: number
  address: string
  /** The user has logged in from this address before. */
  known: boolean
}

const quarterHour = 900

function allowances({ username, clientId, address, known }: Attempt): Allowance[] {
  const user = shortHash(username.toLowerCase())
  const client = `login-client:${clientId}`
  if (known) {
    return [
      { key: `login-known:${user}:${shortHash(address)}`, attempts: 10, seconds: quarterHour },
      { key: client, attempts: 100, seconds: 60 },
    ]
  }
  return [
    { key: `login-user:${user}`, attempts: 10, seconds: quarterHour },
    { key: client, attempts: 80, seconds: 60 },
    { key: `login-address:${address}`, attempts: 100, seconds: 60 },
  ]
}

const shortHash = (text: string) => hash('sha256', text).slice(0, 32)

/** Throws "too many" with nothing taken, or returns what `returnAttempts` gives back after a success. */
export async function payForAttempt(db: Db, attempt: Attempt): Promise<Reserved[]> {
  const wanted = allowances(attempt)
  const reserved = await takeAttempts(db, wanted)
  if (reserved.length === wanted.length) return reserved
  if (reserved.length > 0) await returnAttempts(db, reserved)
  const taken = new Set(reserved.map(({ key }) => key))
  const exhausted = wanted.map(({ key }) => key).filter((key) => !taken.has(key))
  throw tooMany(await secondsUntilReset(db, exhausted))
}
