import { addressBlock } from '../../lib/address-block.ts'

/**
 * Counts tokens that nobody knows, by where they come from: whoever guesses, or has lost his token and does not stop, is
 * told to wait. In memory and of this process alone, since it protects the process and not a promise; and bounded, since
 * addresses cost an attacker little. Valid tokens are never looked at here, whatever else their address sends.
 */
export interface FailedTokens {
  /** One more. Null if that is still bearable, else the seconds until the address is heard again. */
  count(address: string): number | null
}

const windowMs = 60_000
const mostAddresses = 10_000

export function createFailedTokens(limit: number, clock: () => number = Date.now): FailedTokens {
  const windows = new Map<string, { failed: number; endsAt: number }>()

  /** Those that are over, and then the oldest ones: a map keeps the order in which windows began. */
  function makeRoom(now: number): void {
    for (const [block, { endsAt }] of windows) {
      if (endsAt > now && windows.size < mostAddresses) return
      windows.delete(block)
    }
  }

  return {
    count(address) {
      const block = addressBlock(address)
      const now = clock()
      const known = windows.get(block)
      if (known && known.endsAt > now) {
        known.failed++
        return known.failed > limit ? Math.max(1, Math.ceil((known.endsAt - now) / 1000)) : null
      }
      windows.delete(block)
      if (windows.size >= mostAddresses) makeRoom(now)
      windows.set(block, { failed: 1, endsAt: now + windowMs })
      return null
    },
  }
}
