import type { Budget, ReportedLimit } from '../../commerce/connector/remote-rules.ts'
import type { Connector } from '../../commerce/connector.ts'

/**
 * Who asks the shop. Each lane leaves a part of the bucket to those before it, so that a long export never keeps a
 * person waiting.
 */
export type Lane = 'interactive' | 'orders' | 'inventory' | 'catalogue'

/** The share of the bucket that a lane does not touch. */
export const reserves: Readonly<Record<Lane, number>> = { interactive: 0, orders: 0.1, inventory: 0.25, catalogue: 0.4 }

/** Seconds that waiting may hold a request or a worker. What takes longer comes back later. */
export const maxWaits: Readonly<Record<Lane, number>> = { interactive: 2, orders: 5, inventory: 5, catalogue: 5 }

/** Who pays: a shop, and the registration with the platform that it came by. */
export interface Payer {
  shop: string
  /** Null where there is none that others could share. */
  application: string | null
}

/** A bucket of one shop, or of all shops of one application. */
export interface Bucket extends Pick<Budget, 'capacity' | 'perSecond'> {
  key: string
  /** The same for the shop alone, which may be down while others are not. */
  ownKey: string
  /** Whose share it is that pays; null where the bucket is the shop's alone. */
  sharer: string | null
}

/** A limit that the connector does not know pays from the common one. */
export function bucketOf(
  { type, remote }: Pick<Connector, 'type' | 'remote'>,
  { shop, application }: Payer,
  name = 'default',
): Bucket {
  const known = Object.hasOwn(remote.budgets, name) ? name : 'default'
  const { capacity, perSecond, scope } = remote.budgets[known] ?? remote.budgets.default
  const isShared = scope === 'application' && application !== null
  // With its figures: where the connector is corrected, the bucket begins anew.
  const keyFor = (payer: string) => `${type}|${payer}|${known}|${capacity}/${perSecond}`
  const ownKey = keyFor(shop)
  const key = isShared ? keyFor(`application ${application}`) : ownKey
  return { key, ownKey, sharer: isShared ? shop : null, capacity, perSecond }
}

/** So often a platform is asked what is left, at least. */
const askLimitsSeconds = 3600

/** How a bucket goes on after the platform has said what is left: what there is lasts until there is more. */
export function afterReport({ limit, remaining, windowSeconds, resetsInSeconds }: ReportedLimit) {
  const seconds = Math.max(1, resetsInSeconds)
  // A little less than even: clocks differ.
  const even = (limit / windowSeconds) * 0.99
  return {
    remaining,
    perSecond: Math.max(0.0001, Math.min(even, remaining / seconds)),
    blockedSeconds: remaining <= 0 ? seconds : 0,
    nextSeconds: Math.min(askLimitsSeconds, seconds),
  }
}

/** Whether it matters by which registration with the platform a shop came. */
export const hasSharedBudget = ({ remote }: Pick<Connector, 'remote'>): boolean =>
  Object.values(remote.budgets).some(({ scope }) => scope === 'application')

/**
 * More than this share of a common bucket is plenty: whoever wants it takes it. Below, each shop gets no more than its
 * part, so that none of them starves for the greed of another. People may go a little further.
 */
export const plentyFor = (lane: Lane): number => (lane === 'interactive' ? 0.25 : 0.5)

/** How long work of this cost takes when nobody else asks the shop: the estimate before long work begins. */
export function estimateSeconds(
  connector: Pick<Connector, 'type' | 'remote'>,
  name: string,
  cost: number,
  lane: Exclude<Lane, 'interactive'> = 'catalogue',
): number {
  const { capacity, perSecond } = bucketOf(connector, { shop: '', application: null }, name)
  const atOnce = capacity * (1 - reserves[lane])
  return Math.max(0, Math.ceil((cost - atOnce) / perSecond))
}
