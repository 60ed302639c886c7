import type { Connector } from '../../commerce/connector.ts'
import { estimateSeconds, type Lane } from '../budgets/budget.ts'

/** What one page has shown. */
export interface Look {
  total: number
  size: number
  seconds: number
  /** By the connector's budgets. */
  costs: ReadonlyMap<string, number>
}

/** As long as the pages take one after the other, or as the shop's budget makes them wait, whichever is longer. */
export function estimateFrom(
  connector: Pick<Connector, 'type' | 'remote'>,
  lane: Exclude<Lane, 'interactive'>,
  { total, size, seconds, costs }: Look,
): number {
  const pages = Math.ceil(total / size)
  const waits = [...costs].map(([name, cost]) => estimateSeconds(connector, name, cost * pages, lane))
  return Math.max(pages * seconds, ...waits)
}
