import { Secret, TOTP } from 'otpauth'

/** Codes of RFC 6238 as every authenticator app makes them: six digits, a new one each half minute. */
const period = 30
const common = { issuer: 'Entrepot', algorithm: 'SHA1', digits: 6, period } as const

/** 160 bits, in the letters that people can also type. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** What a QR code shows to the app. */
export const totpUri = (secret: string, label: string): string =>
  new TOTP({ ...common, label, secret: Secret.fromBase32(secret) }).toString()

/** The half minute that the code is of: this one, the one before or the one after; null for any other code. */
export function stepOfCode(secret: string, code: string, nowSeconds: number): number | null {
  const totp = new TOTP({ ...common, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: nowSeconds * 1000, window: 1 })
  return delta === null ? null : Math.floor(nowSeconds / period) + delta
}

/** As people write it: `123 456`. */
export const readCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '')

export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code)
