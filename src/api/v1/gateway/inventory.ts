import { setInventory } from '../../../domain/inventory/set-inventory.ts'
import { integer, list, logged, maybe, object, text } from '../../../lib/validation/fields.ts'
import { bulkLimit, listOf } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { inventoryResultSchema } from '../views/inventory.ts'
import { gateway } from './group.ts'

const sync = endpoint({
  group: gateway,
  method: 'POST',
  path: '/inventory',
  right: 'run-action',
  summary: 'Sync inventory levels',
  description: 'Levels, not differences, so that repeating them is harmless. Each has a result of its own.',
  status: 200,
  bodyLimit: bulkLimit,
  body: object({
    items: list(
      object({
        sku: logged(text()),
        quantity: integer({ minimum: 0, maximum: 1_000_000_000 }),
        location: maybe(text({ description: 'Location, for services that have several' })),
      }),
      { min: 1, max: 1000 },
    ),
  }),
  example: { items: [{ sku: 'A-1', quantity: 12 }] },
  returns: listOf(inventoryResultSchema),
  handle: async ({ context, admitted, body }) => await setInventory(context, admitted, body.items),
})

export const gatewayInventory = [sync]
