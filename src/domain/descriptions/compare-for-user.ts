import { checkDefinition } from '../../commerce/definition/check-definition.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { forbidden, invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { integrationsReachedByUser } from '../integrations/integration-store.ts'
import { findMutableService } from '../services/service-store.ts'
import { connectorOf } from '../shop/shop-remote.ts'
import type { UserCaller, UserTenant } from '../tenant.ts'
import { compareLive } from './compare-live.ts'
import { compareOrders } from './compare-orders.ts'
import type { Differences } from './differences.ts'

/** Somebody waits for the answer: so many, and no more. */
const maxAtOnce = 10_000

/** Of what is stored, and of what the shop sends just now, where that was asked for. */
export type Compared = Differences & { live: Differences | null }

/** What a changed description, or the connector as it is now, makes of the orders of one shop. */
export async function compareForUser(
  context: Pick<Context, 'db' | 'connectors'> & Parameters<typeof compareLive>[0],
  tenant: UserTenant & Pick<UserCaller, 'permissions'>,
  input: { integration_id: number; definition?: AnyFields | null | undefined; live?: boolean | undefined },
): Promise<Compared> {
  const reached = await integrationsReachedByUser(context.db, tenant, [input.integration_id])
  const integration = reached.get(input.integration_id)
  if (!integration) throw invalidField('integration_id', 'The selected integration id is invalid.')
  const present = connectorOf(context, integration)
  if (!present.orders) throw invalidField('integration_id', 'The service of this integration has no orders.')
  const { definition } = input
  if (definition == null) {
    if (input.live && !tenant.permissions.has('update-integration')) throw forbidden()
    const stored = await compareOrders(context, integration, { next: present, max: maxAtOnce })
    return { ...stored, live: input.live ? await compareLive(context, integration, { next: present }) : null }
  }
  // Whoever says what a shop is asked with its own keys is somebody who may publish that.
  if (input.live) {
    if (!tenant.permissions.has('update-service')) throw forbidden()
    await findMutableService(context.db, tenant, String(integration.service_id))
  }
  if (integration.definition === null) throw invalidField('definition', 'The definition field is prohibited.')
  const next = context.connectors.define?.(integration.type, checkDefinition(definition))
  if (!next?.orders) throw invalidField('definition', 'The description has no orders to compare.')
  const stored = await compareOrders(context, integration, { next, present, max: maxAtOnce })
  return { ...stored, live: input.live ? await compareLive(context, integration, { next, present }) : null }
}
