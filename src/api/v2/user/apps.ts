import type { App } from '../../../domain/apps/app.ts'
import { appList, appScope } from '../../../domain/apps/app-store.ts'
import { createApp } from '../../../domain/apps/create-app.ts'
import { deleteApp } from '../../../domain/apps/delete-app.ts'
import { setAppLogo } from '../../../domain/apps/set-app-logo.ts'
import { updateApp } from '../../../domain/apps/update-app.ts'
import { storeLogo } from '../../../domain/logos/store-logo.ts'
import { endOfApp } from '../../../domain/uninstall/end-of-app.ts'
import { flag, list, maybe, object, optional, partial, text } from '../../../lib/validation/fields.ts'
import { nothing, page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { appInPath, mutableAppInPath } from '../in-path.ts'
import { appIncludes, appWithIncludesSchema, viewApps } from '../includes/of-apps.ts'
import { appSchema, appView } from '../views/app.ts'
import { logoSchema, logoUpload, logoView } from '../views/logo.ts'

export const appBody = object({
  name: text(),
  description: maybe(text({ max: 5000 })),
  url: maybe(text({ max: 2000, format: 'url' })),
  active: optional(flag('While it is off, its tokens are rejected and its webhook deliveries are held')),
  return_urls: optional(
    list(text({ max: 2000, format: 'url' }), {
      max: 20,
      description: 'Where a browser may be sent back to after an installation, compared exactly',
    }),
  ),
})

const listApps = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps',
  summary: "List the user's apps",
  query: listQuery({ filter: ['active'], sort: ['id', 'name', 'created_at', 'updated_at'], include: appIncludes }),
  returns: page(appWithIncludesSchema),
  async handle({ context, caller, query }) {
    const apps = await listOf(context, appList, appScope(caller), query, (app: App) => app)
    return { rows: await viewApps(context, apps.rows, query.include), total: apps.total }
  },
})

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}',
  summary: 'Get an app',
  find: appInPath,
  query: listQuery({ sort: [], include: appIncludes }),
  returns: record(appWithIncludesSchema),
  async handle({ context, found, query }) {
    const [app] = await viewApps(context, [found], query.include)
    return app ?? appView(context, found)
  },
})

const create = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps',
  summary: 'Create an app',
  body: appBody,
  example: { name: 'Order manager', url: 'https://orders.example', return_urls: ['https://orders.example/connected'] },
  returns: record(appSchema),
  handle: async ({ context, caller, body }) => appView(context, await createApp(context, caller, body)),
})

const update = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/apps/{appId}',
  summary: 'Update an app',
  find: mutableAppInPath,
  body: partial(appBody),
  example: { description: 'Where orders of all shops meet' },
  returns: record(appSchema),
  handle: async ({ context, caller, found, body }) =>
    appView(context, await updateApp(context, caller, { id: found.id, changes: body })),
})

const remove = endpoint({
  group: groups.user,
  method: 'DELETE',
  path: '/apps/{appId}',
  summary: 'Delete an app',
  description: 'Its tokens and those of its accounts end, and its integrations are uninstalled.',
  find: mutableAppInPath,
  returns: nothing,
  handle: ({ context, caller, found }) =>
    deleteApp(context, caller, { id: found.id, cascade: (trx) => endOfApp(trx, found.id) }),
})

const logo = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/logo',
  summary: 'Upload app logo',
  ...logoUpload,
  find: mutableAppInPath,
  returns: record(logoSchema),
  handle: async ({ context, caller, found, request }) =>
    logoView(context, await storeLogo(context, request.upload, setAppLogo(caller, found.id))),
})

export const userApps = [listApps, get, create, update, remove, logo]
