import { randomBytes } from 'node:crypto'
import { digest } from '../secret.ts'

/** Without letters that look like others. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Twelve characters that a person can copy from one page into another: sixty bits. */
export function newOneTimeCode(): string {
  const letters = [...randomBytes(12)].map((byte) => alphabet[byte % alphabet.length]).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}

/** However it was copied: small letters, without hyphens, an O in the place of a zero. */
export const codeHashOf = (code: string): Buffer =>
  digest(
    code
      .toUpperCase()
      .replace(/[^0-9A-Z]/g, '')
      .replaceAll('O', '0')
      .replace(/[IL]/g, '1'),
  )
