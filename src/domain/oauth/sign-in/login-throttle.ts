import { hash } from 'node:crypto'
import { tooMany } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { type Allowance, type Reserved, returnAttempts, secondsUntilReset, takeAttempts } from './login-store.ts'

/**
 * An attempt is paid for before the password is looked at and given back if it was right, so that parallel guesses
 * cannot outrun the count. Refused is only who guesses: an address has so many guesses at one user, and so many at all of
 * them. What is guessed at one user from everywhere refuses nobody; it makes those wait who do not come with a password that may
 * be right from an address where it was before. Those who have one e-mail address are guessed at together: a second record of it
 * gives nobody a second allowance. Nothing is counted for everybody together.
 */
export interface Attempt {
  /** The folded name, whether anybody has it or not. */
  account: string
  address: string
  /** A user whose password it may be has logged in from this address before. */
  known: boolean
}

export interface Paid {
  reserved: Reserved[]
  /** More go wrong just now than a person mistypes. */
  isGuessedAt: boolean
  /** How long the answer is put off, whatever it is. */
  waitSeconds: number
}

const quarterHour = 900
const guessesAtUser = 10
const guessesOfAddress = 100
const slipsOfPerson = 5
/** Counted, never refused. */
const unlimited = 1_000_000_000

function allowances({ account, address, known }: Attempt): Allowance[] {
  const here = {
    key: `login-here:${shortHash(`${account} ${address}`)}`,
    attempts: guessesAtUser,
    seconds: quarterHour,
  }
  if (known) return [here]
  return [
    here,
    { key: everywhere(account), attempts: unlimited, seconds: quarterHour },
    { key: `login-address:${address}`, attempts: guessesOfAddress, seconds: 60 },
  ]
}

const everywhere = (account: string) => `login-user:${shortHash(account)}`

export const shortHash = (text: string) => hash('sha256', text).slice(0, 32)

const firstWait = 0.25
const longestWait = 5

/** Twice as long with every further guess: long enough to be of no use in a row, short enough for a person to sit out. */
function waitFor(guesses: number): number {
  const over = guesses - guessesAtUser
  return over <= 0 ? 0 : Math.min(longestWait, firstWait * 2 ** (over - 1))
}

/** Throws "too many" with nothing taken, or returns what `returnAttempts` gives back after a success. */
export async function payForAttempt(db: Db, attempt: Attempt): Promise<Paid> {
  const reserved = await payFor(db, allowances(attempt))
  const guesses = reserved.find(({ key }) => key === everywhere(attempt.account))?.hits ?? 0
  return { reserved, isGuessedAt: guesses > slipsOfPerson, waitSeconds: waitFor(guesses) }
}

export async function payFor(db: Db, wanted: readonly Allowance[]): Promise<Reserved[]> {
  const reserved = await takeAttempts(db, wanted)
  if (reserved.length === wanted.length) return reserved
  if (reserved.length > 0) await returnAttempts(db, reserved)
  const taken = new Set(reserved.map(({ key }) => key))
  const exhausted = wanted.map(({ key }) => key).filter((key) => !taken.has(key))
  throw tooMany(await secondsUntilReset(db, exhausted))
}
