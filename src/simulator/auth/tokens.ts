import { createHmac } from 'node:crypto'
import type { Clock, Moment } from '../clock.ts'
import { second } from '../clock.ts'

/** Secrets are made from the seed: the same shop has the same keys tomorrow. It is a toy; nothing here guards anything. */
export const secretFor = (seed: string, purpose: string, length = 40): string =>
  createHmac('sha256', `simulator ${seed}`).update(purpose).digest('hex').slice(0, length)

export interface Tokens {
  /** A new access token for whoever is called `name`. */
  mint(name: string, seconds: number): { token: string; expiresAt: Moment }
  /** Who it stands for; null once it has ended. */
  holder(token: string | null): string | null
  expire(token: string): void
  expireAll(): void
  /** Ends all tokens of one holder. */
  revoke(name: string): void
}

export function createTokens(seed: string, prefix: string, clock: Clock): Tokens {
  const live = new Map<string, { name: string; expiresAt: Moment }>()
  let minted = 0
  return {
    mint(name, seconds) {
      const token = `${prefix}${secretFor(seed, `access ${++minted}`)}`
      const expiresAt = clock.now() + Math.round(seconds * second)
      live.set(token, { name, expiresAt })
      return { token, expiresAt }
    },
    holder(token) {
      const found = token === null ? undefined : live.get(token)
      if (!found || token === null) return null
      if (found.expiresAt > clock.now()) return found.name
      live.delete(token)
      return null
    },
    expire: (token) => {
      live.delete(token)
    },
    expireAll: () => live.clear(),
    revoke(name) {
      for (const [token, found] of live) if (found.name === name) live.delete(token)
    },
  }
}
