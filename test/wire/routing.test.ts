import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

let server: TestServer
let tenant: TestTenant

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
})

afterAll(() => server.close())

describe('a path that is not there', () => {
  test.each([
    ['GET', '/api/2.0/nope', 'api/2.0/nope'],
    ['POST', '/api/2.0/nope?token=1', 'api/2.0/nope'],
    ['GET', '/', ''],
    ['GET', '/api/3.0/user/clients', 'api/3.0/user/clients'],
    ['GET', '/api/2.0/user/Clients', 'api/2.0/user/Clients'],
    ['GET', '/api/2.0/user//clients', 'api/2.0/user//clients'],
    ['GET', '/api/2.0/user/clients/1/2', 'api/2.0/user/clients/1/2'],
    ['OPTIONS', '/nope', 'nope'],
    ['DELETE', '/%3Cscript%3E', '%3Cscript%3E'],
  ])('%s %s is 404, whoever asks', async (method, path, name) => {
    for (const token of [null, 'wrong', tenant.userToken]) {
      const { status, json, headers } = await server.call(method, path, { token })
      expect([status, json]).toEqual([404, { message: `The route ${name} could not be found.` }])
      expect(headers['content-type']).toMatch(/^application\/json/)
      expect(headers['www-authenticate']).toBeUndefined()
    }
  })

  test('is a page for people who have mistyped an address, but for the API', async () => {
    const asBrowser = (path: string) => server.call('GET', path, { headers: { accept: 'text/html,*/*' } })
    const page = await asBrowser('/nope')
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.text).toContain('href="/console"')
    expect((await asBrowser('/api/2.0/nope')).headers['content-type']).toMatch(/^application\/json/)
  })

  test('is told before its body is read', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(2 * 1024 * 1024) })
    expect((await server.call('POST', '/api/2.0/nope', { body })).status).toBe(404)
    expect((await server.call('PATCH', '/api/2.0/user/clients', { body })).status).toBe(405)
    const odd = await server.call('POST', '/nope', { body: '{', headers: { 'content-type': 'nonsense' } })
    expect(odd.status).toBe(404)
  })
})

describe('a method that the path does not have', () => {
  test.each([
    ['PATCH', '/api/2.0/user/clients', 'GET, HEAD, POST'],
    ['DELETE', '/api/2.0/user/clients', 'GET, HEAD, POST'],
    ['POST', '/api/2.0/user/clients/5', 'GET, HEAD, PUT, DELETE'],
    ['GET', '/oauth/token', 'POST'],
    ['HEAD', '/oauth/token', 'POST'],
    ['PUT', '/api/oauth/token', 'POST'],
    ['DELETE', '/api/1.0/companies/5', 'GET, HEAD, PUT'],
    ['POST', '/docs', 'GET, HEAD'],
    ['POST', '/api/openapi.json', 'GET, HEAD'],
  ])('%s %s is 405 and names the others', async (method, path, allowed) => {
    const { status, json, headers } = await server.call(method, path)
    expect([status, headers['allow']]).toEqual([405, allowed])
    const text = `The ${method} method is not supported for route ${path.slice(1)}. Supported methods: ${allowed}.`
    if (method !== 'HEAD') expect(json).toEqual({ message: text })
  })

  test('a slash at the end changes neither', async () => {
    const { status, json } = await server.call('PATCH', '/api/2.0/user/clients/')
    expect(status).toBe(405)
    expect(json['message']).toContain('for route api/2.0/user/clients/. Supported')
  })

  test('an override of the method is ignored', async () => {
    const headers = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }
    const list = await server.call('GET', '/api/2.0/user/clients?_method=DELETE', { token: tenant.userToken, headers })
    expect(list.status).toBe(200)
    const body = { _method: 'PATCH', name: 'Kept' }
    const created = await server.call('POST', '/api/2.0/user/clients', { token: tenant.userToken, headers, body })
    expect(created.status).toBe(201)
  })
})

describe('OPTIONS', () => {
  test('plain, on a path that is there: what it can do', async () => {
    const { status, text, headers } = await server.call('OPTIONS', '/api/2.0/user/clients/7')
    expect([status, text, headers['allow']]).toEqual([200, '', 'GET,HEAD,PUT,DELETE'])
  })

  test.each(['/api/2.0/user/clients', '/oauth/token', '/api/1.0/users/information', '/no/such/path'])(
    'as a preflight of %s: 204 without a token, with the headers of the specification',
    async (path) => {
      const { status, text, headers } = await server.call('OPTIONS', path, {
        headers: {
          origin: 'https://shop.test',
          'access-control-request-method': 'DELETE',
          'access-control-request-headers': 'authorization, x-gateway-key',
        },
      })
      expect([status, text]).toEqual([204, ''])
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
        'access-control-allow-headers':
          'Authorization, Content-Type, Accept, X-Requested-With, Idempotency-Key, If-None-Match',
        'access-control-max-age': '600',
        vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
      })
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    },
  )

  test('a preflight is not counted against anybody', async () => {
    const { headers } = await server.call('OPTIONS', '/api/2.0/user/clients', {
      token: tenant.userToken,
      headers: { 'access-control-request-method': 'GET' },
    })
    expect(headers['x-ratelimit-limit']).toBeUndefined()
  })
})

describe('HEAD', () => {
  test('is GET without the body, and behind the same lock', async () => {
    const get = await server.call('GET', '/api/2.0/user/clients', { token: tenant.userToken })
    const head = await server.call('HEAD', '/api/2.0/user/clients', { token: tenant.userToken })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
    expect((await server.call('HEAD', '/api/2.0/user/clients')).status).toBe(401)
    expect((await server.call('HEAD', '/api/2.0/user/clients', { token: tenant.appToken })).status).toBe(401)
  })

  test('is counted like GET', async () => {
    const left = async () => {
      const { headers } = await server.call('HEAD', '/api/2.0/user/clients', { token: tenant.userToken })
      return Number(headers['x-ratelimit-remaining'])
    }
    expect((await left()) - (await left())).toBe(1)
  })
})

describe('the way to a path', () => {
  test('a slash at the end is the same path', async () => {
    const { status, json } = await server.call('GET', '/api/2.0/user/clients/?per_page=3', { token: tenant.userToken })
    expect(status).toBe(200)
    expect(json['links']).toMatchObject({ first: 'https://entrepot.test/api/2.0/user/clients/?per_page=3&page=1' })
  })

  test('fixed names come before parameters', async () => {
    const { status, json } = await server.call('GET', '/api/1.0/users/information', { token: tenant.userToken })
    expect([status, (json['data'] as { id: number }).id]).toEqual([200, tenant.userId])
  })

  test.each(['abc', '0', '-1', '1.0', '1e3', '99999999999999999999', '%F0%9F%98%80', '1%2F2', 'x'.repeat(4000)])(
    'an id that is none is not found: %s',
    async (id) => {
      const { status, json } = await server.call('GET', `/api/2.0/user/clients/${id}`, { token: tenant.userToken })
      expect([status, json]).toEqual([404, { message: 'Not found.' }])
    },
  )

  test.each(['%', '%zz', '%ff', '%ED%A0%80', '%00', 'a%00b'])('an address that is no text is 400: %s', async (id) => {
    const { status, json, headers } = await server.call('GET', `/api/2.0/user/clients/${id}`, {
      token: tenant.userToken,
    })
    expect([status, json]).toEqual([400, { message: 'Bad request.' }])
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'access-control-allow-origin': '*' })
    expect(headers['x-request-id']).toBeDefined()
  })

  test('NUL in the query is 400', async () => {
    const { status } = await server.call('GET', '/api/2.0/user/clients?app_id=%00', { token: tenant.userToken })
    expect(status).toBe(400)
  })
})

describe('every answer', () => {
  test.each([
    ['GET', '/nope'],
    ['PATCH', '/api/2.0/user/clients'],
    ['GET', '/api/2.0/user/clients'],
    ['OPTIONS', '/api/2.0/user/clients'],
    ['POST', '/oauth/token'],
    ['GET', '/live'],
    ['GET', '/docs/start.js'],
    ['GET', '/.well-known/jwks.json'],
  ])('has the headers that keep browsers careful: %s %s', async (method, path) => {
    const { headers } = await server.call(method, path)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'access-control-allow-origin': '*',
    })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
    expect(headers['access-control-expose-headers']).toContain('X-RateLimit-Remaining')
    expect(headers['cache-control']).toBeDefined()
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers['server']).toBeUndefined()
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('has a number of its own, which a caller cannot choose', async () => {
    const headers = { 'x-request-id': 'chosen', 'request-id': 'chosen' }
    const one = await server.call('GET', '/live', { headers })
    const two = await server.call('GET', '/live', { headers })
    expect(one.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(one.headers['x-request-id']).not.toBe(two.headers['x-request-id'])
  })
})
