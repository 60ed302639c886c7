import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logIn, makeUser } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

/** Of several things that are wrong with a request, the first in this order is answered. */

let server: TestServer
let tenant: TestTenant
let stranger: TestTenant
/** A user of the tenant without any permission. */
let powerless: string
let own: number
let foreign: number

const limit = 40

beforeAll(async () => {
  server = await startTestServer({ limit })
  tenant = await makeTenant(server.context)
  stranger = await makeTenant(server.context)
  const user = await makeUser(server.context, { company_id: tenant.companyId })
  powerless = (await logIn(server.context, tenant.passwordClient, user)).access_token
  own = await createClient(tenant)
  foreign = await createClient(stranger)
})

afterAll(() => server.close())

async function createClient({ userToken }: TestTenant): Promise<number> {
  const { json } = await server.call('POST', '/api/2.0/user/clients', { token: userToken, body: { name: 'Mine' } })
  return (json['data'] as { id: number }).id
}

const put = (id: number | string, token: string | null, body: unknown) =>
  server.call('PUT', `/api/2.0/user/clients/${id}`, { token, body })
const malformed = '{"name":'
const wrong = { name: 5 }

describe('the order of the checks', () => {
  test('404 of the path, then 405, then 401', async () => {
    expect((await server.call('PATCH', '/api/2.0/user/nope', { body: malformed })).status).toBe(404)
    expect((await server.call('PATCH', '/api/2.0/user/clients/1', { body: malformed })).status).toBe(405)
    expect((await put(own, null, malformed)).status).toBe(401)
    expect((await put('nope', 'wrong', malformed)).status).toBe(401)
    expect((await put(own, tenant.appToken, malformed)).status).toBe(401)
  })

  test('403 of the permission before anything about the record', async () => {
    for (const id of [own, foreign, 999_999_999, 'nope']) {
      const { status, json } = await put(id, powerless, malformed)
      expect([status, json]).toEqual([403, { message: 'This action is unauthorized.' }])
    }
  })

  test('404 of the record before its body', async () => {
    for (const body of [malformed, wrong, {}]) {
      const { status, json } = await put(999_999_999, tenant.userToken, body)
      expect([status, json]).toEqual([404, { message: 'Not found.' }])
    }
  })

  test('403 of the owner before the body', async () => {
    for (const body of [malformed, wrong, {}]) {
      const { status, json } = await put(foreign, tenant.userToken, body)
      expect([status, json]).toEqual([403, { message: 'This action is unauthorized.' }])
    }
  })

  test('400 before 422 before success', async () => {
    expect((await put(own, tenant.userToken, malformed)).status).toBe(400)
    expect((await put(own, tenant.userToken, wrong)).status).toBe(422)
    expect((await put(own, tenant.userToken, { name: 'Better' })).status).toBe(200)
  })

  test('429 after 401 and before everything else', async () => {
    const answers = await Promise.all(Array.from({ length: limit }, () => put(own, powerless, wrong)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429]))
    for (const [id, body] of [
      [own, malformed],
      [foreign, wrong],
      [999_999_999, {}],
    ] as const) {
      const { status, json, headers } = await put(id, powerless, body)
      expect([status, json]).toEqual([429, { message: 'Too Many Requests' }])
      expect(headers['x-ratelimit-remaining']).toBe('0')
    }
    expect((await put(own, `${powerless}x`, wrong)).status).toBe(401)
    expect((await server.call('PATCH', '/api/2.0/user/clients/1', { token: powerless })).status).toBe(405)
    // Everybody else goes on.
    expect((await put(own, tenant.userToken, { name: 'Better' })).status).toBe(200)
  })
})
