import type { Db } from '../../../runtime/db/connection.ts'

/**
 * How many slots of a process the shops of one tenant hold at once. A shop that lets us wait holds its slot for as long as
 * it likes; with a share, it is only its own tenant who then waits for one.
 */
export interface Shares {
  /** What gives the slot back, or in how many seconds to ask again. */
  take(tenant: string, integrationId: number): { release(): void } | { againInSeconds: number }
}

/** Runs at once in a process, and of one tenant among them. */
export const runSlots = 12
const perTenant = 4

/** Those who wait ask again the later, the more of their tenant wait. */
const maxWaitSeconds = 30

export function createShares(share = perTenant): Shares {
  const tenants = new Map<string, { running: number; waiting: Set<number> }>()
  return {
    take(tenant, integrationId) {
      const known = tenants.get(tenant) ?? { running: 0, waiting: new Set() }
      tenants.set(tenant, known)
      if (known.running >= share) {
        known.waiting.add(integrationId)
        return { againInSeconds: Math.min(maxWaitSeconds, Math.ceil(known.waiting.size / share)) }
      }
      known.running++
      known.waiting.delete(integrationId)
      return {
        release() {
          known.running--
          if (known.running === 0) tenants.delete(tenant)
        },
      }
    },
  }
}

const byDatabase = new WeakMap<Db, Shares>()

/** One for each database that a process works on. */
export function sharesOf({ db }: { db: Db }): Shares {
  const known = byDatabase.get(db) ?? createShares()
  byDatabase.set(db, known)
  return known
}
