import { type Static, Type } from 'typebox'
import { attentionKinds, severities } from '../../../domain/attention/attention.ts'
import { sayAttention } from '../../../domain/attention/words.ts'
import { rangeNames } from '../../../domain/overview/range.ts'
import type { Overview } from '../../../domain/overview/read-overview.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { idField, nullableText, nullableTimestamp, timestamp } from './record.ts'

const nullableNumber = Type.Union([Type.Integer(), Type.Null()])
const count = Type.Integer()
const step = { at: Type.String({ format: 'date-time', description: 'Start of the minute, hour or day' }), count }

const attention = Type.Object({
  kind: choice(attentionKinds),
  severity: choice(severities),
  summary: Type.String({ description: 'What it is, in a sentence' }),
  integration: Type.Union([Type.Object({ id: idField, name: Type.String(), shop: Type.String() }), Type.Null()]),
  webhook: Type.Union([Type.Object({ id: idField, url: Type.String() }), Type.Null()]),
  run_id: nullableNumber,
  count: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Number of orders, messages, deliveries or records concerned',
  }),
  at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When it began; for orders to ship and consents, the time by which somebody has to act',
  }),
  reason: nullableText,
})

export const overviewSchema = Type.Object({
  range: choice(rangeNames),
  from: timestamp,
  to: timestamp,
  step: choice(['minute', 'hour', 'day']),
  steps: Type.Array(Type.String({ format: 'date-time' }), { description: 'The start of each minute, hour or day' }),
  attention: Type.Array(attention, { description: 'What somebody should look at, worst first; at most 100' }),
  attention_count: count,
  integrations: Type.Array(Type.Object({ status: Type.String(), count }), {
    description: 'All integrations of the app that are not deleted, by status',
  }),
  orders_placed: Type.Array(Type.Object(step), {
    description: 'Orders that customers placed between `from` and `to`, by when they placed them',
  }),
  orders_received: Type.Integer({
    description: 'Orders first stored here between `from` and `to`, whenever they were placed',
  }),
  runs: Type.Array(Type.Object({ ...step, status: Type.String() }), {
    description: 'Runs by when they were created, without those that the clock started and that found nothing',
  }),
  recent_runs: Type.Array(
    Type.Object({
      id: idField,
      integration_id: idField,
      integration: Type.String({ description: 'Name of the integration' }),
      resource: Type.String(),
      status: Type.String(),
      progress: Type.Object({ done: count, total: nullableNumber }),
      error: nullableText,
      created_at: timestamp,
      started_at: nullableTimestamp,
      finished_at: nullableTimestamp,
    }),
  ),
  deliveries: Type.Array(
    Type.Object({
      ...step,
      p50_ms: Type.Union([Type.Integer(), Type.Null()], { description: 'Median time from the event to its delivery' }),
      p95_ms: nullableNumber,
    }),
    { description: 'Webhook deliveries that an endpoint accepted, by when it did' },
  ),
  deliveries_failed: Type.Integer({
    description: 'Webhook deliveries given up between `from` and `to`, after the last attempt',
  }),
  deliveries_waiting: Type.Integer({ description: 'Webhook deliveries that wait for their next attempt now' }),
  deliveries_held: Type.Integer({ description: 'Webhook deliveries held now because their webhook is disabled' }),
  failed_messages: Type.Integer({ description: 'Messages of shops that could not be processed, now' }),
  budgets: Type.Array(
    Type.Object({
      shop: Type.String(),
      name: Type.String(),
      remaining: Type.Number(),
      capacity: Type.Number(),
      per_second: Type.Number(),
      blocked_seconds: Type.Number(),
    }),
    { description: 'Rate limits of shops of which least is left; at most 12' },
  ),
})

const stepView = <T extends { n: number }>({ n, ...rest }: T) => ({ ...rest, count: n })

export const overviewView = (overview: Overview): Static<typeof overviewSchema> => ({
  range: overview.range.name,
  from: overview.range.from,
  to: overview.range.to,
  step: overview.range.unit,
  steps: overview.steps,
  attention: overview.attention.map((item) => ({
    kind: item.kind,
    severity: item.severity,
    summary: sayAttention(item),
    integration: item.integration,
    webhook: item.webhook,
    run_id: item.run_id,
    count: item.count,
    at: item.at,
    reason: item.reason,
  })),
  attention_count: overview.attentionCount,
  integrations: overview.integrations.map(stepView),
  orders_placed: overview.placed.map(stepView),
  orders_received: overview.received,
  runs: overview.runs.map(stepView),
  recent_runs: overview.recentRuns.map(({ done, total, ...run }) => ({ ...run, progress: { done, total } })),
  deliveries: overview.deliveries.map(stepView),
  deliveries_failed: overview.givenUp,
  deliveries_waiting: overview.waiting,
  deliveries_held: overview.held,
  failed_messages: overview.failedMessages,
  budgets: overview.budgets.map(({ key, capacity, tokens, per_second, blocked_seconds }) => {
    // type | shop | origin | name | figures
    const [, shop = '', , name = ''] = key.split('|')
    return { shop, name, remaining: tokens, capacity, per_second, blocked_seconds }
  }),
})
