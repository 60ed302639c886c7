import type { ListScope } from '../runtime/db/lists/paginate.ts'

/** The total of a list that `list_counters` keeps; scope 0 is the whole table. */
export const listTotal = (list: string, scope: number): NonNullable<ListScope['total']> => ({
  sql: 'coalesce((select n from list_counters where list = ? and scope = ?), 0)',
  params: [list, scope],
})
