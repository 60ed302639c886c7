import { createHmac } from 'node:crypto'
import { hashPassword } from '../password.ts'
import { digest } from '../secret.ts'
import type { KeyRing } from '../secret-box.ts'

/**
 * Several users may have one address, and the password decides which of them it is. A tag says at once whose it cannot be, so
 * that one hash is computed however many there are. Twelve bits under a master key: who has the database alone learns nothing
 * by it, and who has the key as well has every four thousandth password left to try.
 */

export interface KeptPassword {
  password_hash: string
  password_tag: string
}

export async function keepPassword(keys: KeyRing, password: string): Promise<KeptPassword> {
  const password_hash = await hashPassword(password)
  return { password_hash, password_tag: tagOf(keys, password_hash, password) }
}

/** Of the hash as well: equal passwords have different tags, and one that is left from an earlier password shows. */
export function tagOf([{ id, key }]: KeyRing, passwordHash: string, password: string): string {
  return `${id}:${printOf(passwordHash)}:${bitsOf(key, passwordHash, password)}`
}

/** True also where nothing is known: there is no tag, or it is of another hash, or its key is gone. */
export function mayBePassword(
  keys: KeyRing,
  { passwordHash, passwordTag }: { passwordHash: string; passwordTag: string | null },
  password: string,
): boolean {
  const [id, print, bits] = (passwordTag ?? '').split(':')
  const master = keys.find((candidate) => candidate.id === id)
  if (!master || print !== printOf(passwordHash)) return true
  return bits === bitsOf(master.key, passwordHash, password)
}

const printOf = (passwordHash: string): string => digest(passwordHash).toString('hex').slice(0, 8)

function bitsOf(master: Buffer, passwordHash: string, password: string): string {
  const key = createHmac('sha256', master).update('password tag').digest()
  return createHmac('sha256', key).update(`${passwordHash} ${password}`).digest('hex').slice(0, 3)
}
