import type { Db } from '../../runtime/db/connection.ts'
import { type EventType, type NewEvent, newEvent } from '../events/event.ts'
import { emitEvents } from '../events/event-store.ts'
import type { Integration, IntegrationStatus } from './integration.ts'

export type IntegrationEvent = Extract<EventType, `integration.${string}`>

export interface IntegrationChange {
  /** As it is afterwards. */
  integration: Integration
  was: IntegrationStatus
  /** What happened, where that is more than another status. */
  type?: Exclude<IntegrationEvent, 'integration.status_changed'>
}

/** Emits the event of an integration in the transaction that changed it. A change of status is emitted whatever the reason. */
export const emitIntegration = (trx: Db, { integration, was, type }: IntegrationChange): Promise<void> =>
  emitEvents(trx, [
    ...(type ? [eventOf(type, integration, was)] : []),
    ...(integration.status === was ? [] : [eventOf('integration.status_changed', integration, was)]),
  ])

function eventOf(type: IntegrationEvent, integration: Integration, was: IntegrationStatus): NewEvent {
  const { id } = integration
  return newEvent(
    type,
    { integrationId: id },
    {
      subject: `integration:${id}`,
      data: {
        id,
        app_id: integration.app_id,
        account_id: integration.account_id,
        type: integration.type,
        shop: integration.shop,
        name: integration.name,
        status: integration.status,
        previous_status: was === integration.status ? null : was,
        status_reason: integration.status_reason,
        updated_at: integration.updated_at,
        href: `/api/2.0/app/integrations/${id}`,
      },
    },
  )
}
