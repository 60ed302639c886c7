import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether a signature is that of this message, compared in constant time. One of another length is just wrong, and an
 * empty secret signs nothing.
 */
export function isSigned(
  message: string | Buffer,
  { secret, signature, algorithm = 'sha256', encoding }: Signature,
): boolean {
  if (secret === '') return false
  const wanted = createHmac(algorithm, secret).update(message).digest()
  const given = Buffer.from(signature, encoding)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

export interface Signature {
  secret: string
  signature: string
  algorithm?: 'sha1' | 'sha256'
  encoding: 'hex' | 'base64'
}

export const hmac = (message: string | Buffer, secret: string, encoding: 'hex' | 'base64', algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(message).digest(encoding)
