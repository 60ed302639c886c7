import { Secret, TOTP } from 'otpauth'

/** An authenticator app: what it was shown makes its codes. Its clock stands, so that no half minute ends during a test. */
export interface Authenticator {
  /** Of the half minute in which it was set up, or so many later or earlier. */
  code(later?: number): string
  wrong(): string
}

export function authenticator(secret: string): Authenticator {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const start = Date.now()
  const code = (later = 0) => totp.generate({ timestamp: start + later * 30_000 })
  return {
    code,
    wrong() {
      const right = [-1, 0, 1, 2, 3].map(code)
      const candidates = Array.from({ length: 6 }, (_, n) => `${n}`.repeat(6))
      return candidates.find((candidate) => !right.includes(candidate)) ?? ''
    },
  }
}
