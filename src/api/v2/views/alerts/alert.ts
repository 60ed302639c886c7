import { type Static, Type } from 'typebox'
import type { Alert } from '../../../../domain/alerts/alert.ts'
import { type Channel, channelTypes, deliveries } from '../../../../domain/alerts/channels/channel.ts'
import { attentionKinds, severities } from '../../../../domain/attention/attention.ts'
import type { Rule } from '../../../../domain/attention/rule.ts'
import { kindNames, sayAttention } from '../../../../domain/attention/words.ts'
import { choice } from '../../../../lib/validation/fields.ts'
import { idField, nullableId, nullableText, nullableTimestamp, timestamp, timestamps } from '../record.ts'

export const alertSchema = Type.Object({
  id: idField,
  kind: choice(attentionKinds),
  severity: choice(severities),
  summary: Type.String({ description: 'What it is, in a sentence' }),
  integration: Type.Union([Type.Object({ id: idField, name: Type.String() }), Type.Null()]),
  webhook: Type.Union([Type.Object({ id: idField, url: Type.String() }), Type.Null()]),
  user_id: nullableId,
  run_id: nullableId,
  count: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Number of orders, messages, deliveries or records concerned',
  }),
  reason: nullableText,
  since: Type.Union([timestamp, Type.Null()], {
    description: 'Since when it is so; for orders to ship and consents, by when somebody has to act',
  }),
  opened_at: timestamp,
  closed_at: Type.Union([timestamp, Type.Null()], { description: 'Null while it is open' }),
  acknowledged_at: nullableTimestamp,
  acknowledged_by: nullableId,
  muted_until: Type.Union([timestamp, Type.Null()], { description: 'Until then no channel is told of its cause' }),
  updated_at: timestamp,
})

export const alertView = (alert: Alert): Static<typeof alertSchema> => ({
  id: alert.id,
  kind: alert.kind,
  severity: alert.severity,
  summary: sayAttention(alert),
  integration: alert.integration_id === null ? null : { id: alert.integration_id, name: alert.integration_name ?? '' },
  webhook: alert.webhook_id === null ? null : { id: alert.webhook_id, url: alert.webhook_url ?? '' },
  user_id: alert.user_id,
  run_id: alert.run_id,
  count: alert.count,
  reason: alert.reason,
  since: alert.since,
  opened_at: alert.opened_at,
  closed_at: alert.closed_at,
  acknowledged_at: alert.acknowledged_at,
  acknowledged_by: alert.acknowledged_by,
  muted_until: alert.muted_until,
  updated_at: alert.updated_at,
})

export const ruleSchema = Type.Object({
  kind: choice(attentionKinds),
  name: Type.String({ description: 'What it is about, in words' }),
  active: Type.Boolean(),
  severity: choice(severities),
  minimum: Type.Union([Type.Integer(), Type.Null()], {
    description: 'From how many on it counts; null where there is nothing to count',
  }),
  minutes: Type.Union([Type.Integer(), Type.Null()], {
    description: 'For how long it has to be so; null where that makes no sense',
  }),
  integration_ids: Type.Union([Type.Array(Type.Integer()), Type.Null()], {
    description: 'The shops it is about; null is all of them',
  }),
})

export const ruleView = (rule: Rule): Static<typeof ruleSchema> => ({
  kind: rule.kind,
  name: kindNames[rule.kind],
  active: rule.active,
  severity: rule.severity,
  minimum: rule.minimum,
  minutes: rule.minutes,
  integration_ids: rule.integration_ids,
})

export const channelSchema = Type.Object({
  id: idField,
  type: choice(channelTypes),
  name: Type.String(),
  hint: Type.String({ description: 'What may be shown of the address, which itself is in no answer' }),
  severity: choice(severities, 'Nothing below it is sent'),
  active: Type.Boolean(),
  delivery: choice(deliveries),
  daily_at: nullableText,
  quiet_from: nullableText,
  quiet_to: nullableText,
  time_zone: Type.String(),
  confirmed_at: Type.Union([timestamp, Type.Null()], {
    description: 'Of mail: since when whoever reads there has agreed. Until then nothing is sent.',
  }),
  last_sent_at: nullableTimestamp,
  failing_since: nullableTimestamp,
  last_error: nullableText,
  ...timestamps,
})

export const channelView = (channel: Channel): Static<typeof channelSchema> => ({
  id: channel.id,
  type: channel.type,
  name: channel.name,
  hint: channel.hint,
  severity: channel.severity,
  active: channel.active,
  delivery: channel.delivery,
  daily_at: channel.daily_at,
  quiet_from: channel.quiet_from,
  quiet_to: channel.quiet_to,
  time_zone: channel.time_zone,
  confirmed_at: channel.confirmed_at,
  last_sent_at: channel.last_sent_at,
  failing_since: channel.failing_since,
  last_error: channel.last_error,
  created_at: channel.created_at,
  updated_at: channel.updated_at,
})
