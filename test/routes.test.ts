import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../src/api/index.ts'
import type { Endpoint } from '../src/runtime/http/endpoint.ts'
import { operationId } from '../src/runtime/http/openapi/openapi.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { impliedEndpoints, specified } from './support/specification.ts'
import { makeWorld, nameOf, pathWith, type World } from './support/world.ts'

/** The live route table, held against the interface specification. */

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await makeWorld(server)
})
afterAll(() => server.close())

const promised = [...specified, ...impliedEndpoints]
const byName = new Map(endpoints.map((endpoint) => [nameOf(endpoint), endpoint]))
/** Both addresses of the token endpoint are the specified one: its tables stand under `/api`, its text says `/oauth`. */
const tokenEndpoints = ['POST /oauth/token', 'POST /api/oauth/token']

describe('the specification', () => {
  test('names 114 endpoints, 33 of them with a scope and 35 with a permission, and implies two more', () => {
    expect(specified).toHaveLength(114)
    expect(new Set(promised.map(({ name }) => name)).size).toBe(116)
    expect(specified.filter(({ scope }) => scope !== null)).toHaveLength(33)
    expect(specified.filter(({ permission }) => permission !== null)).toHaveLength(35)
  })

  test.each(promised.map((each) => [each.name, each] as const))('%s is guarded as it says', (name, each) => {
    const endpoint = byName.get(name)
    // It names no scopes for tokens of users; ours follow from the route.
    const scope = endpoint?.group.caller === 'user' ? null : (endpoint?.scope ?? null)
    expect([scope, endpoint?.permission ?? null]).toEqual([each.scope, each.permission])
    expect(endpoint?.extension ?? false).toBe(false)
  })

  test('takes messages of platforms by POST as well', () => {
    const name = '/api/1.0/webhook_callback/{channel}/{account_id}/{store}'
    expect(byName.get(`POST ${name}`)?.group).toBe(byName.get(`GET ${name}`)?.group)
  })

  test('is all there is but for what is marked as an extension', () => {
    const known = new Set([...promised.map(({ name }) => name), ...tokenEndpoints])
    const others = endpoints.filter((endpoint) => !known.has(nameOf(endpoint)))
    expect(others.filter(({ extension }) => extension !== true).map(nameOf)).toEqual([])
  })

  test('gets its extensions in version 2.0 only, but for what platforms themselves call', () => {
    const late = endpoints.filter(({ extension, group }) => extension === true && group.prefix === '/api/1.0')
    expect(late.map(nameOf)).toEqual([
      'POST /api/1.0/app_callback/{channel}',
      'POST /api/1.0/webhook_callback/{channel}/{account_id}/{store}',
    ])
  })
})

describe('every endpoint', () => {
  const cases = endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const)

  test('has a name of its own', () => {
    expect(byName.size).toBe(endpoints.length)
  })

  test.each(cases)('%s is served, and is the one that answers', async (_, endpoint) => {
    const answer = await server.call(endpoint.method, pathWith(endpoint, numberless(world.params(endpoint))))
    expect(answer.json['message'] ?? '').not.toMatch(/^The (route|\w+ method) /)
    // Without a token each group refuses in its own way, before anything is looked up.
    if (endpoint.group.caller !== null) expect([answer.status, answer.json]).toEqual([401, unauthenticated])
  })

  test('is in the document with a summary, an id, its answers, and an example where it takes a body', async () => {
    const { json } = await server.call('GET', '/api/openapi.json')
    const paths = json['paths'] as Record<string, Record<string, Operation>>
    const operations = new Map(
      Object.values(paths).flatMap((methods) =>
        Object.values(methods).map((each) => [each.operationId, each] as const),
      ),
    )
    for (const endpoint of endpoints) {
      const name = nameOf(endpoint)
      const operation = operations.get(operationId(endpoint))
      expect(operation?.summary, name).toMatch(/^.{6,}$/)
      expect(Object.keys(operation?.responses ?? {}), name).toEqual(expect.arrayContaining(statusesOf(endpoint)))
      const json = operation?.requestBody?.content?.['application/json']
      if (endpoint.body) expect(json?.example, name).toBeDefined()
      const right = endpoint.group.caller === 'user' ? endpoint.right : undefined
      for (const word of [endpoint.scope, endpoint.permission, right]) {
        if (word !== undefined) expect(operation?.description, name).toContain(`\`${word}\``)
      }
    }
    expect(operations.size).toBe(endpoints.length)
  })
})

describe('a fixed word in a path', () => {
  test('/users/information is the current user', async () => {
    const answer = await server.call('GET', '/api/1.0/users/information', { token: world.tenant.userToken })
    expect(data(answer)).toMatchObject({ id: world.tenant.userId })
  })

  test('/services/logos is the list of logos', async () => {
    const answer = await server.call('GET', '/api/1.0/services/logos', { token: world.tenant.userToken })
    expect([answer.status, Array.isArray(answer.json['data'])]).toEqual([200, true])
  })

  test('/orders/acknowledge acknowledges and is no order', async () => {
    const answer = await server.call('POST', '/api/1.0/orders/acknowledge', {
      token: world.tenant.userToken,
      headers: { 'x-gateway-key': world.gatewayKey },
      body: { orders: [world.ids.order] },
    })
    expect([answer.status, answer.json['data']]).toEqual([200, [expect.objectContaining({ acknowledged: true })]])
  })

  test('/app/intent/install asks for the account "install", not for the service "intent"', async () => {
    const ask = () =>
      server.call('POST', '/api/2.0/app/intent/install', {
        token: world.tenant.appToken,
        body: { scopes: ['webcomponent:app-read'] },
      })
    expect((await ask()).status).toBe(404)
    await server.call('POST', '/api/2.0/app/accounts', {
      token: world.tenant.appToken,
      body: { remote_id: 'install' },
    })
    expect(data(await ask())).toMatchObject({ account: { remote_id: 'install' } })
  })

  test('/{resource}/install takes any other word for a service', async () => {
    const body = { name: 'Acme', shop: 'acme.example', credentials: { api_key: 'key' } }
    for (const [path, token] of [
      ['/api/1.0/sandbox/install', world.tenant.userToken],
      ['/api/2.0/app/sandbox/install', world.tenant.appToken],
    ] as const) {
      expect(data(await server.call('POST', path, { token, body }))).toMatchObject({ type: 'sandbox' })
      const unknown = await server.call('POST', path.replace('sandbox', 'integrations'), { token, body })
      expect([unknown.status, unknown.json]).toEqual([404, { message: 'Not found.' }])
    }
  })

  test('/services-type/{serviceType} takes no id', async () => {
    const { accountToken: token } = world.tenant
    const path = '/api/2.0/webcomponent/services-type'
    expect((await server.call('GET', `${path}/sandbox`, { token })).status).toBe(200)
    expect((await server.call('GET', `${path}/${world.ids.service}`, { token })).status).toBe(404)
  })
})

interface Operation {
  summary?: string
  description?: string
  operationId?: string
  responses?: Record<string, unknown>
  requestBody?: { content?: Record<string, { example?: unknown }> }
}

const unauthenticated = { message: 'Unauthenticated.' }

const statusesOf = ({ status, group, body }: Endpoint) => [
  String(status),
  ...(group.caller === null ? [] : ['401', '403', '429']),
  ...(body !== undefined && group.rate !== 'token' ? ['400', '422'] : []),
]

/** Words that are no ids and no types: no route of another endpoint may catch them. */
const numberless = (params: Record<string, string>) =>
  Object.fromEntries(Object.keys(params).map((name) => [name, `any-${name}`]))

const data = ({ json }: { json: Record<string, unknown> }) => json['data']
