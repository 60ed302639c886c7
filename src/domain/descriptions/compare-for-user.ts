import { checkDefinition } from '../../commerce/definition/check-definition.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { integrationsReachedByUser } from '../integrations/integration-store.ts'
import { connectorOf } from '../shop/shop-remote.ts'
import type { UserTenant } from '../tenant.ts'
import { compareOrders } from './compare-orders.ts'
import type { Differences } from './differences.ts'

/** Somebody waits for the answer: so many, and no more. */
const maxAtOnce = 10_000

/** What a changed description, or the connector as it is now, makes of the orders of one shop. */
export async function compareForUser(
  context: Pick<Context, 'db' | 'connectors'>,
  tenant: UserTenant,
  input: { integration_id: number; definition?: AnyFields | null | undefined },
): Promise<Differences> {
  const reached = await integrationsReachedByUser(context.db, tenant, [input.integration_id])
  const integration = reached.get(input.integration_id)
  if (!integration) throw invalidField('integration_id', 'The selected integration id is invalid.')
  const present = connectorOf(context, integration)
  if (!present.orders) throw invalidField('integration_id', 'The service of this integration has no orders.')
  const { definition } = input
  if (definition == null) return await compareOrders(context, integration, { next: present, max: maxAtOnce })
  if (integration.definition === null) throw invalidField('definition', 'The definition field is prohibited.')
  const next = context.connectors.define?.(integration.type, checkDefinition(definition))
  if (!next?.orders) throw invalidField('definition', 'The description has no orders to compare.')
  return await compareOrders(context, integration, { next, present, max: maxAtOnce })
}
