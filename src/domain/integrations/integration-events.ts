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

/** Tells of integrations in the transaction that changed them. Another status is told whatever the reason. */
export const emitIntegrations = (trx: Db, changes: readonly IntegrationChange[]): Promise<void> =>
  emitEvents(
    trx,
    changes.flatMap(({ integration, was, type }) => [
      ...(type ? [told(type, integration, was)] : []),
      ...(integration.status === was ? [] : [told('integration.status_changed', integration, was)]),
    ]),
  )

export const emitIntegration = (trx: Db, change: IntegrationChange): Promise<void> => emitIntegrations(trx, [change])

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
