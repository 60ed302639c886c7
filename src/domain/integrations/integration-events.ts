import type { Db } from '../../runtime/db/connection.ts'
import { type EventType, type Happening, happening } from '../events/event.ts'
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

/** Tells of an integration in the transaction that changed it. Another status is told whatever the reason. */
export const emitIntegration = (trx: Db, { integration, was, type }: IntegrationChange): Promise<void> =>
  emitEvents(trx, [
    ...(type ? [told(type, integration, was)] : []),
    ...(integration.status === was ? [] : [told('integration.status_changed', integration, was)]),
  ])

function told(type: IntegrationEvent, integration: Integration, was: IntegrationStatus): Happening {
  const { id } = integration
  return happening(
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
