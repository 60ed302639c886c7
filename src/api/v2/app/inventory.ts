import { pageOrChanges } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { levelListQuery, levelPage } from '../includes/of-levels.ts'
import { shopOfApp } from '../shop-data.ts'
import { levelSchema } from '../views/inventory-level.ts'

const list = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/inventory',
  scope: 'app:integration-read',
  summary: 'List inventory levels',
  description:
    'Of one integration. `updated_since` answers with what has changed since instead, and never leaves one out.',
  extension: true,
  find: shopOfApp,
  query: levelListQuery,
  returns: pageOrChanges(levelSchema),
  handle: ({ context, found, query }) => levelPage(context, found.id, query),
})

export const appInventory = [list]
