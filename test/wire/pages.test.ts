import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTenant, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

describe('probes', () => {
  test('/live while the process runs', async () => {
    const { status, json } = await server.call('GET', '/live')
    expect([status, json]).toEqual([200, { status: 'ok' }])
  })

  test('/ready while it can work, and no longer when it is about to stop', async () => {
    const other = await startTestServer({ databaseUrl: server.databaseUrl })
    expect(await other.call('GET', '/ready')).toMatchObject({ status: 200, json: { status: 'ok' } })
    other.program.drain()
    expect(await other.call('GET', '/ready')).toMatchObject({ status: 503, json: { status: 'unavailable' } })
    expect((await other.call('GET', '/live')).status).toBe(200)
    await other.close()
  })
})

describe('/metrics', () => {
  test('counts requests by route, not by address', async () => {
    const tenant = await makeTenant(server.context)
    await server.call('GET', '/api/2.0/user/clients/123456', { token: tenant.userToken })
    await server.call('GET', '/some/secret/path')
    const { status, text, headers } = await server.call('GET', '/metrics')
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')])
    expect(text).toMatch(
      /entrepot_http_request_seconds_count\{method="GET",route="\/api\/2.0\/user\/clients\/:id",status="404"\} 1/,
    )
    // What was measured may have any digits.
    const names = text.replace(/ \S+$/gm, '')
    expect(names).not.toMatch(/123456|secret/)
    expect(names).toContain('entrepot_database_connections')
  })

  const missing = { message: 'The route metrics could not be found.' }

  test.each(['x-forwarded-for', 'forwarded', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'])(
    'is not there for a request that came through a proxy (%s)',
    async (name) => {
      const { status, json } = await server.call('GET', '/metrics', { headers: { [name]: '10.0.0.1' } })
      expect([status, json]).toEqual([404, missing])
    },
  )

  const from = (remoteAddress: string) => server.program.http?.inject({ url: '/metrics', remoteAddress })

  test.each(['127.0.0.1', '::ffff:127.0.0.1', '::1'])('is there on the same machine: %s', async (address) =>
    expect((await from(address))?.statusCode).toBe(200),
  )

  test.each(['evil.example', 'evil.example:3000', '127.0.0.1.evil.example', 'a/b'])(
    'is not there under a name that somebody else may have given us: "%s"',
    async (host) => {
      const { status, json } = await server.call('GET', '/metrics', { headers: { host } })
      expect([status, json]).toEqual([404, missing])
    },
  )

  test.each(['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'entrepot'])(
    'is there under a name of this network: %s',
    async (host) => expect((await server.call('GET', '/metrics', { headers: { host } })).status).toBe(200),
  )

  test('is there for who shows its token, from wherever, and not for who shows another', async () => {
    const other = await startTestServer({ databaseUrl: server.databaseUrl, metricsToken: 'figures-please' })
    const ask = (token: string) =>
      other.program.http
        ?.inject({
          url: '/metrics',
          remoteAddress: '203.0.113.9',
          headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '198.51.100.7', host: 'entrepot.test' },
        })
        .then(({ statusCode }) => statusCode)
    expect([await ask('figures-please'), await ask('figures-pleasE')]).toEqual([200, 404])
    expect((await server.call('GET', '/metrics', { token: 'figures-please' })).status).toBe(404)
    await other.close()
  })

  test.each(['203.0.113.9', '172.17.0.1', '10.1.2.3', '2001:db8::1', 'fd00::1', '::ffff:203.0.113.9', '1270.0.0.1'])(
    'is not there elsewhere: %s',
    async (address) => {
      const answer = await from(address)
      expect([answer?.statusCode, answer?.json()]).toEqual([404, missing])
    },
  )
})

describe('the document of the API', () => {
  test('takes as much of an address’s share of pages as twenty others', async () => {
    const other = await startTestServer({ databaseUrl: server.databaseUrl, pageLimit: 22 })
    const ask = async (path: string) => (await other.call('GET', path)).status
    const asked = [
      await ask('/api/openapi.json'),
      await ask('/docs'),
      await ask('/api/openapi.json'),
      await ask('/docs'),
    ]
    expect(asked).toEqual([200, 200, 429, 429])
    await other.close()
  })
})

describe('/docs', () => {
  const sources = (policy: string) =>
    policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name, ...values]) => [name, values] as const)

  test('is a page whose scripts come from here and which can reach nothing else', async () => {
    const { status, text, headers } = await server.call('GET', '/docs')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\//)
    const policy = new Map(sources(String(headers['content-security-policy'])))
    expect(policy.get('default-src')).toEqual(["'none'"])
    for (const [name, values] of policy) {
      for (const value of values)
        expect([name, value]).toEqual([name, expect.stringMatching(/^('(self|none|unsafe-inline)'|data:)$/)])
    }
    expect(policy.get('script-src')).toEqual(["'self'"])
    expect(policy.get('connect-src')).toEqual(["'self'"])
    for (const name of ['base-uri', 'form-action', 'frame-ancestors']) expect(policy.get(name)).toEqual(["'none'"])
  })

  test('serves every script it names', async () => {
    const { text } = await server.call('GET', '/docs')
    const scripts = [...text.matchAll(/<script src="([^"]+)"/g)].map(([, source]) => source ?? '')
    expect(scripts).toEqual(['/docs/scalar.js', '/docs/start.js'])
    for (const source of scripts) {
      const answer = await server.program.http?.inject({ url: source })
      expect([answer?.statusCode, answer?.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
      const packed = answer?.headers['content-encoding'] === 'gzip'
      const script = packed ? gunzipSync(answer?.rawPayload ?? '').toString() : answer?.body
      expect(script).toContain('createApiReference')
    }
  })
})
