import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { boundedPool } from './bounded-pool.ts'

/** argon2id at OWASP's figures. The package declares the algorithm as a const enum, which type stripping cannot read. */
const options = { algorithm: 2, memoryCost: 19456, timeCost: 2, parallelism: 1 }

/**
 * A hash takes about 35 ms of a core and 19 MiB. More at once than there are cores would only hold memory and the
 * threads that signatures need; more waiting than this would take longer than a caller waits.
 */
const hashing = boundedPool({ running: Math.min(4, availableParallelism()), waiting: 64 })

/** Of random bytes that nobody kept: no password matches it, and testing one takes as long as for a real user. */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$zjnI1T3CcIfZsw/6IXXA6g$KMMStUZRl2p/LvVzri2P3g2dAxWnwSnUPpm2/EAur0g'

export const hashPassword = (password: string): Promise<string> => hashing(() => hash(password, options))

/** `null` for a user that does not exist or has no password: the same work, and never true. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await hashing(() => verify(passwordHash ?? nobody, password))
  return matches && passwordHash !== null
}

export function needsRehash(passwordHash: string): boolean {
  const used = parseOptions(passwordHash)
  return (
    used.algorithm !== options.algorithm ||
    used.memoryCost < options.memoryCost ||
    used.timeCost < options.timeCost ||
    used.parallelism !== options.parallelism
  )
}
