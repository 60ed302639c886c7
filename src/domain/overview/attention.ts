import type {
  IntegrationName,
  PerIntegration,
  TroubledIntegration,
  TroubledRun,
  TroubledWebhook,
  Waiting,
} from './attention-store.ts'

/** Worst first. */
export const attentionKinds = [
  'integration_error',
  'webhook_disabled',
  'orders_due',
  'shop_unavailable',
  'run_failed',
  'webhook_failing',
  'deliveries_late',
  'messages_failed',
  'records_quarantined',
  'messages_missing',
  'consent_ends',
  'installation_unfinished',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

/** Something that somebody should look at. */
export interface Attention {
  kind: AttentionKind
  integration: IntegrationName | null
  webhook: { id: number; url: string } | null
  run_id: number | null
  /** How many orders, messages, deliveries or records it is about. */
  count: number | null
  /** Since when it is so; or, for what comes, when it does. */
  at: string | null
  /** A word for the reason, or the sentence with which a run ended. */
  reason: string | null
}

export interface Findings {
  integrations: readonly TroubledIntegration[]
  waiting: readonly TroubledRun[]
  failed: readonly TroubledRun[]
  webhooks: readonly TroubledWebhook[]
  undelivered: readonly Waiting[]
  quarantined: readonly PerIntegration[]
  failedMessages: readonly PerIntegration[]
  ordersDue: readonly PerIntegration[]
}

/** A delivery that has waited for longer than this is late. */
const lateSeconds = 300

type Unnamed = Omit<Attention, 'integration'> & { integrationId: number | null }

const nothing = { integrationId: null, webhook: null, run_id: null, count: null, at: null, reason: null }

export function attentionFrom(findings: Findings, now: Date): Unnamed[] {
  const items = [
    ...findings.integrations.map(ofIntegration),
    ...findings.waiting.map((run) => ofRun('shop_unavailable', run)),
    ...findings.failed.map((run) => ofRun('run_failed', run)),
    ...findings.webhooks.flatMap((webhook) => ofWebhook(webhook, findings.undelivered, now)),
    ...findings.quarantined.map((counted) => ofCount('records_quarantined', counted)),
    ...findings.failedMessages.map((counted) => ofCount('messages_failed', counted)),
    ...findings.ordersDue.map((counted) => ofCount('orders_due', counted)),
  ]
  return items.sort((a, b) => attentionKinds.indexOf(a.kind) - attentionKinds.indexOf(b.kind))
}

function ofIntegration(integration: TroubledIntegration): Unnamed {
  const { id, status, status_reason: reason, updated_at: at } = integration
  const about = { ...nothing, integrationId: id }
  if (status === 'ERROR') return { ...about, kind: 'integration_error', at, reason }
  if (status === 'PENDING') return { ...about, kind: 'installation_unfinished', at, reason }
  if (integration.messages === 'not_arriving') {
    return { ...about, kind: 'messages_missing', at: integration.messages_since }
  }
  return { ...about, kind: 'consent_ends', at: integration.consent_ends_at }
}

const ofRun = (kind: AttentionKind, { integration_id: integrationId, id, at, error }: TroubledRun): Unnamed => ({
  ...nothing,
  kind,
  integrationId,
  run_id: id,
  at,
  reason: error,
})

const ofCount = (kind: AttentionKind, { integration_id: integrationId, n, since }: PerIntegration): Unnamed => ({
  ...nothing,
  kind,
  integrationId,
  count: n,
  at: since,
})

function ofWebhook(webhook: TroubledWebhook, undelivered: readonly Waiting[], now: Date): Unnamed[] {
  const { id, url, disabled_at: disabledAt, failing_since: failingSince } = webhook
  const about = { ...nothing, webhook: { id, url } }
  const mine = undelivered.filter((each) => each.webhook_id === id)
  if (disabledAt !== null) {
    const count = mine.reduce((sum, { n }) => sum + n, 0)
    return [{ ...about, kind: 'webhook_disabled', count, at: disabledAt, reason: webhook.disabled_reason }]
  }
  const waiting = mine.find(({ state }) => state === 'pending')
  if (failingSince !== null) return [{ ...about, kind: 'webhook_failing', count: waiting?.n ?? 0, at: failingSince }]
  const isLate = waiting && now.getTime() - Date.parse(waiting.oldest) > lateSeconds * 1000
  return isLate ? [{ ...about, kind: 'deliveries_late', count: waiting.n, at: waiting.oldest }] : []
}
