import { type Static, Type } from 'typebox'
import type { App } from '../../../domain/apps/app.ts'
import type { Context } from '../../../domain/context.ts'
import { attachedToApps } from '../../../domain/services/app-service-store.ts'
import { appSchema, appView } from '../views/app.ts'
import { attachedServiceSchema, attachedServiceView } from '../views/service.ts'

export const appIncludes = ['services']

export const appWithIncludesSchema = Type.Object({
  ...appSchema.properties,
  services: Type.Optional(Type.Array(attachedServiceSchema)),
})

/** Apps with what was asked for: one read for each kind of related record, however many apps there are. */
export async function viewApps(
  context: Context,
  apps: readonly App[],
  include: ReadonlySet<string>,
): Promise<Static<typeof appWithIncludesSchema>[]> {
  const ids = apps.map((app) => app.id)
  const services = include.has('services') ? await attachedToApps(context.db, ids) : null
  return apps.map((app) => ({
    ...appView(context, app),
    ...(services && {
      services: services.filter((of) => of.app_id === app.id).map((of) => attachedServiceView(context, of)),
    }),
  }))
}
