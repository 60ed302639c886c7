import { findMutableService, findService, readService } from '../../../../domain/services/service-store.ts'
import { compareDefinitions } from '../../../../domain/services/versions/compare-definitions.ts'
import { restoreVersion } from '../../../../domain/services/versions/restore-version.ts'
import {
  readVersion,
  type ServiceVersion,
  versionList,
  versionsOf,
} from '../../../../domain/services/versions/version-store.ts'
import type { UserCaller } from '../../../../domain/tenant.ts'
import { recordId } from '../../../../lib/record-id.ts'
import { page, record } from '../../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../../../define.ts'
import { groups } from '../../../groups.ts'
import { listOf } from '../../../list.ts'
import { versionSchema, versionView, wholeVersionSchema, wholeVersionView } from '../../views/descriptions/version.ts'

/** What was published of a service of one's own, each time it was. */

const list = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/services/{ownService}/versions',
  extension: true,
  permission: 'read-integration',
  summary: 'List the versions of a service',
  description: 'Each time its description was published, the newest first. The newest 100 are kept.',
  find: ({ context, caller, params }) => findService(context.db, caller, params.ownService),
  query: listQuery({ sort: ['number', 'created_at'] }),
  returns: page(versionSchema),
  handle: ({ context, found, query }) =>
    listOf(context, versionList, versionsOf(found.id), query, (version: ServiceVersion) => versionView(version)),
})

const findVersion = async ({ context, caller, params }: Finding<UserCaller, 'ownService' | 'version'>) => {
  const service = await findService(context.db, caller, params.ownService)
  return { service, version: await readVersion(context.db, service.id, recordId(params.version)) }
}

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/services/{ownService}/versions/{version}',
  extension: true,
  permission: 'read-integration',
  summary: 'Get a version of a service',
  description: 'The description as it was, and where it differs from the one that is published now.',
  find: findVersion,
  returns: record(wholeVersionSchema),
  handle: async ({ found: { service, version } }) =>
    wholeVersionView(version, compareDefinitions(version.definition, service.definition)),
})

const restore = endpoint({
  group: groups.user,
  method: 'POST',
  status: 200,
  path: '/services/{ownService}/versions/{version}/restore',
  extension: true,
  permission: 'update-service',
  summary: 'Publish a version of a service again',
  description:
    'It counts from the next request on, as a new version. `origin` and `auth` cannot change while shops are connected.',
  find: async ({ context, caller, params }) => {
    const service = await findMutableService(context.db, caller, params.ownService)
    return { service, version: await readVersion(context.db, service.id, recordId(params.version)) }
  },
  returns: record(wholeVersionSchema),
  async handle({ context, caller, found: { service, version } }) {
    const restored = await restoreVersion(context, caller, { serviceId: service.id, number: version.number })
    const { definition } = await readService(context.db, String(service.id))
    return wholeVersionView(restored, compareDefinitions(restored.definition, definition))
  },
})

export const userServiceVersions = [list, get, restore]
