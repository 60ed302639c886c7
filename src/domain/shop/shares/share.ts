import type { Db } from '../../../runtime/db/connection.ts'
import type { Job } from '../../../runtime/jobs/job.ts'
import type { Context } from '../../context.ts'
import { tenantOf } from './tenant-store.ts'

/**
 * How many slots of a process the shops of one tenant hold at once. A shop that lets us wait holds its slot for as long as
 * it likes; with a share, it is only its own tenant who then waits for one.
 */
export interface Shares {
  /** What gives the slot back, or in how many seconds to ask again. `soon`: it is worth waiting for the next one to be given back. */
  take(tenant: string, integrationId: number): { release(): void } | { againInSeconds: number; soon: boolean }
  /** Until a slot has been given back that nobody waits for who was here before, and not for long. */
  nextRelease(): Promise<void>
}

/** Runs at once in a process, where the operator has set nothing. */
export const usualRunSlots = 12
/** What a tenant holds at once, whoever else is there, and what all may hold together before somebody gets more than that. */
interface Room {
  share: number
  together: number
}

/** Of the four slots that kinds of work have which say nothing else. */
const usualRoom: Room = { share: 2, together: 2 }
/** Of more slots a tenant may hold a third, and more only where as much as that stays free for others. */
export function roomIn(slots: number | undefined): Room {
  if (slots === undefined) return usualRoom
  const share = Math.max(1, Math.floor(slots / 3))
  return { share, together: slots - share }
}

/** Not so often that asking is all we do, nor so rarely that a shop which has recovered is not noticed. */
const [minWaitSeconds, maxWaitSeconds] = [0.5, 120]
/** Whose work takes longer than this has a share and no more: each slot could be gone for as long as a shop likes. */
const quickSeconds = 2
/** So many quick ones in a row a tenant has shown before it gets more than its share. */
const quickUntilTrusted = 8
/** Of whom that is remembered while nothing of theirs is under way. */
const maxRemembered = 1000
/** Whose work has been quick so far asks again after this at the latest: a database that was slow for a moment is no slow shop. */
const maxWaitOfQuick = 15
/** Longer than that nobody keeps a slot only to wait in it. */
const patienceMs = 250
/** How much of what is known of their time the latest piece of work changes. */
const weightOfLatest = 0.2

/**
 * Those who wait ask again when, by the time that work of their tenant has taken lately, it is their turn. What is under way
 * counts for as long as it has lasted, so that shops which let us wait are noticed before they are done. One with very many
 * shops that have answered at once may use what nobody else needs.
 */
export function createShares({ share, together }: Room, now: () => number = () => performance.now()): Shares {
  const tenants = new Map<string, Known>()
  let usualSeconds = 0.1
  let underWay = 0
  const expectant = new Set<() => void>()
  const learn = (known: number, seconds: number) => known + weightOfLatest * (seconds - known)
  /** Of whom nothing is under way only that is kept which others have to trust in. */
  function rest(tenant: string, known: Known): void {
    tenants.delete(tenant)
    known.waiting.clear()
    if (known.quickOnes < quickUntilTrusted) return
    tenants.set(tenant, known)
    if (tenants.size <= maxRemembered) return
    for (const [name, { begun }] of tenants) {
      if (begun.size === 0) return void tenants.delete(name)
    }
  }
  return {
    take(tenant, integrationId) {
      const known = tenants.get(tenant) ?? { begun: new Set(), waiting: new Set(), seconds: usualSeconds, quickOnes: 0 }
      tenants.set(tenant, known)
      const lasted = [...known.begun].map(({ at }) => (now() - at) / 1000)
      const isQuick = known.quickOnes >= quickUntilTrusted && Math.max(known.seconds, ...lasted) <= quickSeconds
      if (known.begun.size >= share && !(isQuick && underWay < together)) {
        known.waiting.add(integrationId)
        const usual = lasted.reduce((sum, seconds) => sum + seconds, 0) / lasted.length
        const wait = (known.waiting.size * Math.max(known.seconds, usual)) / known.begun.size
        const longest = known.seconds <= quickSeconds ? maxWaitOfQuick : maxWaitSeconds
        return {
          againInSeconds: Math.min(longest, Math.max(minWaitSeconds, Math.ceil(2 * wait) / 2)),
          soon: isQuick,
        }
      }
      known.waiting.delete(integrationId)
      const began = { at: now() }
      known.begun.add(began)
      underWay += 1
      return {
        release() {
          const took = (now() - began.at) / 1000
          known.seconds = learn(known.seconds, took)
          usualSeconds = learn(usualSeconds, took)
          known.quickOnes = took <= quickSeconds ? known.quickOnes + 1 : 0
          known.begun.delete(began)
          underWay -= 1
          if (known.begun.size === 0) rest(tenant, known)
          const [next] = expectant
          next?.()
        },
      }
    },
    nextRelease: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => go(), patienceMs)
        const go = () => {
          clearTimeout(timer)
          expectant.delete(go)
          resolve()
        }
        expectant.add(go)
      }),
  }
}

/** Of a tenant. */
interface Known {
  begun: Set<{ at: number }>
  waiting: Set<number>
  /** That a piece of its work takes. */
  seconds: number
  /** One after the other, up to now. */
  quickOnes: number
}

const byDatabase = new WeakMap<Db, Map<string, Shares>>()

/** One for each kind of job and database that a process works on. */
function sharesOf(context: Context, { name, slots }: Pick<Job<never, Context>, 'name' | 'slots'>): Shares {
  const { db } = context
  const known = byDatabase.get(db) ?? new Map<string, Shares>()
  byDatabase.set(db, known)
  const shares = known.get(name) ?? createShares(roomIn(slots?.(context)))
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
  const shares = sharesOf(context, job)
  const tenant = await tenantOf(context.db, integrationId)
  let share = shares.take(tenant, integrationId)
  if ('soon' in share && share.soon) {
    // To put it off and fetch it again costs more than the moment does.
    await shares.nextRelease()
    share = shares.take(tenant, integrationId)
  }
  if ('release' in share) return await work().finally(share.release)
  const { againInSeconds } = share
  await context.transaction((trx) => context.enqueue(trx, job, input, { startAfterSeconds: againInSeconds }))
}
