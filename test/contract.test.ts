import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../src/api/index.ts'
import { validate } from '../src/lib/validation/validate.ts'
import { type Endpoint, fullPath } from '../src/runtime/http/endpoint.ts'
import { successSchema } from '../src/runtime/http/openapi/openapi.ts'
import { askToken, logIn, makeClient, makeUser } from './support/identity.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { callAs, guarded, makeWorld, nameOf, pathWith, type World, withNeeded } from './support/world.ts'

/** What holds for every endpoint, asked of every endpoint. */

let server: TestServer
let world: World
/** Tokens of the right kinds that may do nothing. */
let powerless: Record<string, string>

beforeAll(async () => {
  server = await startTestServer()
  world = await makeWorld(server)
  const { context } = server
  const { tenant } = world
  const nobody = await makeUser(context, { company_id: tenant.companyId })
  // A client whose ceiling has no scope of any group's: its tokens are of the right kind and open nothing.
  const appClient = await makeClient(context, { app_id: tenant.appId, scopes: [] })
  const app = { grant_type: 'client_credentials', ...appClient }
  powerless = {
    user: (await logIn(context, tenant.passwordClient, nobody)).access_token,
    client: (await askToken(context, app)).access_token,
    account: (await askToken(context, { ...app, account: tenant.remoteId })).access_token,
  }
})
afterAll(() => server.close())

const cases = (list: readonly Endpoint[]) => list.map((endpoint) => [nameOf(endpoint), endpoint] as const)
const unauthenticated = { message: 'Unauthenticated.' }
const unauthorized = { message: 'This action is unauthorized.' }

describe('every guarded endpoint', () => {
  test.each(cases(guarded))('%s without a token is 401', async (_, endpoint) => {
    const answer = await callAs(server, world, endpoint, { token: null })
    expect([answer.status, answer.json]).toEqual([401, unauthenticated])
  })

  test.each(cases(guarded))('%s with a token of another kind is 401', async (_, endpoint) => {
    const { userToken, appToken, accountToken } = world.tenant
    const others = { user: userToken, client: appToken, account: accountToken }
    for (const [kind, token] of Object.entries(others)) {
      if (kind === endpoint.group.caller) continue
      const answer = await callAs(server, world, endpoint, { token })
      expect([kind, answer.status, answer.json]).toEqual([kind, 401, unauthenticated])
    }
  })

  const limited = guarded.filter(({ group, permission, right }) => group.caller !== 'user' || permission || right)
  test.each(cases(limited))('%s without its scope, permission or right is 403', async (_, endpoint) => {
    const token = powerless[endpoint.group.caller ?? ''] ?? null
    const answer = await callAs(server, world, endpoint, { token, body: {} })
    expect([answer.status, answer.json]).toEqual([403, unauthorized])
  })

  test.each(cases(guarded))('%s carries the rate headers', async (_, endpoint) => {
    // With parameters that name nothing: the headers are there whatever the answer is.
    const params = Object.fromEntries(Object.keys(world.params(endpoint)).map((name) => [name, '999999999']))
    const { headers } = await callAs(server, world, endpoint, { params, body: {} })
    expect(Number(headers['x-ratelimit-limit'])).toBe(1_000_000)
    expect(Number(headers['x-ratelimit-remaining'])).toBeLessThan(1_000_000)
    expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThan(1_700_000_000)
  })
})

describe('every endpoint that takes a body', () => {
  const demanding = guarded.filter(({ body }) => requiredFields(body).length > 0)

  test.each(cases(demanding))('%s with an empty body is 422 naming each required field', async (_, endpoint) => {
    const answer = await callAs(server, world, endpoint, { body: {} })
    expect(answer.status).toBe(422)
    const required = requiredFields(endpoint.body)
    expect(Object.keys(answer.json['errors'] as object)).toEqual(expect.arrayContaining(required))
    const [first = ''] = Object.values(answer.json['errors'] as Record<string, string[]>).flat()
    expect(String(answer.json['message']).startsWith(first)).toBe(true)
  })

  test.each(cases(endpoints.filter(({ body, bodyDocs }) => body && !bodyDocs)))(
    '%s shows an example that its own schema takes',
    async (_, endpoint) => {
      expect(endpoint.example).toBeDefined()
      expect(validate(endpoint.body as TSchema, endpoint.example)).toMatchObject({ ok: true })
    },
  )
})

describe('every endpoint that reads', () => {
  const readable = guarded.filter(({ method }) => method === 'GET')

  test.each(cases(readable))('%s answers what its schema says', async (_, endpoint) => {
    const answer = await callAs(server, world, endpoint)
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([endpoint.status, expect.any(String)])
    const schema = successSchema(endpoint)
    if (!schema) return
    const problems = [...Value.Errors(schema, answer.json)].slice(0, 3)
    expect(problems).toEqual([])
  })

  test.each(cases(readable))('%s answers HEAD without a body', async (_, endpoint) => {
    const path = pathWith(endpoint, world.params(endpoint)) + withNeeded('', world.needed(endpoint))
    const answer = await server.call('HEAD', path, {
      token: world.tokenFor(endpoint),
      headers: endpoint.group.admitHeader ? { 'x-gateway-key': world.gatewayKey } : {},
    })
    expect([answer.status, answer.text]).toEqual([endpoint.status, ''])
  })
})

describe('the document', () => {
  test('describes every endpoint in words of its own group', () => {
    for (const endpoint of endpoints) expect(endpoint.summary.length, fullPath(endpoint)).toBeGreaterThan(5)
  })

  test('every endpoint that no token opens says what opens it', () => {
    const open = endpoints.filter(({ group }) => group.caller === null)
    expect(open.filter(({ openBecause }) => !openBecause).map(nameOf)).toEqual([])
  })
})

function requiredFields(schema: TSchema | undefined): string[] {
  const { required } = (schema ?? {}) as { required?: string[] }
  return required ?? []
}
