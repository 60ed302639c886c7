import type { Integration } from '../../../domain/integrations/integration.ts'
import { type Level, levelChanges, levelList, levelScope } from '../../../domain/levels/level-store.ts'
import { paginate } from '../../../runtime/db/lists/paginate.ts'
import { pageOrChanges } from '../../../runtime/http/endpoint.ts'
import { readShop, type ShopRead, shopList } from '../shop-data.ts'
import { levelSchema, levelView } from '../views/inventory-level.ts'

export const inventoryList = {
  method: 'GET',
  path: '/inventory',
  summary: 'List inventory levels',
  ...shopList({
    filter: ['sku', 'location', 'remote_id'],
    sort: ['sku', 'quantity', 'updated_at'],
  }),
  returns: pageOrChanges(levelSchema),
  handle: ({ context, found, query }: ShopRead<Integration>) =>
    readShop<Level, ReturnType<typeof levelView>>(context, found.id, query, {
      page: (reader, id, asked) => paginate<Level>(reader, levelList, levelScope(id), asked),
      changes: levelChanges,
      view: (levels) => levels.map(levelView),
    }),
} as const
