import type { App } from '../../domain/apps/app.ts'
import { appList, appScope, findApp, findMutableApp } from '../../domain/apps/app-store.ts'
import type { UserCaller } from '../../domain/tenant.ts'
import { recordId } from '../../lib/record-id.ts'
import { page, record } from '../../runtime/http/endpoint.ts'
import { listQuery } from '../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../define.ts'
import { groups } from '../groups.ts'
import { listOf } from '../list.ts'
import { changedApp, createdApp, deletedApp } from '../v2/includes/of-apps.ts'
import { appSchema, appView } from './views/app.ts'

const find = ({ context, caller, params }: Finding<UserCaller, 'app'>) =>
  findApp(context.db, caller, recordId(params.app))
const findMutable = ({ context, caller, params }: Finding<UserCaller, 'app'>) =>
  findMutableApp(context.db, caller, recordId(params.app))

const list = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/apps',
  right: 'read-app',
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
  right: 'read-app',
  summary: 'Get an app',
  find,
  returns: record(appSchema),
  handle: async ({ context, found }) => appView(context, found),
})

const create = endpoint({
  group: groups.v1,
  example: { name: 'Order manager' },
  ...createdApp,
})

const update = endpoint({
  group: groups.v1,
  path: '/apps/{app}',
  find: findMutable,
  example: { name: 'Order manager (new)' },
  ...changedApp,
})

const remove = endpoint({
  group: groups.v1,
  path: '/apps/{app}',
  find: findMutable,
  ...deletedApp,
})

export const v1Apps = [list, get, create, update, remove]
