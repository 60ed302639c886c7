import { setTimeout as sleep } from 'node:timers/promises'
import type { AnswerReading, Connector } from '../../commerce/connector.ts'
import { type RemoteRequest, shopAway } from '../../commerce/remote.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { neverSent } from '../../runtime/egress/egress-faults.ts'
import { type Bucket, bucketOf, type Lane, maxWaits, reserves } from './budget.ts'
import { blockBucket, correctBucket, leaseSeconds, takeTokens } from './budget-store.ts'

/** What a shop lets us ask of it, as one of those who ask sees it. */
export interface ShopBudget {
  /** Resolves when the request may go. Throws `upstream_retryable` if that takes longer than the lane may wait. */
  pay(request: RemoteRequest): Promise<void>
  /** The platform said: not before so many seconds; null where it named none. The answer is how long it will be. */
  block(request: RemoteRequest, seconds: number | null): Promise<number>
  /** What an answer told of what is left. */
  learn(told: NonNullable<AnswerReading['budget']>): Promise<void>
}

/** Tokens in hand, and until when (by this process's own clock) they count. */
interface Purse {
  tokens: number
  until: number
  /** What was left in the bucket when it was last asked. */
  left: number
  capacity: number
  perSecond: number
  /** Somebody is on the way to put some in. */
  filling: boolean
}

// Per database, so that programs which share this process share nothing else.
const purses = new WeakMap<Db, Map<string, Purse>>()
const maxLeases = 10_000

function pursesOf(db: Db): Map<string, Purse> {
  const known = purses.get(db) ?? new Map<string, Purse>()
  purses.set(db, known)
  if (known.size > maxLeases) known.clear()
  return known
}

export function shopBudget(db: Db, connector: Connector, shop: string, lane: Lane): ShopBudget {
  const held = pursesOf(db)
  return {
    async pay({ budget, cost = 1 }) {
      const bucket = bucketOf(connector, shop, budget)
      if (cost <= 0 || spend(held.get(bucket.key), cost)) return
      await draw(db, held, { bucket, cost, lane })
    },
    async block({ budget, cost = 1 }, told) {
      const bucket = bucketOf(connector, shop, budget)
      const seconds = Math.max(0.1, told ?? Math.min(30, Math.max(1, cost / bucket.perSecond)))
      held.delete(bucket.key)
      await blockBucket(db, bucket, seconds)
      return seconds
    },
    async learn(told) {
      const bucket = bucketOf(connector, shop, told.name)
      const purse = held.get(bucket.key)
      const asReckoned =
        purse &&
        (told.remaining ?? purse.left) >= purse.left &&
        (told.capacity ?? purse.capacity) === purse.capacity &&
        (told.perSecond ?? purse.perSecond) === purse.perSecond
      if (!asReckoned) await correctBucket(db, bucket, told)
    },
  }
}

function spend(purse: Purse | undefined, cost: number): boolean {
  if (!purse || purse.tokens < cost || purse.until <= performance.now()) return false
  purse.tokens -= cost
  return true
}

/** So many at once, where there is plenty: a statement per request would cost more than it guards. */
const spareShare = 0.02
const maxLeasedTokens = 20

async function draw(
  db: Db,
  held: Map<string, Purse>,
  { bucket, cost, lane }: { bucket: Bucket; cost: number; lane: Lane },
): Promise<void> {
  const reserve = reserves[lane]
  const patience = performance.now() + maxWaits[lane] * 1000
  for (;;) {
    const asked = performance.now()
    const purse = held.get(bucket.key) ?? { tokens: 0, until: 0, left: 0, capacity: 0, perSecond: 0, filling: false }
    held.set(bucket.key, purse)
    // One of all who ask at the same time fills the purse; what two put in would have two ends.
    const fills = !purse.filling
    const spare = fills ? Math.min(maxLeasedTokens * cost, Math.floor(bucket.capacity * spareShare)) : 0
    if (fills) purse.filling = true
    const taken = await takeTokens(db, { ...bucket, cost, reserve, spare }).finally(() => {
      if (fills) purse.filling = false
    })
    const { granted, tokens: left, capacity, perSecond, blockedSeconds } = taken
    if (granted > 0) {
      Object.assign(purse, { left, capacity, perSecond })
      const tokens = granted - Math.min(cost, capacity)
      // Counted from before the statement: these end no later than the database believes.
      if (tokens > 0) Object.assign(purse, { tokens, until: asked + leaseSeconds * 1000 })
      return
    }
    // Somebody else may have filled the purse meanwhile.
    if (spend(purse, cost)) return
    const need = Math.min(cost, capacity)
    const missing = need + Math.min(reserve * capacity, capacity - need) - left
    const seconds = Math.min(3600, Math.max(blockedSeconds, missing / perSecond, 0.01))
    if (performance.now() + seconds * 1000 > patience) throw neverSent(shopAway(Math.ceil(seconds)))
    await sleep(seconds * 1000 + Math.random() * 20)
  }
}
