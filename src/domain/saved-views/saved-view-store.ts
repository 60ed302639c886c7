import { sql } from 'kysely'
import { forbidden, invalidField, notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import { holdRow } from '../../runtime/db/rows/hold-row.ts'
import type { SavedView } from './saved-view.ts'

/** Whose views: of one person, in one app. */
export interface Viewer {
  userId: number
  appId: number
}

const columns = 'id, list, name, filters, columns, created_at, updated_at'

export const viewList: ListPlan = {
  name: 'saved_views',
  from: 'saved_views',
  columns,
  filters: { list: { column: 'list', type: 'text' } },
  sorts: { id: 'id', name: 'name', created_at: 'created_at' },
}

export const viewScope = ({ userId, appId }: Viewer): ListScope => ({
  key: 'viewer',
  sql: 'user_id = ? and app_id = ?',
  params: [userId, appId],
})

export async function findView(db: Db, { userId, appId }: Viewer, id: number): Promise<SavedView> {
  const { rows } = await sql<SavedView & { user_id: number }>`
    select ${sql.raw(columns)}, user_id from saved_views where id = ${id} and app_id = ${appId}`.execute(db)
  const [found] = rows
  if (!found) throw notFound()
  const { user_id: owner, ...view } = found
  if (owner !== userId) throw forbidden()
  return view
}

const taken = () => invalidField('name', 'The name has already been taken.')

export async function insertView(
  trx: Db,
  { userId, appId }: Viewer,
  view: Pick<SavedView, 'list' | 'name' | 'filters' | 'columns'>,
): Promise<SavedView> {
  await holdRow(trx, 'users', userId)
  const { rows } = await sql<SavedView>`
    insert into saved_views (user_id, app_id, list, name, filters, columns)
    values (${userId}, ${appId}, ${view.list}, ${view.name}, ${JSON.stringify(view.filters)}, ${view.columns}::text[])
    on conflict (user_id, app_id, list, name) do nothing
    returning ${sql.raw(columns)}`.execute(trx)
  const [inserted] = rows
  if (!inserted) throw taken()
  return inserted
}

/** Of two at once the second waits for the first: it finds a name taken, and undoes nothing of what it does not name itself. */
export async function changeView(
  trx: Db,
  { userId, appId }: Viewer,
  { id, changes }: { id: number; changes: Partial<Pick<SavedView, 'name' | 'filters' | 'columns'>> },
): Promise<SavedView> {
  await holdRow(trx, 'users', userId)
  const view = { ...(await findView(trx, { userId, appId }, id)), ...changes }
  const { rows: others } = await sql`
    select from saved_views
    where user_id = ${userId} and app_id = ${appId} and list = ${view.list} and name = ${view.name} and id <> ${view.id}`.execute(
    trx,
  )
  if (others.length > 0) throw taken()
  const { rows } = await sql<SavedView>`
    update saved_views set name = ${view.name}, filters = ${JSON.stringify(view.filters)}, columns = ${view.columns}::text[],
      updated_at = now()
    where id = ${view.id} and user_id = ${userId}
    returning ${sql.raw(columns)}`.execute(trx)
  const [changed] = rows
  if (!changed) throw notFound()
  return changed
}

export async function deleteView(trx: Db, { userId }: Viewer, id: number): Promise<void> {
  await sql`delete from saved_views where id = ${id} and user_id = ${userId}`.execute(trx)
}
