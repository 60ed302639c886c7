import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

/**
 * Whether a signature is that of this message, compared in constant time. One of another length is just wrong, another
 * way to write the same bytes is too, and an empty secret signs nothing.
 */
export function isSigned(
  message: string | Buffer,
  { secret, signature, algorithm = 'sha256', encoding }: Signature,
): boolean {
  if (secret === '') return false
  const given = bytesIn(signature, encoding)
  const wanted = createHmac(algorithm, keyOf(secret)).update(message).digest()
  return given !== null && isSame(given, wanted)
}

/** The bytes that a text stands for, if it is written in the one way in which they are written; null otherwise. */
export function bytesIn(text: unknown, encoding: Encoding): Buffer | null {
  if (typeof text !== 'string' || text === '') return null
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : null
}

/** In constant time, but for the length. */
export function isSame(one: string | Buffer, other: string | Buffer): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const keys = new Map<string, KeyObject>()
const maxKeys = 1000

/** Making the key takes several times as long as signing a small message with it. */
function keyOf(secret: string): KeyObject {
  const known = keys.get(secret)
  if (known) return known
  if (keys.size >= maxKeys) keys.clear()
  const made = createSecretKey(secret, 'utf8')
  keys.set(secret, made)
  return made
}

export interface Signature {
  secret: string
  signature: string
  algorithm?: 'sha1' | 'sha256' | 'sha512'
  encoding: Encoding
}

type Encoding = 'hex' | 'base64' | 'base64url'

export const hmac = (message: string | Buffer, secret: string, encoding: 'hex' | 'base64', algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(message).digest(encoding)
