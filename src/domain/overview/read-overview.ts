import { chunks } from '../../lib/chunks.ts'
import { invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { databaseTime } from '../../runtime/db/database-time.ts'
import { type Found, ofIntegration, type Severity, worstFirst } from '../attention/attention.ts'
import { companyOf, type IntegrationName, namesOf, troubledIntegrations } from '../attention/attention-store.ts'
import { accessTrouble, type Shop, stockTrouble, webhookTrouble, workTrouble } from '../attention/find-attention.ts'
import { meets, severityOf } from '../attention/rule.ts'
import { rulesOf } from '../attention/rule-store.ts'
import type { Context } from '../context.ts'
import {
  type BudgetRow,
  budgetsOf,
  type DeliveryStep,
  deliveriesBy,
  givenUp,
  integrationsByStatus,
  integrationsIn,
  ordersBy,
  type RecentRun,
  type RunStep,
  recentRuns,
  runsBy,
  type StatusCount,
  type Step,
  stepsOf,
} from './figures-store.ts'
import { type Range, type RangeName, rangeUpTo } from './range.ts'
import { isTimeZone } from './time-zone-store.ts'

/** Something that somebody should look at. */
export interface Attention extends Omit<Found, 'integrationId' | 'userId'> {
  severity: Severity
  integration: IntegrationName | null
}

/** How an app fares, over all of its shops: for the first page of the console. */
export interface Overview {
  range: Range
  /** The beginnings of its minutes, hours or days. */
  steps: string[]
  /** What somebody should look at, worst first; at most a hundred of them. */
  attention: Attention[]
  attentionCount: number
  integrations: StatusCount[]
  /** Orders by when customers placed them. */
  placed: Step[]
  /** Orders that came here in that time, whenever they were placed. */
  received: number
  runs: RunStep[]
  recentRuns: (RecentRun & { integration: string })[]
  deliveries: DeliveryStep[]
  /** Deliveries: given up in that time; waiting and held now. */
  givenUp: number
  waiting: number
  held: number
  /** Messages of shops that could not be processed, now. */
  failedMessages: number
  budgets: BudgetRow[]
}

const maxRuns = 12
const maxOfKind = 25
const maxAttention = 100
/** Integrations that one statement is about. */
const batch = 2000

export async function readOverview(
  { db, connectors }: Pick<Context, 'db' | 'connectors'>,
  appId: number,
  asked: { range: RangeName; timeZone: string },
): Promise<Overview> {
  const { timeZone } = asked
  if (!(await isTimeZone(db, timeZone))) throw invalidField('time_zone', 'The time zone must be a valid timezone.')
  const range = rangeUpTo(asked.range, { now: new Date(await databaseTime(db)), timeZone })
  const shops = await integrationsIn(db, appId)
  const batches = chunks(shops, batch)
  const parts = batches.map((some) => some.map(({ id }) => id))
  const [steps, statuses, placed, received, runs, recent, ofWebhooks, findings, budgets] = await Promise.all([
    stepsOf(db, range),
    integrationsByStatus(db, appId),
    overAll(parts, (ids) => ordersBy(db, ids, { column: 'placed_at', range })),
    overAll(parts, (ids) => ordersBy(db, ids, { column: 'created_at', range })),
    overAll(parts, (ids) => runsBy(db, ids, range)),
    overAll(parts, (ids) => recentRuns(db, ids, { range, limit: maxRuns })),
    readDeliveries(db, appId, range),
    readFindings({ db, connectors }, appId, batches),
    budgetsOf(db, [...new Set(shops.map(({ shop }) => shop))]),
  ])
  const rules = await rulesOf(db, appId)
  const now = new Date(range.to)
  const found = worstFirst([...findings, ...ofWebhooks.found]).filter((each) => meets(rules, each, now))
  const unnamed = found.slice(0, maxAttention)
  const latest = newest(recent).slice(0, maxRuns)
  const concerned = [...unnamed.map(({ integrationId }) => integrationId), ...latest.map((run) => run.integration_id)]
  const ids = [...new Set(concerned)].filter((id) => id !== null)
  const known = new Map((await namesOf(db, appId, ids)).map((each) => [each.id, each]))
  const nameOf = (id: number | null) => (id === null ? null : (known.get(id) ?? null))
  return {
    range,
    steps,
    attention: unnamed.map(({ integrationId, userId: _, ...item }) => ({
      ...item,
      severity: severityOf(rules, item.kind),
      integration: nameOf(integrationId),
    })),
    attentionCount: found.length,
    integrations: statuses,
    placed: summed(placed, () => ''),
    received: received.reduce((sum, { n }) => sum + n, 0),
    runs: summed(runs, ({ status }) => status),
    recentRuns: latest.map((run) => ({ ...run, integration: nameOf(run.integration_id)?.name ?? '' })),
    deliveries: ofWebhooks.deliveries.sort(byTime),
    givenUp: ofWebhooks.givenUp,
    waiting: countOf(ofWebhooks.undelivered, 'pending'),
    held: countOf(ofWebhooks.undelivered, 'held'),
    failedMessages: findings.reduce(
      (sum, { kind, count }) => (kind === 'messages_failed' ? sum + (count ?? 0) : sum),
      0,
    ),
    budgets,
  }
}

async function readDeliveries(db: Db, appId: number, range: Range) {
  const { ids, undelivered, found } = await webhookTrouble(db, [appId])
  const [deliveries, given] = await Promise.all([deliveriesBy(db, ids, range), givenUp(db, ids, range)])
  return { deliveries, givenUp: given, undelivered, found }
}

async function readFindings(
  look: Pick<Context, 'db' | 'connectors'>,
  appId: number,
  batches: readonly Shop[][],
): Promise<Found[]> {
  const companyId = await companyOf(look.db, appId)
  const [integrations, work, stock, access] = await Promise.all([
    troubledIntegrations(look.db, { appId }, maxOfKind),
    overAll(batches, (shops) => workTrouble(look, shops, maxOfKind)),
    overAll(batches, (shops) => stockTrouble(look, shops)),
    companyId === null ? [] : accessTrouble(look.db, [companyId]),
  ])
  return [...integrations.flatMap(ofIntegration), ...fewOf(work), ...stock, ...access]
}

/** Of runs a few are enough, over all batches. */
function fewOf(work: readonly Found[]): Found[] {
  const seen = new Map<string, number>()
  return work.filter(({ kind, run_id: runId }) => {
    const before = seen.get(kind) ?? 0
    seen.set(kind, before + 1)
    return runId === null || before < maxOfKind
  })
}

/** One statement after the other: an app with many shops is not to take all connections. */
async function overAll<Part, T>(parts: readonly Part[], read: (part: Part) => Promise<T[]>): Promise<T[]> {
  const all: T[] = []
  for (const part of parts) all.push(...(await read(part)))
  return all
}

/** Several batches may have something in the same step. */
function summed<T extends Step>(steps: readonly T[], wordOf: (step: T) => string): T[] {
  const sums = new Map<string, T>()
  for (const step of steps) {
    const key = `${step.at} ${wordOf(step)}`
    sums.set(key, { ...step, n: step.n + (sums.get(key)?.n ?? 0) })
  }
  return [...sums.values()].sort(byTime)
}

const byTime = (a: Step, b: Step): number => Date.parse(a.at) - Date.parse(b.at)
const newest = (runs: RecentRun[]): RecentRun[] =>
  runs.sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at) || b.id - a.id)
const countOf = (waiting: readonly { state: string; n: number }[], state: string): number =>
  waiting.reduce((sum, each) => (each.state === state ? sum + each.n : sum), 0)
