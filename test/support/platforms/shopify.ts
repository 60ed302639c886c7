import type { PlatformFacts } from './platform-facts.ts'

export const facts: PlatformFacts = {
  specifications: [{ kind: 'graphql', file: 'shopify/admin-2026-10.graphql', path: '/admin/api/2026-10/graphql.json' }],
  statuses: { 402: 'away', 423: 'away', 430: 'throttled' },
  secrets: (secret) => ({ registration: [], client: { client_id: 'us', client_secret: secret } }),
}
