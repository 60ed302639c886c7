import { type RangeName, rangeNames } from '../../../domain/overview/range.ts'
import { readOverview } from '../../../domain/overview/read-overview.ts'
import { choice, object, optional, text } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appInPath } from '../in-path.ts'
import { overviewSchema, overviewView } from '../views/overview.ts'

const query = object({
  range: optional(choice(rangeNames, 'How far back to look; 24 hours by default')),
  time_zone: optional(
    text({ max: 64, format: 'timezone', description: 'Time zone in which hours and days begin; UTC by default' }),
  ),
})

const usualRange: RangeName = '24h'

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/overview',
  extension: true,
  permission: 'read-integration',
  summary: 'Get the overview of an app',
  description:
    'What needs attention, and how many orders, runs and webhook deliveries there were, over all integrations of the app.',
  find: appInPath,
  query,
  returns: record(overviewSchema),
  handle: async ({ context, found, query: { range = usualRange, time_zone: timeZone = 'UTC' } }) =>
    overviewView(await readOverview(context, found.id, { range, timeZone })),
})

export const userAppOverview = [get]
