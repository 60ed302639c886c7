import type { TSchema } from 'typebox'
import { type Endpoint, fullPath, type Group, paramNames, type Returns } from './endpoint.ts'
import type { ListOptions } from './list-query.ts'

/** The OpenAPI 3.1 document, read off the endpoints. */

type Json = Record<string, unknown>

export interface ApiFacts {
  title: string
  version: string
  description: string
}

const security: Record<string, { description: string }> = {
  user: { description: 'Access token of the password grant.' },
  client: { description: 'Access token of the client credentials grant.' },
  account: { description: 'Account token, exchanged for an intent token.' },
}

export function openApiDocument(endpoints: readonly Endpoint[], facts: ApiFacts): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = fullPath(endpoint)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { ...facts, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: tags(endpoints.map((endpoint) => endpoint.group)),
    paths,
    components: {
      securitySchemes: Object.fromEntries(
        Object.entries(security).map(([kind, { description }]) => [
          kind,
          { type: 'http', scheme: 'bearer', description },
        ]),
      ),
      schemas: errorSchemas,
      headers: rateHeaders,
    },
  }
}

function tags(groups: readonly Group[]): Json[] {
  const seen = new Map(groups.map((group) => [group.name, group.description]))
  return [...seen].map(([name, description]) => ({ name, description }))
}

export const operationId = (endpoint: Endpoint) =>
  [
    endpoint.method.toLowerCase(),
    ...fullPath(endpoint)
      .replace(/^\/api(?=\/\d)/, '')
      .split('/')
      .filter((part) => part !== ''),
  ]
    .map((part) => part.replace(/[{}]/g, '').replace(/\W+/g, '_'))
    .join('_')

function operation(endpoint: Endpoint): Json {
  const { group } = endpoint
  const needs = [
    endpoint.scope && `Scope \`${endpoint.scope}\`.`,
    endpoint.permission && `Permission \`${endpoint.permission}\`.`,
    group.admitHeader && `Header \`${group.admitHeader.name}\`: ${group.admitHeader.description}`,
    endpoint.openBecause,
    endpoint.extension && 'An extension of version 2.0.',
  ].filter((text) => typeof text === 'string')
  return {
    operationId: operationId(endpoint),
    tags: [group.name],
    summary: endpoint.summary,
    description: [endpoint.description, ...needs].filter(Boolean).join('\n\n'),
    ...(group.headers?.['deprecation'] ? { deprecated: true } : {}),
    security: group.caller ? [{ [group.caller]: [] }] : [],
    parameters: [...pathParameters(endpoint), ...headerParameters(group), ...queryParameters(endpoint.query)],
    ...requestBody(endpoint),
    responses: responses(endpoint),
  }
}

const pathParameters = (endpoint: Endpoint): Json[] =>
  paramNames(fullPath(endpoint)).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

const headerParameters = (group: Group): Json[] =>
  group.admitHeader
    ? [
        {
          name: group.admitHeader.name,
          in: 'header',
          required: true,
          schema: { type: 'string' },
          description: group.admitHeader.description,
        },
      ]
    : []

function queryParameters(query: Endpoint['query']): Json[] {
  if (!query) return []
  if (isList(query)) {
    const parameter = (name: string, schema: Json, description: string) => ({ name, in: 'query', schema, description })
    return [
      parameter('page', { type: 'integer', default: 1, minimum: 1 }, 'Which page.'),
      parameter('per_page', { type: 'integer', default: 15, minimum: 1, maximum: 100 }, 'Records a page.'),
      ...query.filter.map((name) =>
        parameter(name, { type: 'string' }, `Only records with this ${name}; several separated by commas.`),
      ),
      ...(query.sort.length > 0
        ? [
            parameter(
              'sort',
              { type: 'string', examples: [`-${query.sort.at(-1)}`] },
              `One or more of ${query.sort.join(', ')}; a leading minus sorts downwards.`,
            ),
          ]
        : []),
      ...(query.include.length > 0
        ? [
            parameter(
              'include',
              { type: 'string', examples: [query.include.join(',')] },
              `Related records to send along: ${query.include.join(', ')}.`,
            ),
          ]
        : []),
    ]
  }
  const schema = query as unknown as { properties: Record<string, Json>; required?: string[] }
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: property,
    ...(typeof property['description'] === 'string' ? { description: property['description'] } : {}),
  }))
}

const isList = (query: NonNullable<Endpoint['query']>): query is ListOptions => 'list' in query && query.list === true

function requestBody(endpoint: Endpoint): Json {
  if (endpoint.bodyType === 'upload') {
    const schema = { type: 'object', required: ['logo'], properties: { logo: { type: 'string', format: 'binary' } } }
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
  }
  const schema = endpoint.bodyDocs?.schema ?? endpoint.body
  if (!schema) return {}
  const example = endpoint.bodyDocs?.example ?? endpoint.example
  const content: Json = { schema, ...(example === undefined ? {} : { example }) }
  const types =
    endpoint.bodyType === 'form-or-json'
      ? ['application/json', 'application/x-www-form-urlencoded']
      : ['application/json']
  return { requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, content])) } }
}

function responses(endpoint: Endpoint): Json {
  const { group, returns } = endpoint
  const headers = group.rate ? { headers: rateHeaderRefs } : {}
  const success = { description: 'Success', ...headers, ...contentOf(envelopeSchema(returns)) }
  const answers: Json = { [endpoint.status]: success }
  for (const status of endpoint.otherStatuses) answers[status] = success
  const problem = (status: number, description: string, schema = 'Message') => {
    answers[status] = {
      description,
      ...headers,
      ...contentOf({ $ref: `#/components/schemas/${schema}` } as unknown as TSchema),
    }
  }
  if (endpoint.query || endpoint.body)
    problem(400, 'Malformed request', group.rate === 'token' ? 'OAuthError' : 'Message')
  if (group.caller) {
    problem(401, 'Missing, invalid or expired token')
    problem(403, 'Lacks the scope or permission, or the record belongs to somebody else')
  } else if (group.rate === 'token') problem(401, 'The client is not known', 'OAuthError')
  if (endpoint.find || endpoint.path.includes('{')) problem(404, 'No such record')
  if (endpoint.body && group.rate !== 'token') problem(422, 'A field is missing or wrong', 'ValidationError')
  if (group.rate) problem(429, 'Too many requests in this minute')
  problem(500, 'A mistake of ours')
  problem(503, 'The service, or the shop behind it, cannot answer now; try again after Retry-After')
  return answers
}

const contentOf = (schema: TSchema | null): Json => (schema ? { content: { 'application/json': { schema } } } : {})

function envelopeSchema(returns: Returns): TSchema | null {
  const object = (properties: Json) =>
    ({ type: 'object', required: Object.keys(properties), properties }) as unknown as TSchema
  switch (returns.kind) {
    case 'record':
      return object({ data: returns.schema })
    case 'list':
      return object({ data: { type: 'array', items: returns.schema } })
    case 'page':
      return object({ data: { type: 'array', items: returns.schema }, links: pageLinks, meta: pageMeta })
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
  },
}

const message = { message: { type: 'string' } }
const errorSchemas = {
  Message: { type: 'object', required: ['message'], properties: message, examples: [{ message: 'Unauthenticated.' }] },
  ValidationError: {
    type: 'object',
    required: ['message', 'errors'],
    properties: {
      ...message,
      errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
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

const rateHeaders = {
  'X-RateLimit-Limit': { description: 'Requests allowed in a minute', schema: whole },
  'X-RateLimit-Remaining': { description: 'Requests left in this window', schema: whole },
  'X-RateLimit-Reset': { description: 'When the window ends, in seconds since 1970', schema: whole },
}
const rateHeaderRefs = Object.fromEntries(
  Object.keys(rateHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)

/** The schema of a success body: what the tests hold real answers against. */
export const successSchema = (endpoint: Endpoint) => envelopeSchema(endpoint.returns)
