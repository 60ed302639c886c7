import { publicKeyOf } from '../../../src/simulator/platforms/wix/messages.ts'
import type { PlatformFacts } from './platform-facts.ts'

/** The files are made from the types of Wix’s own packages, one for each. */
export const facts: PlatformFacts = {
  lacking: [
    [{ lacks: 'orders.search' }, /orders \(read\).*Permissions page/],
    [{ lacks: 'orders.cancel' }, /orders \(manage\)/],
    [{ lacks: 'products' }, /products \(read\)/],
    [{ lacks: 'inventory.update' }, /inventory \(manage\).*API key/],
  ],
  specifications: [
    {
      ...{ kind: 'bodies', file: 'wix/wix-ecom-orders.schema.json', base: '/ecom/v1' },
      bodies: [
        { method: 'POST', path: /^\/orders\/search$/, side: 'request', definition: 'SearchOrdersRequest' },
        { method: 'POST', path: /^\/orders\/search$/, side: 'answer', definition: 'SearchOrdersResponse' },
        { method: 'GET', path: /^\/orders\/[^/]+$/, side: 'answer', part: 'order', definition: 'Order' },
        { method: 'POST', path: /^\/orders\/[^/]+\/cancel$/, side: 'answer', part: 'order', definition: 'Order' },
      ],
    },
    {
      ...{ kind: 'bodies', file: 'wix/wix-ecom-order-fulfillments.schema.json', base: '/ecom/v1/fulfillments' },
      bodies: [
        {
          ...{ method: 'POST', path: /create-fulfillment$/, side: 'request', part: 'fulfillment' },
          definition: 'Fulfillment',
        },
        {
          ...{ method: 'POST', path: /create-fulfillment$/, side: 'answer', part: 'orderWithFulfillments' },
          definition: 'OrderWithFulfillments',
        },
        {
          ...{ method: 'POST', path: /list-by-ids$/, side: 'answer', part: 'ordersWithFulfillments' },
          definition: 'OrderWithFulfillments',
        },
      ],
    },
    {
      ...{ kind: 'bodies', file: 'wix/wix-stores-inventory-items-v3.schema.json', base: '/stores/v3' },
      bodies: [
        {
          ...{ method: 'POST', path: /^\/inventory-items\/query$/, side: 'answer', part: 'inventoryItems' },
          definition: 'InventoryItem',
        },
        {
          ...{ method: 'POST', path: /^\/bulk\/inventory-items\/update$/, side: 'request' },
          definition: 'BulkUpdateInventoryItemsRequest',
        },
      ],
    },
    {
      ...{ kind: 'bodies', file: 'wix/wix-stores-products-v3.schema.json', base: '/stores/v3/products' },
      bodies: [
        { method: 'POST', path: /^\/query$/, side: 'answer', part: 'products', definition: 'V3Product' },
        { method: 'GET', path: /^\/[^/]+$/, side: 'answer', part: 'product', definition: 'V3Product' },
      ],
    },
  ],
  secrets: (secret) => ({ registration: [], client: { public_key: publicKeyOf(secret) } }),
  signsInBody: true,
}
