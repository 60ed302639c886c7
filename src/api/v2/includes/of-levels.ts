import type { Context } from '../../../domain/context.ts'
import { type Level, levelChanges, levelList, levelScope } from '../../../domain/inventory/level-store.ts'
import { paginate } from '../../../runtime/db/paginate.ts'
import { type ListQuery, listQuery } from '../../../runtime/http/list-query.ts'
import { ofOneIntegration, readShop } from '../shop-data.ts'
import { levelView } from '../views/inventory-level.ts'

export const levelListQuery = listQuery({
  required: ofOneIntegration,
  changes: true,
  filter: ['sku', 'location', 'remote_id'],
  sort: ['sku', 'quantity', 'updated_at'],
})

export const levelPage = (context: Context, integrationId: number, query: ListQuery) =>
  readShop<Level, ReturnType<typeof levelView>>(context, integrationId, query, {
    page: ({ reader }, id, asked) => paginate<Level>(reader, levelList, levelScope(id), asked),
    changes: levelChanges,
    view: (levels) => levels.map(levelView),
  })
