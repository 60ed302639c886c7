import { getRequest, listRequests, readUsage } from '../../../domain/requests/read-requests.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appTenant } from '../../tenants.ts'
import {
  askedFor,
  daysOf,
  listedRequestView,
  requestPage,
  requestQuery,
  requestSchema,
  requestView,
  usageQuery,
  usageRanges,
  usageSchema,
  usageView,
} from '../views/calls/request.ts'

const common = { group: groups.app, method: 'GET', scope: 'app:integration-read', extension: true } as const

const list = endpoint({
  ...common,
  path: '/requests',
  summary: 'Search the request log',
  description:
    'Calls of the API by the app, its accounts, and users on its behalf; newest first, within a second or two of the call. Of very many calls in one second some are left out, which `…/requests/usage` counts.',
  find: async ({ caller }) => appTenant(caller),
  query: requestQuery,
  returns: requestPage,
  async handle({ context, found, query }) {
    const { requests, cursor } = await listRequests(context, found, askedFor(query))
    return { data: requests.map(listedRequestView), meta: { next_cursor: cursor, days: daysOf(context) } }
  },
})

const usage = endpoint({
  ...common,
  path: '/requests/usage',
  summary: 'Get the use of the rate limits',
  description: 'Calls by the minute and kind of caller, beside what one caller may make in a minute.',
  find: async ({ caller }) => appTenant(caller),
  query: usageQuery,
  returns: record(usageSchema),
  async handle({ context, found, query: { range = '1h', client_id: clientId = null } }) {
    const [minutes, step] = usageRanges[range]
    return usageView(range, await readUsage(context.db, found, { minutes, step, clientId }), daysOf(context))
  },
})

const get = endpoint({
  ...common,
  path: '/requests/{request}',
  summary: 'Get a request',
  description:
    'With what may be kept of its body and answer: no secrets, nothing of buyers, no text but such as names records.',
  find: ({ context, caller, params }) => getRequest(context, appTenant(caller), params.request),
  returns: record(requestSchema),
  handle: async ({ found }) => requestView(found),
})

export const appRequests = [list, usage, get]
