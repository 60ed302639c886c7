import type { Db } from '../../../runtime/db/connection.ts'
import type { Job } from '../../../runtime/jobs/job.ts'
import type { Context } from '../../context.ts'
import { tenantOf } from './tenant-store.ts'

/**
 * How many slots of a process the shops of one tenant hold at once. A shop that lets us wait holds its slot for as long as
 * it likes; with a share, it is only its own tenant who then waits for one.
 */
export interface Shares {
  /** What gives the slot back, or in how many seconds to ask again. */
  take(tenant: string, integrationId: number): { release(): void } | { againInSeconds: number }
}

/** Runs at once in a process, where the operator has set nothing. */
export const usualRunSlots = 12
/** Of the four slots that kinds of work have which say nothing else. */
const usualPerTenant = 2
/** Of more slots, a tenant may hold a third. */
const shareOf = (slots: number | undefined): number =>
  slots === undefined ? usualPerTenant : Math.max(1, Math.floor(slots / 3))

/** Not so often that asking is all we do, nor so rarely that a shop which has recovered is not noticed. */
const [minWaitSeconds, maxWaitSeconds] = [0.5, 120]
/** How much of what is known of their time the latest piece of work changes. */
const weightOfLatest = 0.2

/**
 * Those who wait ask again when, by the time that work of their tenant has taken lately, it is their turn. What is under way
 * counts for as long as it has lasted, so that shops which let us wait are noticed before they are done.
 */
export function createShares(share: number, now: () => number = () => performance.now()): Shares {
  const tenants = new Map<string, { begun: Set<{ at: number }>; waiting: Set<number>; seconds: number }>()
  let usualSeconds = 0.1
  const learn = (known: number, seconds: number) => known + weightOfLatest * (seconds - known)
  return {
    take(tenant, integrationId) {
      const known = tenants.get(tenant) ?? { begun: new Set(), waiting: new Set(), seconds: usualSeconds }
      tenants.set(tenant, known)
      if (known.begun.size >= share) {
        known.waiting.add(integrationId)
        const lasted = [...known.begun].reduce((sum, { at }) => sum + now() - at, 0) / known.begun.size / 1000
        const wait = (known.waiting.size * Math.max(known.seconds, lasted)) / share
        return { againInSeconds: Math.min(maxWaitSeconds, Math.max(minWaitSeconds, Math.ceil(2 * wait) / 2)) }
      }
      known.waiting.delete(integrationId)
      const began = { at: now() }
      known.begun.add(began)
      return {
        release() {
          const took = (now() - began.at) / 1000
          known.seconds = learn(known.seconds, took)
          usualSeconds = learn(usualSeconds, took)
          known.begun.delete(began)
          if (known.begun.size === 0) tenants.delete(tenant)
        },
      }
    },
  }
}

const byDatabase = new WeakMap<Db, Map<string, Shares>>()

/** One for each kind of job and database that a process works on. */
function sharesOf(context: Context, { name, slots }: Pick<Job<never, Context>, 'name' | 'slots'>): Shares {
  const { db } = context
  const known = byDatabase.get(db) ?? new Map<string, Shares>()
  byDatabase.set(db, known)
  const shares = known.get(name) ?? createShares(shareOf(slots?.(context)))
  known.set(name, shares)
  return shares
}

/** Works on a shop where its tenant has a slot left for it; else the same job comes again later. */
export async function inShare<Input extends { integrationId: number }>(
  context: Context,
  job: Job<Input, Context>,
  input: Input,
  work: () => Promise<void>,
): Promise<void> {
  const { integrationId } = input
  const share = sharesOf(context, job).take(await tenantOf(context.db, integrationId), integrationId)
  if ('release' in share) return await work().finally(share.release)
  const { againInSeconds } = share
  await context.transaction((trx) => context.enqueue(trx, job, input, { startAfterSeconds: againInSeconds }))
}
