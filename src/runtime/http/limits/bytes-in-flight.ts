import { addressBlock } from '../../../lib/addresses/address-block.ts'
import { type Fault, tooMany, unavailable } from '../../../lib/fault.ts'

/**
 * How much of bodies is in memory at once. A body is counted before it is read, by what it says of its length, and for
 * as long as its request lasts: who holds many open holds them unread. Strangers have a pool of their own, so that
 * nobody without a token takes the room of those who have one.
 */
export interface BytesInFlight {
  /** What gives them back, or why they are not taken. */
  take(holder: Holder, bytes: number): (() => void) | Fault
  /** All that are taken now. */
  total(): number
}

export type Holder =
  | { caller: string }
  /** A suspect was refused too often lately, and gets one body at a time. */
  | { address: string; isSuspect: boolean }

export interface ByteLimits {
  callers: number
  perCaller: number
  strangers: number
  perAddress: number
}

const mebibyte = 1024 * 1024

export const defaultBytes: ByteLimits = {
  callers: 256 * mebibyte,
  perCaller: 64 * mebibyte,
  strangers: 64 * mebibyte,
  perAddress: 16 * mebibyte,
}

const retryAfterSeconds = 2

export function createBytesInFlight(limits: ByteLimits = defaultBytes): BytesInFlight {
  const callers = createPool(limits.callers)
  const strangers = createPool(limits.strangers)
  return {
    take(holder, bytes) {
      if ('caller' in holder) return callers.take(holder.caller, limits.perCaller, bytes)
      return strangers.take(addressBlock(holder.address), holder.isSuspect ? bytes : limits.perAddress, bytes)
    },
    total: () => callers.total() + strangers.total(),
  }
}

function createPool(limit: number) {
  const held = new Map<string, number>()
  let all = 0
  return {
    take(key: string, share: number, bytes: number): (() => void) | Fault {
      const own = held.get(key) ?? 0
      // One body is always taken, however small the share: its length has a limit of its own.
      if (own > 0 && own + bytes > share) return tooMany(retryAfterSeconds)
      if (all > 0 && all + bytes > limit) return unavailable(retryAfterSeconds)
      held.set(key, own + bytes)
      all += bytes
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        all -= bytes
        const left = (held.get(key) ?? bytes) - bytes
        if (left > 0) held.set(key, left)
        else held.delete(key)
      }
    },
    total: () => all,
  }
}
