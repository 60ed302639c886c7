import { type Static, Type } from 'typebox'
import type { App } from '../../../domain/apps/app.ts'
import type { Context } from '../../../domain/context.ts'
import { integrationsOfOwners } from '../../../domain/integrations/integration-list-store.ts'
import { attachedToApps } from '../../../domain/services/app-service-store.ts'
import { appSchema, appView } from '../views/app.ts'
import { integrationSchema, integrationView } from '../views/integration.ts'
import { attachedServiceSchema, attachedServiceView } from '../views/service.ts'

export const appIncludes = ['services', 'integrations']

export const appWithIncludesSchema = Type.Object({
  ...appSchema.properties,
  services: Type.Optional(Type.Array(attachedServiceSchema)),
  integrations: Type.Optional(Type.Array(integrationSchema, { description: 'The first hundred' })),
})

/** Apps with what was asked for: one read for each kind of related record, however many apps there are. */
export async function viewApps(
  context: Context,
  apps: readonly App[],
  include: ReadonlySet<string>,
): Promise<Static<typeof appWithIncludesSchema>[]> {
  const ids = apps.map((app) => app.id)
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
