import type { TSchema } from 'typebox'
import type { Endpoint, Returns } from '../endpoint.ts'
import { takesKey } from '../idempotency.ts'

/** What an operation of the OpenAPI document may answer. */

export type Json = Record<string, unknown>

export function responses(endpoint: Endpoint): Json {
  const { group, returns } = endpoint
  const headers = group.rate ? { headers: rateHeaderRefs } : {}
  const content = contentOf(envelopeSchema(returns))
  const answers: Json = {}
  for (const status of [endpoint.status, ...endpoint.otherStatuses]) {
    answers[status] = { description: 'Success', ...headers, ...(status !== 204 && content) }
  }
  const problem = (status: number, description: string, schema = 'Message') => {
    answers[status] = {
      description,
      ...headers,
      ...contentOf({ $ref: `#/components/schemas/${schema}` } as unknown as TSchema),
    }
  }
  if (endpoint.query || endpoint.body || takesKey(endpoint))
    problem(400, 'Malformed request', group.rate === 'token' ? 'OAuthError' : 'Message')
  if (group.caller) {
    problem(401, 'Missing, invalid or expired token')
    problem(403, 'Lacks the scope or permission, or the record belongs to somebody else')
  } else if (group.rate === 'token') problem(401, 'The client is not known', 'OAuthError')
  if (endpoint.find || endpoint.path.includes('{')) problem(404, 'No such record')
  if (takesKey(endpoint)) {
    problem(409, 'A request with the same Idempotency-Key is in progress')
    problem(422, 'The Idempotency-Key has been used with another request', 'ValidationError')
  }
  if (endpoint.body && group.rate !== 'token') problem(422, 'A field is missing or wrong', 'ValidationError')
  if (group.rate) problem(429, 'Too many requests in this minute')
  if (endpoint.countsRefusals) {
    problem(401, 'The signature is missing or wrong')
    problem(429, 'Too many rejected requests in this minute; retry after Retry-After')
  }
  problem(500, 'Internal error')
  problem(503, 'The service, or the shop behind it, cannot answer now; try again after Retry-After')
  return answers
}

const contentOf = (schema: TSchema | null): Json => (schema ? { content: { 'application/json': { schema } } } : {})

const object = (properties: Json) =>
  ({ type: 'object', required: Object.keys(properties), properties }) as unknown as TSchema
const anyOf = (schemas: readonly TSchema[]) => ({ anyOf: schemas }) as unknown as TSchema
const pageOf = (schema: TSchema) => object({ data: { type: 'array', items: schema }, links: pageLinks, meta: pageMeta })
const changesOf = (schema: TSchema) =>
  object({ data: { type: 'array', items: schema }, links: object({ next: url }), meta: changesMeta })

function envelopeSchema(returns: Returns): TSchema | null {
  switch (returns.kind) {
    case 'record':
      return object({ data: returns.schema })
    case 'list':
      return object({ data: { type: 'array', items: returns.schema } })
    case 'page':
      return returns.changes ? anyOf([pageOf(returns.schema), changesOf(returns.schema)]) : pageOf(returns.schema)
    case 'raw':
      return returns.schema
    case 'answer':
      return returns.schema ?? null
    case 'nothing':
      return null
  }
}

const url = { type: 'string', format: 'uri' }
const whole = { type: 'integer' }
const pageLinks = {
  type: 'object',
  required: ['first', 'last', 'prev', 'next'],
  properties: { first: url, last: url, prev: { type: ['string', 'null'] }, next: { type: ['string', 'null'] } },
}
const pageMeta = {
  type: 'object',
  required: ['current_page', 'from', 'last_page', 'per_page', 'to', 'total'],
  properties: {
    current_page: whole,
    from: { type: ['integer', 'null'] },
    last_page: whole,
    per_page: whole,
    to: { type: ['integer', 'null'] },
    total: whole,
    total_exact: {
      const: false,
      description:
        'Only where there are more than were counted: `total` and `last_page` say at least how many, and grow from page to page until the last one',
    },
  },
}

const changesMeta = {
  type: 'object',
  required: ['per_page', 'next_cursor', 'has_more', 'as_of'],
  properties: {
    per_page: whole,
    next_cursor: { type: 'string', description: 'What the next call passes as `updated_since`' },
    has_more: { type: 'boolean', description: 'False: come back later, with the same `next_cursor`' },
    as_of: { type: 'string', description: 'With `has_more` false: all that changed before this time has been shown' },
  },
}

const reason = {
  type: ['object', 'null'],
  description:
    'Only with 422 and 503, to calls below `/api/2.0/webcomponent`: what the text follows from, for those who show it in another language than English. Null where it is in the words of somebody else',
  required: ['code', 'parameters'],
  properties: { code: { type: 'string' }, parameters: { type: 'object' } },
}
const message = { message: { type: 'string' } }
export const errorSchemas = {
  Message: {
    type: 'object',
    required: ['message'],
    properties: { ...message, reason },
    examples: [{ message: 'Unauthenticated.' }],
  },
  ValidationError: {
    type: 'object',
    required: ['message', 'errors'],
    properties: {
      ...message,
      reason,
      errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
      reasons: {
        type: 'object',
        description: 'As `reason`, for each text of `errors` in its place',
        additionalProperties: { type: 'array', items: reason },
      },
    },
    examples: [{ message: 'The name field is required.', errors: { name: ['The name field is required.'] } }],
  },
  OAuthError: {
    type: 'object',
    required: ['error', 'error_description', 'message'],
    properties: {
      error: { type: 'string' },
      error_description: { type: 'string' },
      hint: { type: 'string' },
      ...message,
    },
    examples: [
      {
        error: 'invalid_client',
        error_description: 'Client authentication failed',
        message: 'Client authentication failed',
      },
    ],
  },
}

export const rateHeaders = {
  'X-RateLimit-Limit': { description: 'Requests allowed in a minute', schema: whole },
  'X-RateLimit-Remaining': { description: 'Requests left in this window', schema: whole },
  'X-RateLimit-Reset': { description: 'When the window ends, in seconds since 1970', schema: whole },
}
const rateHeaderRefs = Object.fromEntries(
  Object.keys(rateHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)

/** The schema of a success body: what the tests hold real answers against. */
export const successSchema = (endpoint: Endpoint) => envelopeSchema(endpoint.returns)
