import { type Json, listOf, plain, resolve } from './json.ts'
import { bearer, jsonBody } from './tokens.ts'

interface Operation {
  path: string
  method: string
  operation: Json
}

/** Parameters of paths whose values the environment knows. */
const known: Readonly<Record<string, string>> = {
  appId: '{{app_id}}',
  app: '{{app_id}}',
  integrationId: '{{integration_id}}',
  integration: '{{integration_id}}',
  account: '{{account}}',
}

const filled: Readonly<Record<string, string>> = {
  integration_id: '{{integration_id}}',
  'X-Gateway-Key': '{{gateway_key}}',
  'Idempotency-Key': '{{$guid}}',
}

/** One operation as a request. What may be left out is there and switched off. */
export function itemOf(document: Json, { path, method, operation }: Operation): Json {
  const parameters = listOf(operation['parameters']).map((one) => resolve(document, one))
  const given = (place: string) => parameters.filter((one) => one['in'] === place)
  const parts = path
    .slice(1)
    .split('/')
    .map((part) => part.replace(/^\{(\w+)\}$/, ':$1'))
  const query = given('query').map(entryOf)
  const body = bodyOf(document, operation)
  const [security] = listOf(operation['security']).map((one) => Object.keys(plain(one))[0])
  const wanted = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
  return {
    name: operation['summary'],
    request: {
      method: method.toUpperCase(),
      description: operation['description'],
      auth: security === undefined ? { type: 'noauth' } : bearer(`${security}_token`),
      header: [
        { key: 'Accept', value: 'application/json' },
        ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
        ...given('header').map(entryOf),
      ],
      url: {
        raw: `{{base_url}}/${parts.join('/')}${wanted.length === 0 ? '' : `?${wanted.join('&')}`}`,
        host: ['{{base_url}}'],
        path: parts,
        query,
        variable: given('path').map(({ name, description }) => ({
          key: name,
          value: known[String(name)] ?? '',
          ...(description === undefined ? {} : { description }),
        })),
      },
      ...(body ? { body: jsonBody(body.example) } : {}),
    },
  }
}

function entryOf({ name, description, required }: Json) {
  const key = String(name)
  return {
    key,
    value: filled[key] ?? '',
    ...(required === true ? {} : { disabled: true }),
    ...(description === undefined ? {} : { description: String(description) }),
  }
}

/** Null for what is not sent as JSON: a file is chosen by whoever sends it. */
function bodyOf(document: Json, operation: Json): { example: unknown } | null {
  const content = plain(plain(resolve(document, operation['requestBody'])['content'])['application/json'])
  if (Object.keys(content).length === 0) return null
  return { example: content['example'] ?? {} }
}
