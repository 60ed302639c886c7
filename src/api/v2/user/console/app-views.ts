import { Type } from 'typebox'
import { assertRoomForView } from '../../../../domain/quota-store.ts'
import { maxColumns, maxFilters, type SavedView, viewedLists } from '../../../../domain/saved-views/saved-view.ts'
import {
  changeView,
  deleteView,
  findView,
  insertView,
  viewList,
  viewScope,
} from '../../../../domain/saved-views/saved-view-store.ts'
import type { UserCaller } from '../../../../domain/tenant.ts'
import { recordId } from '../../../../lib/record-id.ts'
import { choice, list, maybe, nameText, object, partial, text } from '../../../../lib/validation/fields.ts'
import { nothing, page, record } from '../../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../../../define.ts'
import { groups } from '../../../groups.ts'
import { listOf } from '../../../list.ts'
import { appInPath } from '../../in-path.ts'

const moment = Type.String({ format: 'date-time' })

const viewSchema = Type.Object({
  id: Type.Integer(),
  list: choice(viewedLists),
  name: Type.String(),
  filters: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  columns: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'By their heads; null is as many as the list shows by itself',
  }),
  created_at: moment,
  updated_at: moment,
})

const shown = ({ id, list: of, name, filters, columns, created_at, updated_at }: SavedView) => ({
  ...{ id, name, filters, columns, created_at, updated_at },
  list: viewedLists.find((known) => known === of) ?? 'orders',
})

const changeable = {
  name: nameText({ max: 100 }),
  filters: maybe(
    list(object({ name: text({ max: 64, pattern: '^[a-z_]+$' }), value: text({ max: 255 }) }), {
      max: maxFilters,
      description: 'As they stand in the address of the list; also `sort`, where the list has a choice of it',
    }),
  ),
  columns: maybe(list(text({ max: 64 }), { min: 1, max: maxColumns, unique: true })),
}

interface Found {
  appId: number
  view: SavedView
}

async function findOwn(input: Finding<UserCaller, 'appId' | 'view'>): Promise<Found> {
  const { id: appId } = await appInPath(input)
  const { db } = input.context
  const { userId } = input.caller
  return { appId, view: await findView(db, { userId, appId }, recordId(input.params.view)) }
}

const read = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/views',
  right: 'read-app',
  extension: true,
  summary: 'List your views of lists',
  description: 'A view is a list of the console as you like to see it, under a name. Nobody but you has yours.',
  find: appInPath,
  query: listQuery({ filter: ['list'], sort: ['id', 'name', 'created_at'] }),
  returns: page(viewSchema),
  handle: ({ context, caller, found, query }) =>
    listOf(context, viewList, viewScope({ userId: caller.userId, appId: found.id }), query, shown),
})

const create = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/views',
  right: 'read-app',
  extension: true,
  summary: 'Save a view of a list',
  find: appInPath,
  body: object({ list: choice(viewedLists), ...changeable }),
  example: { list: 'orders', name: 'To be packed', filters: [{ name: 'status', value: 'PENDING' }] },
  returns: record(viewSchema),
  handle: async ({ context, caller, found, body }) => {
    const viewer = { userId: caller.userId, appId: found.id }
    await assertRoomForView(context.db, context.quotas, viewer)
    const view = { ...body, filters: body.filters ?? [], columns: body.columns ?? null }
    return shown(await context.transaction((trx) => insertView(trx, viewer, view)))
  },
})

const update = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/apps/{appId}/views/{view}',
  right: 'read-app',
  extension: true,
  summary: 'Change a view of a list',
  find: findOwn,
  body: partial(object(changeable)),
  example: { name: 'To be packed today' },
  returns: record(viewSchema),
  handle: async ({ context, caller, found: { appId, view }, body: { filters, ...body } }) => {
    const viewer = { userId: caller.userId, appId }
    const changes = { ...body, ...(filters !== undefined && { filters: filters ?? [] }) }
    return shown(await context.transaction((trx) => changeView(trx, viewer, { id: view.id, changes })))
  },
})

const remove = endpoint({
  group: groups.user,
  method: 'DELETE',
  path: '/apps/{appId}/views/{view}',
  right: 'read-app',
  extension: true,
  summary: 'Delete a view of a list',
  find: findOwn,
  returns: nothing,
  handle: ({ context, caller, found: { appId, view } }) =>
    context.transaction((trx) => deleteView(trx, { userId: caller.userId, appId }, view.id)),
})

export const userAppViews = [read, create, update, remove]
