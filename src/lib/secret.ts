import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A random secret of letters and digits; 43 of them carry 256 bits. */
export function randomSecret(length = 43): string {
  let secret = ''
  while (secret.length < length) {
    for (const byte of randomBytes(64)) {
      // 248 is the largest multiple of 62 in a byte: what is above would favour the first letters.
      if (byte < 248 && secret.length < length) secret += alphabet[byte % 62]
    }
  }
  return secret
}

/** Random secrets need no slow hash: there is nothing to guess. */
export const digest = (secret: string): Buffer => hash('sha256', secret, 'buffer')

export const digestEquals = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
