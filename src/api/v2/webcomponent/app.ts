import { findOwnApp } from '../../../domain/apps/app-store.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { publicAppSchema, publicAppView } from '../views/app.ts'

const get = endpoint({
  group: groups.webcomponent,
  method: 'GET',
  path: '/app',
  scope: 'webcomponent:app-read',
  summary: 'Get the current app',
  find: ({ context, caller }) => findOwnApp(context.db, caller),
  returns: record(publicAppSchema),
  handle: async ({ context, found }) => publicAppView(context, found),
})

export const webcomponentApp = [get]
