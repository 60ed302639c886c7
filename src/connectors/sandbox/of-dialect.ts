import type { Connector } from '../../commerce/connector.ts'
import { object, text } from '../../lib/fields.ts'
import type { Dialect } from './dialect.ts'
import { partsFor, remote } from './parts.ts'
import { basePattern, type Credentials, type Settings } from './settings.ts'
import { webhooksFor } from './webhooks.ts'

/** Where the simulator listens is not a guess: there is no shop in this process that would do instead. */
export const settings = object({
  base_url: text({ pattern: basePattern, description: 'Where a simulator listens.' }),
})

/**
 * A sandbox whose shops all speak one dialect: it can what that dialect can, no more. Its orders are for trying, as those
 * of every sandbox.
 */
export function ofDialect(
  dialect: Dialect,
  { type, locations, prefixes }: { type: string; locations: boolean; prefixes: readonly string[] },
) {
  const { orders, acknowledgement, products, inventory, shipments } = partsFor(() => dialect)
  const parts: Pick<
    Connector<Settings, Credentials>,
    'remote' | 'orders' | 'acknowledgement' | 'products' | 'inventory' | 'shipments' | 'webhooks' | 'proxy'
  > = {
    remote,
    orders: {
      ...orders,
      translate: (raw, facts) => ({ ...orders.translate(raw, facts), channel: type, test: true }),
    },
    ...(dialect.acknowledge && { acknowledgement }),
    products,
    inventory: { ...inventory, locations },
    shipments,
    webhooks: webhooksFor(
      () => dialect,
      (word) => dialect.webhooks?.knows(word) ?? false,
    ),
    proxy: { prefixes, resources: {} },
  }
  return parts
}
