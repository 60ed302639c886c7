import { Type } from 'typebox'
import { storeLogo } from '../../../domain/logos/store-logo.ts'
import { appServiceList, attachedScope, findAttached } from '../../../domain/services/app-service-store.ts'
import { attachService, detachService, updateAttachedService } from '../../../domain/services/attach-service.ts'
import type { AttachedService, Attachment } from '../../../domain/services/service.ts'
import { setAppServiceLogo } from '../../../domain/services/set-service-logo.ts'
import { syncServices } from '../../../domain/services/sync-services.ts'
import type { UserCaller } from '../../../domain/tenant.ts'
import { type FieldErrors, invalid } from '../../../lib/fault.ts'
import { recordId } from '../../../lib/record-id.ts'
import { flag, freeObject, id, list, maybe, object, optional, type Shape } from '../../../lib/validation/fields.ts'
import { listOf as listAnswer, nothing, page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { appInPath, mutableAppInPath } from '../in-path.ts'
import { logoSchema, logoUpload, logoView } from '../views/logo.ts'
import { attachedServiceSchema, attachedServiceView } from '../views/service.ts'

const choices = {
  active: optional(flag('Whether it can be installed')),
  settings: optional(freeObject('Settings of this app for the service. Not secret.')),
}

const client = maybe(
  freeObject(
    'What the platform gave the app at registration there, for services with OAuth. Kept sealed, never shown.',
  ),
)

async function findAttachedService(input: Finding<UserCaller, 'appId' | 'serviceId'>) {
  const app = await mutableAppInPath(input)
  return await findAttached(input.context.db, { appId: app.id }, recordId(input.params.serviceId))
}

const listServices = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/services',
  right: 'read-app',
  summary: 'List app services',
  find: appInPath,
  query: listQuery({
    filter: ['active', 'type', 'auth_type'],
    sort: ['id', 'name', 'type', 'created_at', 'updated_at'],
  }),
  returns: page(attachedServiceSchema),
  handle: ({ context, found, query }) =>
    listOf(context, appServiceList, attachedScope({ appId: found.id }), query, (service: AttachedService) =>
      attachedServiceView(context, service),
    ),
})

const attach = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/services',
  right: 'update-app',
  summary: 'Attach a service to the app',
  find: mutableAppInPath,
  body: object({ service_id: id('A service of the catalogue'), ...choices, client }),
  example: { service_id: 1, settings: {} },
  returns: record(attachedServiceSchema),
  handle: async ({ context, caller, found, body }) =>
    attachedServiceView(context, await attachService(context, caller, { appId: found.id, attachment: body })),
})

const update = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/apps/{appId}/services/{serviceId}',
  right: 'update-app',
  summary: 'Update the attached service',
  find: findAttachedService,
  body: object({ ...choices, client }),
  example: { active: false },
  returns: record(attachedServiceSchema),
  async handle({ context, caller, found, body }) {
    const attachment = { ...body, service_id: found.id }
    return attachedServiceView(
      context,
      await updateAttachedService(context, caller, { appId: found.app_id, attachment }),
    )
  },
})

const detach = endpoint({
  group: groups.user,
  method: 'DELETE',
  path: '/apps/{appId}/services/{serviceId}',
  right: 'update-app',
  summary: 'Detach the service',
  description: 'It can no longer be installed; integrations that exist stay as they are.',
  find: findAttachedService,
  returns: nothing,
  handle: ({ context, caller, found }) => detachService(context, caller, { appId: found.app_id, serviceId: found.id }),
})

const named = object({ id: optional(id()), service_id: optional(id()), ...choices })
const services = list(Type.Union([id(), named]), {
  max: 200,
  description: 'Ids, or objects with `id` (or `service_id`) and what to set',
})

const sync = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/apps/{appId}/services-sync',
  right: 'update-app',
  summary: "Synchronise the app's services",
  description: 'Afterwards the app offers exactly these services; an empty list detaches all.',
  find: mutableAppInPath,
  // Not "required" in the schema, because that would refuse the empty list as well.
  body: object({ services: optional(services) }),
  example: { services: [1, { id: 2, active: false }] },
  returns: listAnswer(attachedServiceSchema),
  async handle({ context, caller, found, body }) {
    const attached = await syncServices(context, caller, { appId: found.id, attachments: attachmentsOf(body.services) })
    return attached.map((service) => attachedServiceView(context, service))
  },
})

function attachmentsOf(entries: Shape<typeof services> | undefined): Attachment[] {
  if (entries === undefined) throw invalid({ services: ['The services field is required.'] })
  const errors: FieldErrors = {}
  const attachments = entries.flatMap((entry, index) => {
    if (typeof entry === 'number') return [{ service_id: entry }]
    const { id, service_id = id, ...choice } = entry
    if (service_id !== undefined) return [{ ...choice, service_id }]
    errors[`services.${index}.id`] = [`The services.${index}.id field is required.`]
    return []
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return attachments
}

const logo = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/services/{serviceId}/logo',
  right: 'update-app',
  summary: 'Upload service logo',
  description: 'The app shows the service under this logo; the catalogue keeps its own.',
  ...logoUpload,
  find: findAttachedService,
  returns: record(logoSchema),
  async handle({ context, caller, found, request }) {
    const attach = setAppServiceLogo(caller, { appId: found.app_id, serviceId: found.id })
    return logoView(context, await storeLogo(context, request.upload, attach))
  },
})

export const userAppServices = [listServices, attach, update, detach, sync, logo]
