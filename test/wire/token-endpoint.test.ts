import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { password } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestAnswer, type TestServer, type TestTenant } from '../support/server.ts'

let server: TestServer
let tenant: TestTenant
let client: { grant_type: string; client_id: number; client_secret: string }

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
  client = { grant_type: 'client_credentials', ...tenant.appClient }
})

afterAll(() => server.close())

const urls = ['/oauth/token', '/api/oauth/token'] as const
const jsonType = 'application/json'
const formType = 'application/x-www-form-urlencoded'

const ask = (body: unknown, headers: Record<string, string> = {}, url: string = urls[0]) =>
  server.call('POST', url, { body, headers })
const form = (fields: Record<string, string | number>) =>
  new URLSearchParams(Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)])).toString()
const basic = (id: string | number, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

const wrongClient = {
  error: 'invalid_client',
  error_description: 'Client authentication failed',
  message: 'Client authentication failed',
}
const malformedText =
  'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.'
const malformed = { error: 'invalid_request', error_description: malformedText, message: malformedText }

describe.each(urls)('POST %s', (url) => {
  test('client credentials as JSON', async () => {
    const { status, json, headers } = await ask(client, {}, url)
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['token_type', 'expires_in', 'access_token'])
    expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 31_536_000 })
    expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    const token = String(json['access_token'])
    expect((await server.call('GET', '/api/2.0/app/accounts', { token })).status).toBe(200)
  })

  test('password grant as a form, and the refresh that follows', async () => {
    const login = { grant_type: 'password', ...tenant.passwordClient, username: tenant.email, password, scope: '' }
    const { status, json } = await ask(form(login), { 'content-type': formType }, url)
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['token_type', 'expires_in', 'access_token', 'refresh_token'])
    const refresh = { grant_type: 'refresh_token', ...tenant.passwordClient, refresh_token: json['refresh_token'] }
    const renewed = await ask(refresh, {}, url)
    expect([renewed.status, renewed.json]).toMatchObject([200, { expires_in: 31_536_000 }])
    const replayed = await ask(refresh, {}, url)
    expect([replayed.status, replayed.json]).toEqual([
      400,
      {
        error: 'invalid_grant',
        error_description: 'The refresh token is invalid.',
        hint: 'Token has been revoked',
        message: 'The refresh token is invalid.',
      },
    ])
  })

  test('the id as text or number, the credentials by HTTP Basic', async () => {
    const { client_id: id, client_secret: secret } = tenant.appClient
    expect((await ask({ ...client, client_id: String(id) }, {}, url)).status).toBe(200)
    const authorization = basic(id, secret)
    const grant = { grant_type: 'client_credentials' }
    expect((await ask(grant, { authorization }, url)).status).toBe(200)
    expect((await ask(form(grant), { authorization, 'content-type': formType }, url)).status).toBe(200)
  })

  test('wrong credentials', async () => {
    const { status, json, headers } = await ask({ ...client, client_secret: 'wrong' }, {}, url)
    expect([status, json]).toEqual([401, wrongClient])
    expect(Object.keys(json)).toEqual(['error', 'error_description', 'message'])
    expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    expect(headers['www-authenticate']).toBeUndefined()
  })

  test('is POST only', async () => {
    const { status, json, headers } = await server.call('GET', `${url}?${form(client)}`)
    expect([status, headers['allow']]).toEqual([405, 'POST'])
    expect(json).toEqual({
      message: `The GET method is not supported for route ${url.slice(1)}. Supported methods: POST.`,
    })
  })
})

describe('a client that failed with an Authorization header hears which scheme', () => {
  const grant = { grant_type: 'client_credentials' }
  test.each([
    ['HTTP Basic', basic(1, 'wrong'), 'Basic realm="OAuth"'],
    ['Bearer', 'Bearer abc', 'Bearer realm="OAuth"'],
    ['anything else', 'Digest x', 'Basic realm="OAuth"'],
  ])('%s', async (_name, authorization, challenge) => {
    const { status, json, headers } = await ask({ ...grant, client_id: '1' }, { authorization })
    expect([status, json, headers['www-authenticate']]).toEqual([401, wrongClient, challenge])
  })

  test('Basic that cannot be read counts as absent', async () => {
    for (const value of ['Basic', 'Basic !!!', `Basic ${Buffer.from('no colon').toString('base64')}`, 'basic abc']) {
      const { status, json } = await ask(grant, { authorization: value })
      expect([status, json['hint']]).toEqual([400, 'Check the `client_id` parameter'])
    }
  })
})

describe('a body that is none', () => {
  test.each(['{', '[1]', '"a"', 'null', '{"grant_type":"\\u0000"}', '\xff'])(
    '%j as JSON: invalid_request',
    async (body) => {
      const { status, json } = await ask(body, { 'content-type': jsonType })
      expect([status, json]).toEqual([400, malformed])
    },
  )

  test.each(['a=1&a=2', 'grant_type=%00', 'grant_type=a&grant_type=b'])(
    '%j as a form: invalid_request',
    async (body) => {
      const { status, json } = await ask(body, { 'content-type': formType })
      expect([status, json]).toEqual([400, malformed])
    },
  )

  test('one that is far too long is invalid_request, and beyond that 413', async () => {
    const long = await ask({ ...client, scope: 'x'.repeat(70_000) })
    expect([long.status, long.json]).toEqual([400, malformed])
    expect((await ask({ ...client, scope: 'x'.repeat(2_000_000) })).status).toBe(413)
  })

  const noGrant = {
    error: 'unsupported_grant_type',
    error_description: 'The authorization grant type is not supported by the authorization server.',
    hint: 'Check that all required parameters have been provided',
    message: 'The authorization grant type is not supported by the authorization server.',
  }

  test('plain text and unnamed bodies are not read', async () => {
    for (const [type, body] of [
      ['text/plain', JSON.stringify(client)],
      ['', form(client)],
    ] as const) {
      const { status, json } = await ask(body, { 'content-type': type })
      expect([status, json]).toEqual([400, noGrant])
    }
  })

  test('parameters in the address are not read', async () => {
    const { status, json } = await server.call('POST', `/oauth/token?${form(client)}`)
    expect([status, json]).toEqual([400, noGrant])
  })
})

describe('every refusal', () => {
  type Refusal = [name: string, body: () => Record<string, string | number>, status: number, error: string]
  const refusals: Refusal[] = [
    ['no grant', () => ({}), 400, 'unsupported_grant_type'],
    ['an unknown grant', () => ({ grant_type: 'implicit' }), 400, 'unsupported_grant_type'],
    ['an inherited name', () => ({ ...client, grant_type: 'constructor' }), 400, 'unsupported_grant_type'],
    ['no client', () => ({ grant_type: 'client_credentials' }), 400, 'invalid_request'],
    ['an unknown client', () => ({ ...client, client_id: 999_999_999 }), 401, 'invalid_client'],
    ['no secret', () => ({ ...client, client_secret: '' }), 401, 'invalid_client'],
    ['an unknown scope', () => ({ ...client, scope: 'nope' }), 400, 'invalid_scope'],
    [
      'a grant of others',
      () => ({ ...client, grant_type: 'password', username: 'a', password: 'b' }),
      400,
      'unauthorized_client',
    ],
    ['no username', () => ({ grant_type: 'password', ...tenant.passwordClient }), 400, 'invalid_request'],
    [
      'a wrong password',
      () => ({ grant_type: 'password', ...tenant.passwordClient, username: tenant.email, password: 'x' }),
      400,
      'invalid_grant',
    ],
    [
      'a refresh token that is none',
      () => ({ grant_type: 'refresh_token', ...tenant.passwordClient, refresh_token: 'x' }),
      400,
      'invalid_grant',
    ],
    ['an intent that is none', () => ({ grant_type: 'intent_token', intent_token: 'x' }), 400, 'invalid_grant'],
  ]
  const onlyInJson: [name: string, body: () => Record<string, unknown>, status: number, error: string][] = [
    ['a grant that is no text', () => ({ ...client, grant_type: ['password'] }), 400, 'unsupported_grant_type'],
    ['a client that is no id', () => ({ ...client, client_id: { a: 1 } }), 400, 'invalid_request'],
    ['a client that is a fraction', () => ({ ...client, client_id: 1.5 }), 400, 'invalid_request'],
    ['a secret that is no text', () => ({ ...client, client_secret: 5 }), 400, 'invalid_request'],
    ['a scope that is no text', () => ({ ...client, scope: 5 }), 400, 'invalid_request'],
  ]

  function expectRefusal(answer: TestAnswer, status: number, error: string) {
    expect([answer.status, answer.json['error']]).toEqual([status, error])
    expect(answer.json['error_description']).toMatch(/\w/)
    expect(answer.json['message']).toBe(answer.json['error_description'])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
  }

  test.each([...refusals, ...onlyInJson])(
    'has error, error_description and message: %s',
    async (_name, body, status, error) => {
      expectRefusal(await ask(body()), status, error)
    },
  )

  test.each(refusals)('is the same for a form: %s', async (_name, body, status, error) => {
    expectRefusal(await ask(form(body()), { 'content-type': formType }), status, error)
  })

  test('of revocation and introspection too', async () => {
    for (const url of ['/oauth/revoke', '/oauth/introspect']) {
      expect(await ask({ ...client, client_secret: 'x', token: 'y' }, {}, url)).toMatchObject({
        status: 401,
        json: wrongClient,
      })
      expect(await ask('{', {}, url)).toMatchObject({ status: 400, json: malformed })
      expect(await ask(client, {}, url)).toMatchObject({ status: 400, json: { error: 'invalid_request' } })
    }
  })
})

describe('the limit of the token endpoint', () => {
  test('counts by address over both addresses of the endpoint, whatever the result', async () => {
    const strict = await startTestServer({ databaseUrl: server.databaseUrl, tokenLimit: 10 })
    const inject = (index: number, remoteAddress: string) =>
      strict.program.http?.inject({
        method: 'POST',
        url: urls[index % 2] ?? '',
        payload: index % 3 === 0 ? { grant_type: 'x' } : client,
        remoteAddress,
      })
    const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => inject(index, '203.0.113.1')))
    const refused = answers.filter((answer) => answer?.statusCode === 429)
    expect(refused).toHaveLength(15)
    for (const answer of refused) {
      expect(answer?.json()).toEqual({ message: 'Too Many Requests' })
      expect(Number(answer?.headers['retry-after'])).toBeGreaterThan(0)
      expect(answer?.headers['x-ratelimit-limit']).toBe('10')
    }
    expect((await inject(1, '203.0.113.2'))?.statusCode).toBe(200)
    // The addresses of one IPv6 network are one.
    const network = await Promise.all(Array.from({ length: 12 }, (_, index) => inject(1, `2001:db8::${index}`)))
    expect(network.filter((answer) => answer?.statusCode === 429)).toHaveLength(2)
    await strict.close()
  })
})
