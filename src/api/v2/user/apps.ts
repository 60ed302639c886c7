import type { App } from '../../../domain/apps/app.ts'
import { appList, appScope } from '../../../domain/apps/app-store.ts'
import { setAppLogo } from '../../../domain/apps/set-app-logo.ts'
import { dropLogo, storeLogo } from '../../../domain/logos/store-logo.ts'
import { nothing, page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { appInPath, mutableAppInPath } from '../in-path.ts'
import {
  appIncludes,
  appWithIncludesSchema,
  changedApp,
  createdApp,
  deletedApp,
  viewApps,
} from '../includes/of-apps.ts'
import { appView } from '../views/app.ts'
import { logoSchema, logoUpload, logoView } from '../views/logo.ts'

const listApps = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps',
  right: 'read-app',
  summary: "List the user's apps",
  query: listQuery({ filter: ['active', 'q'], sort: ['id', 'name', 'created_at', 'updated_at'], include: appIncludes }),
  returns: page(appWithIncludesSchema),
  async handle({ context, caller, query }) {
    const apps = await listOf(context, appList, appScope(caller), query, (app: App) => app)
    return { rows: await viewApps(context, caller, apps.rows, query.include), total: apps.total }
  },
})

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}',
  right: 'read-app',
  summary: 'Get an app',
  find: appInPath,
  query: listQuery({ sort: [], include: appIncludes }),
  returns: record(appWithIncludesSchema),
  async handle({ context, caller, found, query }) {
    const [app] = await viewApps(context, caller, [found], query.include)
    return app ?? appView(context, found)
  },
})

const create = endpoint({
  group: groups.user,
  example: { name: 'Order manager', url: 'https://orders.example', return_urls: ['https://orders.example/connected'] },
  ...createdApp,
})

const update = endpoint({
  group: groups.user,
  path: '/apps/{appId}',
  find: mutableAppInPath,
  example: { description: 'Where orders of all shops meet' },
  ...changedApp,
})

const remove = endpoint({
  group: groups.user,
  path: '/apps/{appId}',
  find: mutableAppInPath,
  ...deletedApp,
})

const logo = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/logo',
  right: 'update-app',
  summary: 'Upload app logo',
  ...logoUpload,
  find: mutableAppInPath,
  returns: record(logoSchema),
  handle: async ({ context, caller, found, request }) =>
    logoView(context, await storeLogo(context, request.upload, setAppLogo(caller, found.id))),
})

const removeLogo = endpoint({
  group: groups.user,
  method: 'DELETE',
  path: '/apps/{appId}/logo',
  extension: true,
  right: 'update-app',
  summary: 'Remove app logo',
  find: mutableAppInPath,
  returns: nothing,
  handle: ({ context, caller, found }) => dropLogo(context, setAppLogo(caller, found.id)),
})

export const userApps = [listApps, get, create, update, remove, logo, removeLogo]
