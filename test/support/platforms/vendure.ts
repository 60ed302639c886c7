import type { PlatformFacts } from './platform-facts.ts'

export const facts: PlatformFacts = {
  lacking: [
    [{ lacks: 'ReadOrder' }, /ReadOrder.*Roles/],
    [{ lacks: 'UpdateOrder', access: 'password' }, /UpdateOrder/],
    [{ lacks: 'ReadOrder', access: 'password' }, /ReadOrder.*Roles/],
    [{ lacks: 'ReadCatalog' }, /ReadCatalog or ReadProduct/],
  ],
  specifications: [{ kind: 'graphql', file: 'vendure/schema-admin.json', path: '/admin-api' }],
}
