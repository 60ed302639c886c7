import { type Moment, second } from '../clock.ts'
import type { World } from '../world.ts'

export function createTokens({ clock, secretFor }: Pick<World, 'clock' | 'secretFor'>, prefix: string) {
  const live = new Map<string, { name: string; expiresAt: Moment }>()
  let minted = 0
  const mint = (name: string, seconds: number): string => {
    const token = `${prefix}${secretFor(`access ${++minted}`)}`
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
    /** Before its time; what has none does not end by itself. */
    expire: (token: string): void => {
      if (live.get(token)?.expiresAt !== Number.POSITIVE_INFINITY) live.delete(token)
    },
    expireAll: () => live.clear(),
    /** Ends all tokens of one holder. */
    revoke(name: string): void {
      for (const [token, found] of live) if (found.name === name) live.delete(token)
    },
  }
}
