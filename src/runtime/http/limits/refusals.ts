import { addressBlock } from '../../../lib/addresses/address-block.ts'
import { Fault, tooMany } from '../../../lib/fault.ts'

/**
 * Counts refusals by where they come from: whoever guesses, or does not stop, has to wait. In memory and of this
 * process alone, since it protects the process and not a promise; and bounded, since addresses cost an attacker little.
 * Who is let in is never looked at here, whatever else their address sends.
 */
export interface Refusals {
  /** One more, or as many as it weighs. Null if that is still bearable, else the seconds until the address is served again. */
  count(address: string, weight?: number): number | null
  /** Whether it has used up what is bearable. */
  isOver(address: string): boolean
}

const windowMs = 60_000
const maxAddresses = 10_000

export function createRefusals(limit: number, clock: () => number = Date.now): Refusals {
  const windows = new Map<string, { refused: number; endsAt: number }>()

  /** Those that are over, and then the oldest ones: a map keeps the order in which windows began. */
  function makeRoom(now: number): void {
    for (const [block, { endsAt }] of windows) {
      if (endsAt > now && windows.size < maxAddresses) return
      windows.delete(block)
    }
  }

  return {
    count(address, weight = 1) {
      if (weight === 0) return null
      const block = addressBlock(address)
      const now = clock()
      const known = windows.get(block)
      if (known && known.endsAt > now) {
        known.refused += weight
        return known.refused > limit ? Math.max(1, Math.ceil((known.endsAt - now) / 1000)) : null
      }
      windows.delete(block)
      if (windows.size >= maxAddresses) makeRoom(now)
      windows.set(block, { refused: weight, endsAt: now + windowMs })
      return null
    },
    isOver(address) {
      const known = windows.get(addressBlock(address))
      return known !== undefined && known.refused >= limit && known.endsAt > clock()
    },
  }
}

/** What is answered instead of an error: the same, unless it refuses somebody who has been refused too often. */
export function orTooMany(refusals: Refusals, address: string, error: unknown): unknown {
  if (!(error instanceof Fault) || (error.kind !== 'unauthenticated' && error.kind !== 'forbidden')) return error
  const seconds = refusals.count(address)
  return seconds === null ? error : tooMany(seconds)
}
