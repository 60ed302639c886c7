import type { Context } from '../context.ts'
import {
  type BudgetRow,
  budgetsOf,
  deliveriesByHour,
  failedInbound,
  type HourCount,
  type IntegrationFact,
  integrationsIn,
  type LatencyHour,
  ordersByHour,
  type RecentRun,
  recentRuns,
  runsByHour,
} from './overview-store.ts'

/** How an app fares: for the first page of the console. */
export interface Overview {
  integrations: IntegrationFact[]
  orders: HourCount[]
  runs: HourCount[]
  recentRuns: RecentRun[]
  deliveries: LatencyHour[]
  failedInbound: number
  budgets: BudgetRow[]
}

const maxRuns = 12

export async function readOverview({ db }: Pick<Context, 'db'>, appId: number): Promise<Overview> {
  const integrations = await integrationsIn(db, appId)
  const ids = integrations.map(({ id }) => id)
  const [orders, runs, recent, deliveries, failed, budgets] = await Promise.all([
    ordersByHour(db, ids),
    runsByHour(db, ids),
    recentRuns(db, ids, maxRuns),
    deliveriesByHour(db, appId),
    failedInbound(db, ids),
    budgetsOf(db, [...new Set(integrations.map(({ shop }) => shop))]),
  ])
  return { integrations, orders, runs, recentRuns: recent, deliveries, failedInbound: failed, budgets }
}
