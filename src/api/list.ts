import type { Context } from '../domain/context.ts'
import { type ListPlan, type ListScope, paginate } from '../runtime/db/lists/paginate.ts'
import type { Page } from '../runtime/http/endpoint.ts'
import type { ListQuery } from '../runtime/http/input/list-query.ts'

/** A page of a list as the wire shows it. */
export async function listOf<Row, View>(
  context: Pick<Context, 'reader'>,
  plan: ListPlan,
  scope: ListScope,
  query: ListQuery,
  view: (row: Row) => View,
): Promise<Page<View>> {
  const { rows, total } = await paginate<Row>(context.reader, plan, scope, query)
  return { rows: rows.map(view), total }
}
