import type { App } from '../../domain/apps/app.ts'
import { appList, appScope, findApp, findMutableApp } from '../../domain/apps/app-store.ts'
import { createApp } from '../../domain/apps/create-app.ts'
import { deleteApp } from '../../domain/apps/delete-app.ts'
import { updateApp } from '../../domain/apps/update-app.ts'
import type { UserCaller } from '../../domain/tenant.ts'
import { endOfApp } from '../../domain/uninstall/end-of-app.ts'
import { recordId } from '../../lib/record-id.ts'
import { partial } from '../../lib/validation/fields.ts'
import { nothing, page, record } from '../../runtime/http/endpoint.ts'
import { listQuery } from '../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../define.ts'
import { groups } from '../groups.ts'
import { listOf } from '../list.ts'
import { appBody } from '../v2/user/apps.ts'
import { appSchema, appView } from './views/app.ts'

const find = ({ context, caller, params }: Finding<UserCaller, 'app'>) =>
  findApp(context.db, caller, recordId(params.app))
const findMutable = ({ context, caller, params }: Finding<UserCaller, 'app'>) =>
  findMutableApp(context.db, caller, recordId(params.app))

const list = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/apps',
  summary: 'List apps',
  query: listQuery({ filter: ['active'], sort: ['id', 'name', 'created_at', 'updated_at'] }),
  returns: page(appSchema),
  handle: ({ context, caller, query }) =>
    listOf(context, appList, appScope(caller), query, (app: App) => appView(context, app)),
})

const get = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/apps/{app}',
  summary: 'Get an app',
  find,
  returns: record(appSchema),
  handle: async ({ context, found }) => appView(context, found),
})

const create = endpoint({
  group: groups.v1,
  method: 'POST',
  path: '/apps',
  summary: 'Create an app',
  body: appBody,
  example: { name: 'Order manager' },
  returns: record(appSchema),
  handle: async ({ context, caller, body }) => appView(context, await createApp(context, caller, body)),
})

const update = endpoint({
  group: groups.v1,
  method: 'PUT',
  path: '/apps/{app}',
  summary: 'Update an app',
  find: findMutable,
  body: partial(appBody),
  example: { name: 'Order manager (new)' },
  returns: record(appSchema),
  handle: async ({ context, caller, found, body }) =>
    appView(context, await updateApp(context, caller, { id: found.id, changes: body })),
})

const remove = endpoint({
  group: groups.v1,
  method: 'DELETE',
  path: '/apps/{app}',
  summary: 'Delete an app',
  description: 'Its tokens and those of its accounts end, and its integrations are uninstalled.',
  find: findMutable,
  returns: nothing,
  handle: ({ context, caller, found }) =>
    deleteApp(context, caller, { id: found.id, cascade: (trx) => endOfApp(trx, found.id) }),
})

export const v1Apps = [list, get, create, update, remove]
