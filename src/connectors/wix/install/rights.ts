import type { RemoteRequest } from '../../../commerce/remote.ts'
import type { TriedRight } from '../../../commerce/rules/rights.ts'
import { where } from '../read-answer.ts'

/** Nobody has the order with this id. */
const nobody = '00000000-0000-0000-0000-000000000000'
const few = { cursorPaging: { limit: 1 } }

/** Neither tokens nor keys say what they may do. Nothing is changed: there is no such order, and no article is named. */
export const tried: readonly TriedRight[] = [
  right('orders (read)', { method: 'POST', path: '/ecom/v1/orders/search', body: { search: few } }),
  right('orders (manage)', { method: 'POST', path: `/ecom/v1/orders/${nobody}/cancel`, body: {} }),
  right('order fulfillments (read)', { method: 'GET', path: `/ecom/v1/fulfillments/orders/${nobody}` }),
  right('products (read)', { method: 'POST', path: '/stores/v3/products/query', body: { query: few } }),
  right('inventory (read)', { method: 'POST', path: '/stores/v3/inventory-items/query', body: { query: few } }),
  right('inventory (manage)', {
    ...{ method: 'POST', path: '/stores/v3/bulk/inventory-items/update', body: { inventoryItems: [] } },
  }),
]

function right(name: string, request: RemoteRequest): TriedRight {
  return { name, where, request }
}
