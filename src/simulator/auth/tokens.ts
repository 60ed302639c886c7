import { createHmac } from 'node:crypto'
import { type Clock, type Moment, second } from '../clock.ts'

/** Secrets are made from the seed: the same shop has the same keys tomorrow. It is a toy; nothing here guards anything. */
export const secretFor = (seed: string, purpose: string, length = 40): string =>
  createHmac('sha256', `simulator ${seed}`).update(purpose).digest('hex').slice(0, length)

export function createTokens(seed: string, prefix: string, clock: Clock) {
  const live = new Map<string, { name: string; expiresAt: Moment }>()
  let minted = 0
  const mint = (name: string, seconds: number): string => {
    const token = `${prefix}${secretFor(seed, `access ${++minted}`)}`
    live.set(token, { name, expiresAt: clock.now() + Math.round(seconds * second) })
    return token
  }
  return {
    /** A new access token for whoever is called `name`. */
    mint,
    /** A key of somebody new, which does not end. */
    key: () => mint(`key-${minted + 1}`, Number.POSITIVE_INFINITY),
    /** Who it stands for; null once it has ended. */
    holder(token: string | null): string | null {
      const found = token === null ? undefined : live.get(token)
      if (!found || token === null) return null
      if (found.expiresAt > clock.now()) return found.name
      live.delete(token)
      return null
    },
    expire: (token: string): void => {
      live.delete(token)
    },
    expireAll: () => live.clear(),
    /** Ends all tokens of one holder. */
    revoke(name: string): void {
      for (const [token, found] of live) if (found.name === name) live.delete(token)
    },
  }
}
