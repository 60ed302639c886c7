import type { AttentionKind, Severity } from '../attention/attention.ts'
import { sayAttention } from '../attention/words.ts'
import { aboutShopOf, type EventData, type NewEvent, newEvent } from '../events/event.ts'

/** Something that somebody should look at, from when it was found until it was no longer so. */
export interface Alert {
  id: number
  app_id: number
  kind: AttentionKind
  cause: string
  integration_id: number | null
  /** Of the integration, as it is called now. */
  integration_name: string | null
  webhook_id: number | null
  webhook_url: string | null
  user_id: number | null
  run_id: number | null
  severity: Severity
  count: number | null
  reason: string | null
  since: string | null
  opened_at: string
  updated_at: string
  closed_at: string | null
  acknowledged_at: string | null
  acknowledged_by: number | null
  muted_until: string | null
}

/** What it is about, as people call it. */
export const subjectOf = ({ integration_name: shop, webhook_url: url, user_id: user }: Alert): string =>
  shop ?? url ?? (user === null ? 'The app' : `User ${user}`)

export const sentenceOf = (alert: Alert): string => `${subjectOf(alert)}: ${sayAttention(alert)}`

/** As webhooks are told of it. */
export function attentionEvent(type: 'attention.opened' | 'attention.closed', alert: Alert): NewEvent {
  const data: EventData<'attention.opened'> = {
    id: alert.id,
    app_id: alert.app_id,
    kind: alert.kind,
    severity: alert.severity,
    summary: sayAttention(alert),
    integration_id: alert.integration_id,
    webhook_id: alert.webhook_id,
    user_id: alert.user_id,
    count: alert.count,
    reason: alert.reason,
    since: alert.since,
    opened_at: alert.opened_at,
    closed_at: alert.closed_at,
    href: `/api/2.0/app/alerts/${alert.id}`,
  }
  return newEvent(type, aboutShopOf(alert.app_id, alert.integration_id), { subject: `attention:${alert.id}`, data })
}
