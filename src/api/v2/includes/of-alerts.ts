import { alertList, alertScope } from '../../../domain/alerts/alert-store.ts'
import type { Context } from '../../../domain/context.ts'
import { flag, integer, object, optional } from '../../../lib/validation/fields.ts'
import { page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { listOf } from '../../list.ts'
import { alertSchema, alertView } from '../views/alerts/alert.ts'

/** What apps and users are answered alike. */

export const alertsShown = {
  summary: 'List alerts',
  description: 'What needs attention and what did, newest first; `filter[open]=1` is what is open. Kept for 90 days.',
  extension: true,
  query: listQuery({ filter: ['open', 'kind', 'severity', 'integration_id'], sort: ['id', 'opened_at'] }),
  returns: page(alertSchema),
} as const

export const listAlerts = (context: Context, appId: number, query: Parameters<typeof listOf>[3]) =>
  listOf(context, alertList, alertScope({ appId }), query, alertView)

export const alertShown = { summary: 'Get an alert', extension: true, returns: record(alertSchema) } as const

export const acknowledging = {
  summary: 'Acknowledge an alert',
  description: 'Says that somebody looks after it. It stays open until its cause is gone.',
  extension: true,
  status: 200,
  returns: record(alertSchema),
} as const

export const muting = {
  summary: 'Mute an alert',
  description:
    'No channel is told of its cause for so many hours, also if it is over and comes again, but for a pager that it has triggered: that is told when it is over. `muted: false` ends that. Webhooks are told all the same.',
  extension: true,
  status: 200,
  body: object({
    muted: flag(),
    hours: optional(integer({ minimum: 1, maximum: 24 * 90, description: 'How long; 24 by default' })),
  }),
  example: { muted: true, hours: 24 },
  returns: record(alertSchema),
} as const

const usualHours = 24

export const muteHours = ({ muted, hours = usualHours }: { muted: boolean; hours?: number }): number | null =>
  muted ? hours : null
