import type { Connector } from '../../commerce/connector.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import { isCredentialsRefusal } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { because, Fault, invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { type Integration, isRunning } from '../integrations/integration.ts'
import { reportFailure } from '../integrations/move-integration.ts'
import { openShop, type WriteToShop } from './open-remote.ts'

/**
 * Does something with one part of the integration's connector; null where the service has no such part, so that there
 * is nobody to notify. Changes go through `write`, at most once each. An integration that is not running is refused: a change
 * that never reaches the shop would be a lie. A shop that rejects our credentials puts the integration into an error state.
 */
export async function useShop<Part, Result>(
  context: Context,
  integration: Integration,
  choose: (connector: Connector) => Part | undefined,
  work: (shop: Shop, part: Part, write: WriteToShop, connector: Connector) => Promise<Result>,
): Promise<Result | null> {
  const connector = connectorFor(context.connectors, integration)
  const part = connector && choose(connector)
  if (!connector || part === undefined) return null
  if (!isRunning(integration)) throw invalidField('status', say('must_be_active'))
  try {
    const { shop, write } = await openShop(context, integration)
    return await work(shop, part, write, connector)
  } catch (error) {
    if (error instanceof Fault && isCredentialsRefusal(error)) {
      await reportFailure(context, integration.id, { reason: 'credentials_rejected', why: because(error) })
    }
    throw error
  }
}
