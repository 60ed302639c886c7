import type {
  PerIntegration,
  PerUser,
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
  'acknowledgements_due',
  'sign_in_failures',
  'second_factor_removed',
  'admin_added',
  'shop_unavailable',
  'run_failed',
  'webhook_failing',
  'deliveries_late',
  'messages_waiting',
  'messages_failed',
  'records_quarantined',
  'messages_missing',
  'orders_missing',
  'not_compared',
  'consent_ends',
  'installation_unfinished',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

export const severities = ['critical', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

/** Something that somebody should look at, as it is found. */
export interface Found {
  kind: AttentionKind
  integrationId: number | null
  webhook: { id: number; url: string } | null
  userId: number | null
  run_id: number | null
  /** How many orders, messages, deliveries or records it is about. */
  count: number | null
  /** Since when it is so; or, for what comes, when it does. */
  at: string | null
  /** A word for the reason, or the sentence with which a run ended. */
  reason: string | null
}

/** What it is about: of one cause there is one of each kind. */
export const causeOf = ({
  integrationId,
  webhook,
  userId,
}: Pick<Found, 'integrationId' | 'webhook' | 'userId'>): string =>
  webhook ? `webhook:${webhook.id}` : userId === null ? `integration:${integrationId}` : `user:${userId}`

const nothing = { integrationId: null, webhook: null, userId: null, run_id: null, count: null, at: null, reason: null }

/** What is wrong with an integration by itself. One that does not work is nothing besides. */
export function ofIntegration(integration: TroubledIntegration): Found[] {
  const { id, status, status_reason: reason, updated_at: at } = integration
  const about = { ...nothing, integrationId: id }
  if (status === 'ERROR') return [{ ...about, kind: 'integration_error', at, reason }]
  if (status === 'PENDING') return [{ ...about, kind: 'installation_unfinished', at: integration.created_at, reason }]
  const found: Found[] = []
  if (integration.is_silent) found.push({ ...about, kind: 'messages_missing', at: integration.messages_since })
  if (integration.is_ending) found.push({ ...about, kind: 'consent_ends', at: integration.consent_ends_at })
  if (integration.missing !== null) {
    found.push({ ...about, kind: 'orders_missing', count: integration.missing, at: integration.compared_at })
  }
  if (integration.is_uncompared) found.push({ ...about, kind: 'not_compared', at: integration.compared_at })
  return found
}

export const ofRun = (
  kind: 'shop_unavailable' | 'run_failed',
  { integration_id: integrationId, id, at, error, n }: TroubledRun,
): Found => ({ ...nothing, kind, integrationId, run_id: id, count: n, at, reason: error })

export const ofCount = (
  kind: 'records_quarantined' | 'messages_failed' | 'messages_waiting' | 'orders_due' | 'acknowledgements_due',
  { integration_id: integrationId, n, since }: PerIntegration,
): Found => ({ ...nothing, kind, integrationId, count: n, at: since })

export const ofUser = ({ kind, user_id: userId, n, at }: PerUser): Found => ({
  ...nothing,
  ...{ kind, userId, at },
  count: kind === 'sign_in_failures' ? n : null,
})

export function ofWebhook(webhook: TroubledWebhook, undelivered: readonly Waiting[]): Found[] {
  const { id, url, disabled_at: disabledAt, failing_since: failingSince } = webhook
  const about = { ...nothing, webhook: { id, url } }
  const mine = undelivered.filter((each) => each.webhook_id === id)
  if (disabledAt !== null) {
    const count = mine.reduce((sum, { n }) => sum + n, 0)
    return [{ ...about, kind: 'webhook_disabled', count, at: disabledAt, reason: webhook.disabled_reason }]
  }
  const waiting = mine.find(({ state }) => state === 'pending')
  if (failingSince !== null) return [{ ...about, kind: 'webhook_failing', count: waiting?.n ?? 0, at: failingSince }]
  return waiting ? [{ ...about, kind: 'deliveries_late', count: waiting.n, at: waiting.oldest }] : []
}

export const worstFirst = <T extends { kind: AttentionKind }>(found: readonly T[]): T[] =>
  found.toSorted((a, b) => attentionKinds.indexOf(a.kind) - attentionKinds.indexOf(b.kind))
