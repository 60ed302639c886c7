import { type Endpoint, fullPath, type Group, paramNames } from '../endpoint.ts'
import { takesKey } from '../idempotency.ts'
import { type ListOptions, maxSortFields } from '../input/list-query.ts'
import { errorSchemas, type Json, rateHeaders, responses } from './openapi-answers.ts'

export { successSchema } from './openapi-answers.ts'

/** The OpenAPI 3.1 document, read off the endpoints. */

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
  const pathByShape = new Map<string, string>()
  for (const endpoint of endpoints) {
    const own = fullPath(endpoint)
    const shape = own.replace(/\{\w+\}/g, '{}')
    // To OpenAPI two paths that differ only in the names of their parameters are one: the first has chosen the names.
    const path = pathByShape.get(shape) ?? own
    pathByShape.set(shape, path)
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, path) }
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

function operation(endpoint: Endpoint, path: string): Json {
  const { group } = endpoint
  const needs = [
    endpoint.scope && `Scope \`${endpoint.scope}\`.`,
    endpoint.permission && `Permission \`${endpoint.permission}\`.`,
    endpoint.right && endpoint.group.caller === 'user' && `Right \`${endpoint.right}\`.`,
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
    parameters: [...pathParameters(endpoint, path), ...headerParameters(endpoint), ...queryParameters(endpoint.query)],
    ...requestBody(endpoint),
    responses: responses(endpoint),
  }
}

function pathParameters(endpoint: Endpoint, path: string): Json[] {
  const own = paramNames(fullPath(endpoint))
  return paramNames(path).map((name, index) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(own[index] === name ? {} : { description: `The \`${own[index]}\` of this operation` }),
  }))
}

const headerParameters = (endpoint: Endpoint): Json[] => {
  const { admitHeader } = endpoint.group
  const header = (name: string, schema: Json, description: string) => ({ name, in: 'header', schema, description })
  return [
    ...(admitHeader
      ? [{ ...header(admitHeader.name, { type: 'string' }, admitHeader.description), required: true }]
      : []),
    ...(takesKey(endpoint)
      ? [
          header(
            'Idempotency-Key',
            { type: 'string', minLength: 1, maxLength: 255 },
            'Sent again with the same key and body within 24 hours, the request is answered as it was the first time and does nothing more.',
          ),
        ]
      : []),
  ]
}

function queryParameters(query: Endpoint['query']): Json[] {
  if (!query) return []
  if (isList(query)) return listParameters(query)
  const schema = query as unknown as { properties: Record<string, Json>; required?: string[] }
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: property,
    ...(typeof property['description'] === 'string' ? { description: property['description'] } : {}),
  }))
}

function listParameters({ required, changes, filter, sort, include }: ListOptions): Json[] {
  const parameter = (name: string, schema: Json, description: string) => ({ name, in: 'query', schema, description })
  const text = (name: string, example: string, description: string) =>
    parameter(name, { type: 'string', examples: [example] }, description)
  const since =
    'A time, or the `next_cursor` of the page before: answers with what has changed since, oldest change first, with deleted records among them.'
  return [
    parameter('page', { type: 'integer', default: 1, minimum: 1 }, 'Which page.'),
    parameter('per_page', { type: 'integer', default: 15, minimum: 1, maximum: 100 }, 'Records a page.'),
    ...required.map((name) => ({
      ...parameter(name, { type: 'string' }, `Of which ${name.replace(/_id$/, '')} the records are.`),
      required: true,
    })),
    ...(changes ? [text('updated_since', '2026-11-15T10:00:00Z', since)] : []),
    ...filter.map((name) =>
      parameter(name, { type: 'string' }, `Only records with this ${name}; several separated by commas.`),
    ),
    ...(sort.length > 0
      ? [
          text(
            'sort',
            `-${sort.at(-1)}`,
            `One or ${maxSortFields} of ${sort.join(', ')}; a leading minus sorts downwards.`,
          ),
        ]
      : []),
    ...(include.length > 0
      ? [text('include', include.join(','), `Related records to include: ${include.join(', ')}.`)]
      : []),
  ]
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
