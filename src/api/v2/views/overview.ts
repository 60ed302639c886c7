import { type Static, Type } from 'typebox'
import type { Overview } from '../../../domain/overview/read-overview.ts'
import { idField, nullableText, nullableTimestamp, timestamp } from './record.ts'

const hour = Type.String({ description: 'Its beginning, in UTC', examples: ['2026-11-15T14:00:00Z'] })
const nullableNumber = Type.Union([Type.Integer(), Type.Null()])

export const overviewSchema = Type.Object({
  integrations: Type.Array(
    Type.Object({ id: idField, name: Type.String(), shop: Type.String(), type: Type.String(), status: Type.String() }),
    { description: 'The newest 200' },
  ),
  orders_per_hour: Type.Array(Type.Object({ hour, count: Type.Integer() })),
  runs_per_hour: Type.Array(Type.Object({ hour, status: Type.String(), count: Type.Integer() })),
  recent_runs: Type.Array(
    Type.Object({
      id: idField,
      integration_id: idField,
      resource: Type.String(),
      status: Type.String(),
      progress: Type.Object({ done: Type.Integer(), total: nullableNumber }),
      error: nullableText,
      created_at: timestamp,
      started_at: nullableTimestamp,
      finished_at: nullableTimestamp,
    }),
  ),
  deliveries_per_hour: Type.Array(
    Type.Object({
      hour,
      count: Type.Integer(),
      failed: Type.Integer(),
      p50_ms: nullableNumber,
      p95_ms: nullableNumber,
    }),
  ),
  failed_messages: Type.Integer({ description: 'Webhooks of shops that could not be processed' }),
  budgets: Type.Array(
    Type.Object({
      shop: Type.String(),
      name: Type.String(),
      remaining: Type.Number(),
      capacity: Type.Number(),
      per_second: Type.Number(),
      blocked_seconds: Type.Number(),
    }),
  ),
})

export const overviewView = (overview: Overview): Static<typeof overviewSchema> => ({
  integrations: overview.integrations,
  orders_per_hour: overview.orders.map(({ hour, n }) => ({ hour, count: n })),
  runs_per_hour: overview.runs.map(({ hour, word, n }) => ({ hour, status: word, count: n })),
  recent_runs: overview.recentRuns.map(({ done, total, ...run }) => ({ ...run, progress: { done, total } })),
  deliveries_per_hour: overview.deliveries.map(({ n, ...rest }) => ({ ...rest, count: n })),
  failed_messages: overview.failedInbound,
  budgets: overview.budgets.map(({ key, capacity, tokens, per_second, blocked_seconds }) => {
    // type | shop | origin | name | figures
    const [, shop = '', , name = ''] = key.split('|')
    return { shop, name, remaining: tokens, capacity, per_second, blocked_seconds }
  }),
})
