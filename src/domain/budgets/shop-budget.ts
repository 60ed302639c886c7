import { setTimeout as sleep } from 'node:timers/promises'
import type { AnswerReading, ReportedLimit } from '../../commerce/connector/remote-rules.ts'
import type { Connector } from '../../commerce/connector.ts'
import { type RemoteRequest, shopAway } from '../../commerce/remote.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { neverSent } from '../../runtime/egress/egress-faults.ts'
import { afterReport, type Bucket, bucketOf, type Lane, maxWaits, type Payer, plentyFor, reserves } from './budget.ts'
import {
  blockBucket,
  claimLimits,
  correctBucket,
  leaseSeconds,
  pauseBucket,
  resumeBucket,
  setLimit,
  takeShared,
  takeTokens,
} from './budget-store.ts'

/** What a shop lets us ask of it, as one of those who ask sees it. */
export interface ShopBudget {
  /** Resolves when the request may go. Throws `upstream_retryable` if that takes longer than the lane may wait. */
  pay(request: RemoteRequest): Promise<void>
  /** The platform said: not before so many seconds; null where it named none. The answer is how long it will be. */
  block(request: RemoteRequest, seconds: number | null): Promise<number>
  /** The shop is down for so many seconds: nobody asks meanwhile but people, who may find it back. */
  pause(request: RemoteRequest, seconds: number): Promise<void>
  /** The shop has answered. What somebody found back is there for all. */
  resume(): Promise<void>
  /** What an answer reported as left. */
  learn(reported: NonNullable<AnswerReading['budget']>): Promise<void>
}

/** Tokens in hand, and until when (by this process's own clock) they count. */
interface TokenLease {
  tokens: number
  until: number
  /** What was left in the bucket when it was last asked, and when it had answered; zero where that no longer counts. */
  left: number
  answered: number
  capacity: number
  perSecond: number
  perDay: number | null
  dayLeft: number | null
  /** Somebody is on the way to put some in. */
  filling: boolean
}

// Per database, so that programs which share this process share nothing else.
const leases = new WeakMap<Db, Map<string, TokenLease>>()
const maxLeases = 10_000

function leasesOf(db: Db): Map<string, TokenLease> {
  const known = leases.get(db) ?? new Map<string, TokenLease>()
  leases.set(db, known)
  if (known.size > maxLeases) known.clear()
  return known
}

export function shopBudget(
  db: Db,
  connector: Connector,
  payer: Payer,
  lane: Lane,
  /** Asks the platform what is left of limits that several shops share. */
  askLimits: () => Promise<readonly ReportedLimit[]> = async () => [],
  maxWaitSeconds = maxWaits[lane],
): ShopBudget {
  const held = leasesOf(db)
  const probed = new Map<string, Bucket>()
  // Whoever has just found the shop down need not look again.
  let probes = lane === 'interactive'
  /** A platform that does not say is believed to give what it usually does. */
  async function followLimits(granted: number): Promise<void> {
    for (const { remaining, ...reported } of await askLimits().catch(() => [])) {
      // What we are about to send it cannot have counted.
      const left = Math.max(0, remaining - granted)
      await setLimit(db, bucketOf(connector, payer, reported.name), afterReport({ ...reported, remaining: left }))
    }
  }
  return {
    async pay({ budget, cost = 1 }) {
      const bucket = bucketOf(connector, payer, budget)
      if (cost <= 0 || spend(held.get(bucket.key), cost)) return
      if (await draw(db, held, { bucket, cost, lane, maxWaitSeconds, probes, followLimits }))
        probed.set(bucket.key, bucket)
    },
    async block({ budget, cost = 1 }, requestedSeconds) {
      const bucket = bucketOf(connector, payer, budget)
      const seconds = Math.max(0.1, requestedSeconds ?? Math.min(30, Math.max(1, cost / bucket.perSecond)))
      held.delete(bucket.key)
      await blockBucket(db, bucket, seconds)
      return seconds
    },
    async pause({ budget }, seconds) {
      const bucket = bucketOf(connector, payer, budget)
      held.delete(bucket.key)
      probed.delete(bucket.key)
      probes = false
      await pauseBucket(db, bucket, seconds)
    },
    async resume() {
      for (const bucket of probed.values()) await resumeBucket(db, bucket)
      probed.clear()
    },
    async learn(reported) {
      const bucket = bucketOf(connector, payer, reported.name)
      const lease = held.get(bucket.key)
      const asExpected =
        lease &&
        (reported.remaining ?? lease.left) >= lease.left &&
        (reported.capacity ?? lease.capacity) === lease.capacity &&
        (reported.perSecond ?? lease.perSecond) === lease.perSecond &&
        isSameDay(lease, reported)
      if (asExpected) return
      if (lease) lease.answered = 0
      await correctBucket(db, bucket, reported)
    },
  }
}

/** What is left of a day changes with every answer: it is written down by the hundredth. */
function isSameDay(lease: TokenLease, { perDay, dayLeft }: NonNullable<AnswerReading['budget']>): boolean {
  if (perDay === undefined || dayLeft === undefined) return true
  return lease.perDay === perDay && Math.abs(dayLeft - (lease.dayLeft ?? 0)) < perDay / 100
}

const noTokens = { tokens: 0, until: 0, left: 0, answered: 0, capacity: 0, perSecond: 0, perDay: null, dayLeft: null }

function spend(lease: TokenLease | undefined, cost: number): boolean {
  if (!lease || lease.tokens < cost || lease.until <= performance.now()) return false
  lease.tokens -= cost
  return true
}

/** What a lane would have to see in the bucket beyond what is left there. */
function missingOf({ left, capacity }: Pick<TokenLease, 'left' | 'capacity'>, cost: number, reserve: number): number {
  const need = Math.min(cost, capacity)
  return need + Math.min(reserve * capacity, capacity - need) - left
}

/**
 * So long the bucket cannot have enough, whatever others do: they only take from it. Who asked before would be refused, and
 * ask again.
 */
function tooEarlyMs(lease: TokenLease, cost: number, reserve: number): number {
  if (lease.answered === 0) return 0
  const filledMs = performance.now() - lease.answered
  return (missingOf(lease, cost, reserve) / lease.perSecond) * 1000 - filledMs
}

/** Waited on top, since both clocks are read in passing. */
const marginMs = 2

/** So many at once, where there is plenty: a statement per request would cost more than it guards. */
const spareShare = 0.02
const maxLeasedTokens = 20

/** True where the shop is believed to be down. */
async function draw(
  db: Db,
  held: Map<string, TokenLease>,
  {
    bucket,
    cost,
    lane,
    maxWaitSeconds,
    probes,
    followLimits,
  }: {
    bucket: Bucket
    cost: number
    lane: Lane
    maxWaitSeconds: number
    probes: boolean
    followLimits: (granted: number) => Promise<void>
  },
): Promise<boolean> {
  const reserve = reserves[lane]
  const patience = performance.now() + maxWaitSeconds * 1000
  for (;;) {
    const lease = held.get(bucket.key) ?? { ...noTokens, filling: false }
    held.set(bucket.key, lease)
    const earlyMs = tooEarlyMs(lease, cost, reserve)
    // Whoever cannot wait for that is told by the bucket, which may know better.
    if (earlyMs > 0 && performance.now() + earlyMs + marginMs < patience) {
      await sleep(earlyMs + marginMs)
      if (spend(held.get(bucket.key), cost)) return false
      continue
    }
    const asked = performance.now()
    // One of all who ask at the same time fills the lease; two fillings would have two ends.
    const fills = !lease.filling
    // Of a common bucket nothing is taken ahead: another shop could spend it.
    const { sharer } = bucket
    const spare =
      fills && sharer === null ? Math.min(maxLeasedTokens * cost, Math.floor(bucket.capacity * spareShare)) : 0
    if (fills) lease.filling = true
    const taking = { ...bucket, cost, reserve, spare, probes }
    const taken = await (sharer === null
      ? takeTokens(db, taking)
      : takeShared(db, { ...taking, sharer, plenty: plentyFor(lane) })
    ).finally(() => {
      if (fills) lease.filling = false
    })
    if (sharer !== null && taken.limitsDue && (await claimLimits(db, bucket))) await followLimits(taken.granted)
    const { granted, tokens: left, capacity, perSecond, blockedSeconds, paused, shareSeconds = 0 } = taken
    Object.assign(lease, { left, answered: performance.now(), capacity, perSecond })
    if (granted > 0) {
      Object.assign(lease, { perDay: taken.perDay, dayLeft: taken.dayLeft })
      const tokens = granted - Math.min(cost, capacity)
      // Counted from before the statement: these end no later than the database believes.
      if (tokens > 0) Object.assign(lease, { tokens, until: asked + leaseSeconds * 1000 })
      return paused
    }
    // Somebody else may have filled the lease meanwhile.
    if (spend(lease, cost)) return false
    const missing = missingOf({ left, capacity }, cost, reserve)
    const seconds = Math.min(3600, Math.max(blockedSeconds, missing / perSecond, shareSeconds, 0.01))
    if (performance.now() + seconds * 1000 > patience) throw neverSent(shopAway(Math.ceil(seconds)))
    await sleep(seconds * 1000 + Math.random() * 20)
  }
}
