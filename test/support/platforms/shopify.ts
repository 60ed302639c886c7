import type { PlatformFacts } from './platform-facts.ts'

export const facts: PlatformFacts = {
  lacking: [
    [{ scopes: 'read_orders' }, /write_orders, read_products, .*Develop apps/],
    [{ scopes: 'write_orders,write_products,write_inventory,read_locations' }, /: read_customers, read_fulfillments/],
  ],
  specifications: [{ kind: 'graphql', file: 'shopify/admin-2026-10.graphql', path: '/admin/api/2026-10/graphql.json' }],
  statuses: { 402: 'away', 423: 'away', 430: 'throttled' },
  secrets: (secret) => ({ registration: [], client: { client_id: 'us', client_secret: secret } }),
}
