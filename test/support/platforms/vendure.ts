import type { PlatformFacts } from './platform-facts.ts'

export const facts: PlatformFacts = {
  specifications: [{ kind: 'graphql', file: 'vendure/schema-admin.json', path: '/admin-api' }],
}
