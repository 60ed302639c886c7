import type { Connector } from '../../commerce/connector.ts'
import type { Shop } from '../../commerce/shop.ts'
import { invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { type Integration, isRunning } from './integration.ts'
import { openShop } from './open-remote.ts'

/**
 * The shop, opened for one part of its connector; null where the service has no such part, so that there is nobody to
 * tell. An integration that is not running is refused: a change that the shop never hears of would be a lie.
 */
export async function openShopFor<Part>(
  context: Context,
  integration: Integration,
  choose: (connector: Connector) => Part | undefined,
): Promise<{ shop: Shop; part: Part } | null> {
  const connector = context.connectors.get(integration.type)
  const part = connector && choose(connector)
  if (part === undefined) return null
  if (!isRunning(integration)) throw invalidField('status', 'The integration is not active.')
  const { shop } = await openShop(context, integration)
  return { shop, part }
}
