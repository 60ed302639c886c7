import type { Budget, Connector } from '../../commerce/connector.ts'

/**
 * Who asks the shop. Each lane leaves a part of the bucket to those before it, so that a long export never keeps a
 * person waiting.
 */
export type Lane = 'interactive' | 'orders' | 'inventory' | 'catalogue'

/** The share of the bucket that a lane does not touch. */
export const reserves: Readonly<Record<Lane, number>> = { interactive: 0, orders: 0.1, inventory: 0.25, catalogue: 0.4 }

/** Seconds that waiting may hold a request or a worker. What takes longer comes back later. */
export const maxWaits: Readonly<Record<Lane, number>> = { interactive: 2, orders: 5, inventory: 5, catalogue: 5 }

/** A bucket of one shop. */
export interface Bucket extends Budget {
  key: string
}

/** A limit that the connector does not know pays from the common one. */
export function bucketOf({ type, remote }: Pick<Connector, 'type' | 'remote'>, shop: string, name = 'default'): Bucket {
  const known = Object.hasOwn(remote.budgets, name) ? name : 'default'
  const { capacity, perSecond } = remote.budgets[known] ?? remote.budgets.default
  // With its figures: where the connector is corrected, the bucket begins anew.
  return { key: `${type}|${shop}|${known}|${capacity}/${perSecond}`, capacity, perSecond }
}

/** How long work of this cost takes when nobody else asks the shop: the estimate before long work begins. */
export function estimateSeconds(
  connector: Pick<Connector, 'type' | 'remote'>,
  name: string,
  cost: number,
  lane: Exclude<Lane, 'interactive'> = 'catalogue',
): number {
  const { capacity, perSecond } = bucketOf(connector, '', name)
  const atOnce = capacity * (1 - reserves[lane])
  return Math.max(0, Math.ceil((cost - atOnce) / perSecond))
}
