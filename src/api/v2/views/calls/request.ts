import { type Static, Type } from 'typebox'
import {
  type ApiRequest,
  defaultRequestDays,
  requestCallers,
  requestSources,
  statusClasses,
} from '../../../../domain/requests/api-request.ts'
import type { ListedRequest, RequestFilter, UsageStep } from '../../../../domain/requests/read-requests.ts'
import { choice, integer, logged, nullable, object, optional, text } from '../../../../lib/validation/fields.ts'
import { raw } from '../../../../runtime/http/endpoint.ts'
import { nullableId, nullableText, timestamp } from '../record.ts'

const listed = {
  request_id: logged(Type.String({ description: '`X-Request-Id` of the answer' })),
  at: timestamp,
  source: choice(
    requestSources,
    'Whether a program called, or somebody by the console; of the console’s calls only changes and failures are kept',
  ),
  caller: choice(requestCallers),
  client_id: nullableId,
  account_id: nullableId,
  user_id: nullable(Type.Integer({ description: 'Beside `caller` client or account: acts for it from the console' })),
  integration_id: nullableId,
  method: logged(Type.String({ examples: ['GET'] })),
  route: logged(Type.String({ examples: ['/api/2.0/app/orders/{order}'] })),
  path: Type.String({ description: 'Parameters that may be anything stand there by their names' }),
  query: Type.String({ description: 'Without what was searched for' }),
  status: Type.Integer(),
  duration_ms: Type.Number(),
  address: Type.String(),
  request_bytes: Type.Integer(),
  response_bytes: Type.Integer(),
}

export const listedRequestSchema = Type.Object(listed)

const kept = 'Numbers, flags, times, ids and words of known lists; any other text is `[text]`. 4 KiB at most'

export const requestSchema = Type.Object({
  ...listed,
  headers: Type.Object({
    user_agent: nullableText,
    content_type: nullableText,
    idempotency_key: Type.Boolean({ description: 'Whether one was sent' }),
  }),
  rate: nullable(
    Type.Object({ limit: Type.Integer(), remaining: Type.Integer() }, { description: 'What was left of the minute' }),
  ),
  error: nullable(
    Type.Object({
      kind: Type.String({ examples: ['invalid'] }),
      fields: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Refused fields of the body' }),
    }),
  ),
  request_body: Type.Unknown({ description: `Null where there was none. ${kept}` }),
  response_body: Type.Unknown({ description: `Null where there was none. ${kept}` }),
})

export const listedRequestView = ({
  id,
  ms,
  app_id: _,
  ...request
}: ListedRequest): Static<typeof listedRequestSchema> => ({
  request_id: id,
  at: request.at,
  source: request.source,
  caller: request.caller,
  client_id: request.client_id,
  account_id: request.account_id,
  user_id: request.user_id,
  integration_id: request.integration_id,
  method: request.method,
  route: request.route,
  path: request.path,
  query: request.query,
  status: request.status,
  duration_ms: ms,
  address: request.address,
  request_bytes: request.request_bytes,
  response_bytes: request.response_bytes,
})

export const requestView = ({ detail, ...request }: ApiRequest): Static<typeof requestSchema> => ({
  ...listedRequestView(request),
  headers: {
    user_agent: detail.agent,
    content_type: detail.content_type,
    idempotency_key: detail.has_idempotency_key,
  },
  rate: detail.rate ?? null,
  error: detail.error ? { kind: detail.error.kind, fields: detail.error.fields ?? {} } : null,
  request_body: detail.request ?? null,
  response_body: detail.response ?? null,
})

const idFilter = (description: string) => optional(integer({ minimum: 1, maximum: 999_999_999_999_999, description }))

export const requestQuery = object({
  status: optional(choice(statusClasses, '`failed` is 4xx and 5xx')),
  status_code: optional(integer({ minimum: 100, maximum: 599 })),
  method: optional(choice(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  route: optional(text({ max: 200, description: 'As `route` of an entry' })),
  caller: optional(choice(requestCallers)),
  source: optional(choice(requestSources)),
  client_id: idFilter('Through which client'),
  account_id: idFilter('For which account'),
  integration_id: idFilter('On which integration, or what belongs to it'),
  request_id: optional(text({ max: 36, pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })),
  since: optional(text({ format: 'date-time', description: 'Not before' })),
  until: optional(text({ format: 'date-time', description: 'Before' })),
  cursor: optional(text({ max: 200, description: '`meta.next_cursor` of the page before' })),
  limit: optional(integer({ minimum: 1, maximum: 200, description: '50 by default' })),
})

interface RequestQuery extends RequestFilter {
  cursor?: string | undefined
  limit?: number | undefined
}

export const askedFor = ({ cursor, limit, ...filter }: RequestQuery) => ({
  filter,
  cursor: cursor ?? null,
  limit: limit ?? 50,
})

export const requestPage = raw(
  Type.Object({
    data: Type.Array(listedRequestSchema),
    meta: Type.Object({
      next_cursor: nullable(Type.String({ description: 'Null where there is nothing older' })),
      days: Type.Integer({ description: 'For how many days calls are kept; 0 if they are not' }),
    }),
  }),
)

/** Range → minutes, and how many of them are one step. */
export const usageRanges = { '1h': [60, 1], '6h': [360, 1], '24h': [1440, 5] } as const
export type UsageRange = keyof typeof usageRanges
const rangeNames = ['1h', '6h', '24h'] as const satisfies readonly UsageRange[]

export const usageQuery = object({
  range: optional(choice(rangeNames, 'How far back to look; an hour by default')),
  client_id: idFilter('Only this client'),
})

export const usageSchema = Type.Object({
  range: choice(rangeNames),
  step_minutes: Type.Integer(),
  days: Type.Integer({ description: 'For how many days calls are kept; 0 if nothing is counted' }),
  left_out: Type.Integer({
    description: 'Calls of this time that are counted, and not in the log: there were too many',
  }),
  steps: Type.Array(
    Type.Object({
      at: timestamp,
      caller: choice(requestCallers),
      calls: Type.Integer({ description: 'Of all callers of this kind' }),
      failed: Type.Integer({ description: 'Answered with 4xx or 5xx' }),
      limited: Type.Integer({ description: 'Answered with 429' }),
      left_out: Type.Integer(),
      most: Type.Integer({ description: 'Calls in a minute of the one caller who came nearest to the limit' }),
      limit: Type.Integer({ description: 'Calls that one caller may make in a minute' }),
    }),
    { description: 'Without those in which nobody called' },
  ),
})

export const usageView = (
  range: UsageRange,
  steps: readonly UsageStep[],
  days: number,
): Static<typeof usageSchema> => ({
  range,
  step_minutes: usageRanges[range][1],
  days,
  left_out: steps.reduce((sum, step) => sum + step.left_out, 0),
  steps: steps.map(({ allowed, ...step }) => ({ ...step, limit: allowed })),
})

export const daysOf = ({ requestLogDays = defaultRequestDays }: { requestLogDays?: number }): number => requestLogDays
