import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logIn } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

let server: TestServer
let tenant: TestTenant
const limit = 30

beforeAll(async () => {
  server = await startTestServer({ limit })
  tenant = await makeTenant(server.context)
})

afterAll(() => server.close())

const path = '/api/2.0/user/clients'
const as = (authorization: string) => server.call('GET', path, { headers: { authorization } })

describe('without a valid token', () => {
  test('no token: 401 and how to come back', async () => {
    const { status, json, headers } = await server.call('GET', path)
    expect([status, json, headers['www-authenticate']]).toEqual([401, { message: 'Unauthenticated.' }, 'Bearer'])
  })

  test.each(['', ' ', 'Basic dXNlcjpwYXNz', 'Token abc', 'abc'])('no bearer token in %j: the same', async (value) => {
    const { status, headers } = await as(value)
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
  })

  test.each([
    'Bearer wrong',
    'bearer a.b.c',
    'Bearer',
    'Bearer  ',
    'Bearer a b',
    'Bearer "x"',
    `Bearer ${'x'.repeat(8000)}`,
  ])('a bad one, %.20j: 401 that says so', async (value) => {
    const { status, json, headers } = await as(value)
    expect([status, json]).toEqual([401, { message: 'Unauthenticated.' }])
    expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"')
  })

  test('a token of another kind, too', async () => {
    for (const token of [tenant.appToken, tenant.accountToken]) {
      const { status, headers } = await as(`Bearer ${token}`)
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"'])
    }
  })

  test('is not counted, so it has no rate headers', async () => {
    const { headers } = await as('Bearer wrong')
    expect(headers['x-ratelimit-limit']).toBeUndefined()
  })

  test('a token in the query, the body or a cookie is none', async () => {
    const { userToken: token } = tenant
    const query = await server.call('GET', `${path}?access_token=${token}&token=${token}&api_token=${token}`)
    expect([query.status, query.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    const body = await server.call('POST', path, { body: { access_token: token, name: 'a' } })
    expect(body.status).toBe(401)
    const cookie = await server.call('GET', path, { headers: { cookie: `access_token=${token}` } })
    expect(cookie.status).toBe(401)
  })
})

describe('with one', () => {
  test.each(['Bearer %', 'bearer %', 'BEARER %', '  Bearer   %  '])('%j opens', async (form) => {
    expect((await as(form.replace('%', tenant.userToken))).status).toBe(200)
  })
})

describe('the rate headers', () => {
  test('stand on every counted answer, also on refusals', async () => {
    const fresh = await makeTenant(server.context)
    const answers = [
      await server.call('GET', path, { token: fresh.userToken }),
      await server.call('GET', `${path}/999999999`, { token: fresh.userToken }),
      await server.call('GET', `${path}?sort=nope`, { token: fresh.userToken }),
      await server.call('POST', path, { token: fresh.userToken, body: '{' }),
      await server.call('POST', path, { token: fresh.userToken, body: {} }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 400, 422])
    expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['29', '28', '27', '26', '25'])
    const [first] = answers
    for (const { headers } of answers) {
      expect(headers['x-ratelimit-limit']).toBe(String(limit))
      expect(headers['x-ratelimit-reset']).toBe(first?.headers['x-ratelimit-reset'])
      expect(headers['retry-after']).toBeUndefined()
    }
    const left = Number(first?.headers['x-ratelimit-reset']) - Date.now() / 1000
    expect(left).toBeGreaterThan(50)
    expect(left).toBeLessThanOrEqual(61)
  })

  test('a new token is no new allowance; both versions count together; the 429 says when to come back', async () => {
    const fresh = await makeTenant(server.context)
    const again = await logIn(server.context, fresh.passwordClient, { email: fresh.email })
    const tokens = [fresh.userToken, again.access_token]
    const paths = [path, '/api/1.0/users/information']
    const answers = await Promise.all(
      Array.from({ length: limit + 10 }, (_, index) =>
        server.call('GET', paths[index % 2] ?? path, { token: tokens[(index >> 1) % 2] ?? null }),
      ),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([limit, 10])
    for (const { json, headers } of refused) {
      expect(json).toEqual({ message: 'Too Many Requests' })
      expect(headers['x-ratelimit-remaining']).toBe('0')
      const wait = Number(headers['retry-after'])
      expect(wait).toBeGreaterThan(50)
      expect(Math.abs(Date.now() / 1000 + wait - Number(headers['x-ratelimit-reset']))).toBeLessThan(2)
    }
  })

  test('users, clients and accounts have limits of their own', async () => {
    const fresh = await makeTenant(server.context)
    const answers = [
      await server.call('GET', path, { token: fresh.userToken }),
      await server.call('GET', '/api/2.0/app/accounts', { token: fresh.appToken }),
      await server.call('GET', '/api/2.0/webcomponent/app', { token: fresh.accountToken }),
    ]
    expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['29', '29', '29'])
  })

  test('what needs no token is not counted', async () => {
    for (const open of ['/live', '/docs', '/api/openapi.json', '/.well-known/jwks.json']) {
      expect((await server.call('GET', open)).headers['x-ratelimit-limit']).toBeUndefined()
    }
  })
})

describe('tokens that nobody knows', () => {
  let strict: TestServer
  beforeAll(async () => {
    strict = await startTestServer({ failedLimit: 5 })
  })
  afterAll(() => strict.close())

  test('too many of one address wait; its valid ones go on', async () => {
    const { userToken } = await makeTenant(strict.context)
    const answers = []
    for (let n = 0; n < 8; n++) answers.push(await strict.call('GET', path, { token: `guess-${n}` }))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(50)
    expect((await strict.call('GET', path, { token: userToken })).status).toBe(200)
    expect((await strict.call('GET', path)).status).toBe(401)
  })
})
