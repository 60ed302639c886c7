import { readOverview } from '../../../domain/overview/read-overview.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appInPath } from '../in-path.ts'
import { overviewSchema, overviewView } from '../views/overview.ts'

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/overview',
  extension: true,
  permission: 'read-integration',
  summary: 'Get the overview of an app',
  description:
    'The last 24 hours, hour by hour: orders, runs and deliveries; and the remaining rate limits of its shops.',
  find: appInPath,
  returns: record(overviewSchema),
  handle: async ({ context, found }) => overviewView(await readOverview(context, found.id)),
})

export const userAppOverview = [get]
