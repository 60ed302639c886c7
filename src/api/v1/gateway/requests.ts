import { Type } from 'typebox'
import { askShop, readResource } from '../../../domain/proxy/ask-shop.ts'
import { anything, choice, maybe, object, optional, text } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { gateway } from './group.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const methodIn = (body: unknown): string =>
  methods.find((known) => typeof body === 'object' && body !== null && 'method' in body && body.method === known) ??
  'GET'

const resource = endpoint({
  group: gateway,
  method: 'GET',
  path: '/resource/{resource}',
  right: 'read-order',
  summary: 'Get resource data',
  audits: 'personal_data',
  description: 'What the shop itself says about one of the resources that its service names. The query is passed on.',
  returns: record(Type.Unknown()),
  handle: ({ context, admitted, params, request }) =>
    readResource(context, admitted, { resource: params.resource, query: request.rawQuery }),
})

const request = endpoint({
  group: gateway,
  method: 'POST',
  path: '/services-request',
  right: 'call-shop',
  summary: 'Execute a service request',
  detailOf: methodIn,
  onlyReads: (body) => methodIn(body) === 'GET',
  changesElsewhere: (body) => methodIn(body) !== 'GET',
  description:
    'Sends a request to the integration’s own shop with its credentials. Only paths that the service allows; never another host.',
  status: 200,
  body: object({
    method: optional(choice(methods, 'GET by default')),
    endpoint: text({ max: 2000, description: 'A path below the shop’s own address' }),
    query: maybe(
      Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, 'x-max-kilobytes': 8 }),
    ),
    payload: maybe(anything('The body, for methods that take one')),
  }),
  example: { method: 'GET', endpoint: '/orders', query: { limit: 5 } },
  returns: record(
    Type.Object({ status: Type.Integer({ description: 'The answer of the shop' }), body: Type.Unknown() }),
  ),
  handle: async ({ context, admitted, body }) => {
    const answer = await askShop(context, admitted, {
      method: body.method ?? 'GET',
      endpoint: body.endpoint,
      query: body.query ?? {},
      payload: body.payload ?? undefined,
    })
    return { status: answer.status, body: answer.body ?? null }
  },
})

export const gatewayRequests = [resource, request]
