import type { Db } from '../../runtime/db/connection.ts'
import { type EventType, type NewEvent, newEvent } from '../events/event.ts'
import { emitEvents } from '../events/event-store.ts'
import { sayNews } from '../news-store.ts'
import type { Integration, IntegrationStatus } from './integration.ts'

export type IntegrationEvent = Extract<EventType, `integration.${string}`>

export interface IntegrationChange {
  /** As it is afterwards. */
  integration: Integration
  was: IntegrationStatus
  /** What happened, where that is more than another status. */
  type?: Exclude<IntegrationEvent, 'integration.status_changed' | 'integration.consent_ending'>
}

/** Emits the event of an integration in the transaction that changed it. A change of status is emitted whatever the reason. */
export async function emitIntegration(trx: Db, { integration, was, type }: IntegrationChange): Promise<void> {
  sayNews(trx, 'shop', integration.id)
  await emitEvents(trx, [
    ...(type ? [eventOf(type, integration, was)] : []),
    ...(integration.status === was ? [] : [eventOf('integration.status_changed', integration, was)]),
  ])
}

/** The consent of a merchant ends before long. */
export const emitEndingConsent = (trx: Db, integration: Integration & { consent_ends_at: string }): Promise<void> => {
  const data = { ...dataOf(integration, integration.status), consent_ends_at: integration.consent_ends_at }
  const about = { integrationId: integration.id }
  return emitEvents(trx, [newEvent('integration.consent_ending', about, { subject: subjectOf(integration), data })])
}

const subjectOf = ({ id }: Integration): string => `integration:${id}`

const eventOf = (
  type: Exclude<IntegrationEvent, 'integration.consent_ending'>,
  integration: Integration,
  was: IntegrationStatus,
): NewEvent =>
  newEvent(type, { integrationId: integration.id }, { subject: subjectOf(integration), data: dataOf(integration, was) })

const dataOf = (integration: Integration, was: IntegrationStatus) => ({
  id: integration.id,
  app_id: integration.app_id,
  account_id: integration.account_id,
  type: integration.type,
  shop: integration.shop,
  name: integration.name,
  status: integration.status,
  previous_status: was === integration.status ? null : was,
  status_reason: integration.status_reason,
  updated_at: integration.updated_at,
  href: `/api/2.0/app/integrations/${integration.id}`,
})
