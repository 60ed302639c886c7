import { type Static, Type } from 'typebox'
import type { App } from '../../../domain/apps/app.ts'
import { createApp } from '../../../domain/apps/create-app.ts'
import { deleteApp } from '../../../domain/apps/delete-app.ts'
import { updateApp } from '../../../domain/apps/update-app.ts'
import type { Context } from '../../../domain/context.ts'
import { integrationsOfOwners } from '../../../domain/integrations/integration-list-store.ts'
import { attachedToApps } from '../../../domain/services/app-service-store.ts'
import type { UserCaller } from '../../../domain/tenant.ts'
import { endOfApp } from '../../../domain/uninstall/end-of-app.ts'
import { forbidden } from '../../../lib/fault.ts'
import { colourPattern } from '../../../lib/validation/colour.ts'
import { flag, list, maybe, nameText, object, optional, partial, text } from '../../../lib/validation/fields.ts'
import { nothing, record } from '../../../runtime/http/endpoint.ts'
import { appSchema, appView } from '../views/app.ts'
import { integrationSchema, integrationView } from '../views/integration.ts'
import { attachedServiceSchema, attachedServiceView } from '../views/service.ts'

export const appIncludes = ['services', 'integrations']

export const appWithIncludesSchema = Type.Object({
  ...appSchema.properties,
  services: Type.Optional(Type.Array(attachedServiceSchema)),
  integrations: Type.Optional(Type.Array(integrationSchema, { description: 'The first hundred' })),
})

export const appBody = object({
  name: nameText(),
  description: maybe(text({ max: 5000 })),
  url: maybe(text({ max: 2000, format: 'url' })),
  accent: maybe(
    text({
      pattern: colourPattern,
      must: 'be a colour such as #4346d3',
      description:
        'Colour of the app on the pages that merchants see before and after a platform: `#` and six digits from 0 to f (extension)',
    }),
  ),
  active: optional(flag('While it is off, its tokens are rejected and its webhook deliveries are held')),
  return_urls: optional(
    list(text({ max: 2000, format: 'url' }), {
      max: 20,
      description: 'Where a browser may be sent back to after an installation, compared exactly',
    }),
  ),
})

/** Apps with what was asked for: one read for each kind of related record, however many apps there are. */
export async function viewApps(
  context: Context,
  caller: UserCaller,
  apps: readonly App[],
  include: ReadonlySet<string>,
): Promise<Static<typeof appWithIncludesSchema>[]> {
  const ids = apps.map((app) => app.id)
  // Shops are more than the app itself.
  if (include.has('integrations') && !caller.rights.has('read-integration')) throw forbidden()
  const services = include.has('services') ? await attachedToApps(context.db, ids) : null
  const integrations = include.has('integrations') ? await integrationsOfOwners(context.db, 'app_id', ids) : null
  return apps.map((app) => ({
    ...appView(context, app),
    ...(services && {
      services: services.filter((of) => of.app_id === app.id).map((of) => attachedServiceView(context, of)),
    }),
    ...(integrations && {
      integrations: integrations.filter((of) => of.app_id === app.id).map((of) => integrationView(context, of)),
    }),
  }))
}

interface Asked {
  context: Context
  caller: UserCaller
}

/** What both versions answer alike. */
export const createdApp = {
  method: 'POST',
  path: '/apps',
  right: 'create-app',
  summary: 'Create an app',
  body: appBody,
  returns: record(appSchema),
  handle: async ({ context, caller, body }: Asked & { body: Static<typeof appBody> }) =>
    appView(context, await createApp(context, caller, body)),
} as const

const changes = partial(appBody)

export const changedApp = {
  method: 'PUT',
  right: 'update-app',
  summary: 'Update an app',
  body: changes,
  returns: record(appSchema),
  handle: async ({ context, caller, found, body }: Asked & { found: App; body: Static<typeof changes> }) =>
    appView(context, await updateApp(context, caller, { id: found.id, changes: body })),
} as const

export const deletedApp = {
  method: 'DELETE',
  right: 'delete-app',
  summary: 'Delete an app',
  description: 'Its tokens and those of its accounts end, and its integrations are uninstalled.',
  returns: nothing,
  handle: ({ context, caller, found }: Asked & { found: App }) =>
    deleteApp(context, caller, { id: found.id, cascade: (trx) => endOfApp(trx, found.id) }),
} as const
