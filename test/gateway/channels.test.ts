import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyHandover, oauth2, typedKeys } from '../../src/commerce/connector/auth.ts'
import { connector } from '../../src/commerce/connector.ts'
import { dueDeliveries } from '../../src/domain/inbound/inbound-work-store.ts'
import { savePlatformClient } from '../../src/domain/services/platform-client-store.ts'
import { object, text } from '../../src/lib/validation/fields.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

/** Platforms that need no network: one by browser, one that posts its keys, one where keys are typed. */
const remote = {
  origin: ({ shop }: { shop: string }) => `https://${shop}`,
  authenticate: <T>(request: T) => request,
  budgets: { default: { capacity: 1, perSecond: 1 } },
}
const settings = object({})
const prove = async () => undefined

const acme = connector({
  type: 'acme',
  name: 'Acme',
  settings,
  auth: oauth2({
    pkce: true,
    client: object({ client_id: text(), client_secret: text() }),
    scopes: ['read', 'write'],
    credentials: object({ token: text() }),
    checkAccess: prove,
    authorizeUrl: ({ shop, state, codeChallenge, scopes, callbackUrl }) =>
      `https://${shop}/authorize?${new URLSearchParams({ state, code_challenge: codeChallenge ?? '', scope: scopes.join(' '), redirect_uri: callbackUrl })}`,
    exchange: async ({ query, codeVerifier }) => ({
      credentials: { token: `${query['code']}-${codeVerifier?.length}` },
      expiresAt: null,
    }),
  }),
  remote,
  webhooks: {
    topics: { 'order.created': ['orders/create'] },
    registration: { kind: 'portal' },
    verify: ({ headers, raw }, { client }) =>
      typeof client['client_secret'] === 'string' &&
      headers['x-acme-signature'] === createHmac('sha256', client['client_secret']).update(raw).digest('hex'),
    read: ({ headers }) => ({
      deliveryId: headers['x-acme-id'] ?? '',
      topic: 'order.created',
      changes: [],
      at: null,
    }),
    handshake: ({ query }) =>
      query['challenge'] ? { status: 200, contentType: 'text/plain', body: query['challenge'] } : null,
  },
})

const wool = connector({
  type: 'wool',
  name: 'Wool',
  settings,
  auth: keyHandover({
    credentials: object({ key: text() }),
    checkAccess: prove,
    authorizeUrl: ({ shop, state }) => `https://${shop}/auth?user_id=${state}`,
    readHandover: (body) => {
      const { user_id: state, key } = body as Record<string, unknown>
      return typeof state === 'string' && typeof key === 'string' ? { state, credentials: { key } } : null
    },
    readReturn: ({ user_id: state, success }) => (state ? { state, allowed: success === '1' } : null),
  }),
  remote,
})

const typed = connector({
  type: 'typed',
  name: 'Typed',
  settings,
  auth: typedKeys({ credentials: object({ key: text() }), checkAccess: prove }),
  remote,
})

let server: TestServer
let tenant: TestTenant
const returnUrl = 'https://app.example.com/done'

beforeAll(async () => {
  server = await startTestServer()
  server.add(acme, wool, typed)
  tenant = await makeTenant(server.context)
  const { db, keys } = server.context
  await db
    .updateTable('apps')
    .set({ return_urls: [returnUrl] })
    .where('id', '=', tenant.appId)
    .execute()
  const { integration } = await makeIntegration(server.context, tenant, { type: 'acme' })
  await savePlatformClient(
    db,
    keys,
    { serviceId: integration.service_id, appId: null },
    {
      client_id: 'us',
      client_secret: 'shh',
    },
  )
})
afterAll(() => server.close())

const make = (type: string) => makeIntegration(server.context, tenant, { type, status: 'PENDING' })

const get = (path: string, gatewayKey?: string, token: string | null = tenant.userToken) =>
  server.call('GET', `/api/1.0${path}`, {
    token: gatewayKey === undefined ? null : token,
    headers: gatewayKey === undefined ? {} : { 'x-gateway-key': gatewayKey },
  })

/** What the sentences of a page follow from, by which it is said in other languages. */
const codesIn = (page: string) =>
  [...page.matchAll(/ data-says="([^"]*)"/g)].map(
    ([, said = '']) => (JSON.parse(said.replaceAll('&#34;', '"')) as { code: string }).code,
  )

/** In the browser with this cookie. */
const comeBack = (path: string, cookie: string) => server.call('GET', `/api/1.0${path}`, { headers: { cookie } })

const statusOf = async (id: number) =>
  (await server.context.db.selectFrom('integrations').select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status

const origin = 'https://entrepot.test'
const begin = async (channel: string, query = '') => {
  const made = await make(channel)
  const answer = await get(`/app_authorization/${channel}${query}`, made.gatewayKey)
  return { ...made, answer, trip: String(answer.headers['location'] ?? '').replace(origin, '') }
}

/** Reads the page, and presses its button. */
async function goOn(trip: string) {
  const page = await server.call('GET', trip)
  const cookie = /^[^;]+/.exec(String(page.headers['set-cookie']))?.[0] ?? ''
  const confirmation = / name="confirmation" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const answer = await server.call('POST', trip, { body: { confirmation }, headers: { cookie } })
  const location = new URL(String(answer.headers['location'] ?? 'https://none.example'))
  const state = location.searchParams.get('state') ?? location.searchParams.get('user_id') ?? ''
  return { page, cookie, confirmation, answer, location, state }
}

async function depart(channel: string, query = '') {
  const begun = await begin(channel, query)
  return { ...begun, ...(await goOn(begun.trip)) }
}

describe('GET /api/1.0/app_authorization/{channel}', () => {
  test('sends the browser to a page that leads on to the platform, with a state and a challenge', async () => {
    const { trip, answer, location, integration, state } = await depart('acme', '?scope=read')
    expect([answer.status, trip]).toEqual([302, `/api/2.0/platforms/trips/${state}`])
    expect(location.host).toBe(integration.shop)
    expect(state).toHaveLength(43)
    expect(location.searchParams.get('code_challenge')).toHaveLength(43)
    expect(location.searchParams.get('scope')).toBe('read')
    expect(location.searchParams.get('redirect_uri')).toBe('https://entrepot.test/api/1.0/app_callback/acme')
    // The address has a state in it, which no cache keeps and no other page sees.
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['referrer-policy']).toBe('no-referrer')
  })

  test('needs token and key', async () => {
    const { gatewayKey } = await make('acme')
    expect((await get('/app_authorization/acme')).status).toBe(401)
    expect((await get('/app_authorization/acme', gatewayKey, null)).status).toBe(401)
    expect((await get('/app_authorization/acme', gatewayKey, tenant.appToken)).status).toBe(401)
    expect((await get('/app_authorization/acme', 'gw_wrong')).status).toBe(403)
  })

  test('is for the channel of the integration', async () => {
    const { gatewayKey } = await make('acme')
    expect((await get('/app_authorization/wool', gatewayKey)).status).toBe(404)
    expect((await get('/app_authorization/nowhere', gatewayKey)).status).toBe(404)
  })

  test('refuses another shop, unknown scopes and addresses that the app has not listed', async () => {
    for (const [query, field] of [
      ['shop=evil.example', 'shop'],
      ['scope=read%20admin', 'scope'],
      ['return_url=https://evil.example/', 'return_url'],
      [`return_url=${returnUrl}x`, 'return_url'],
    ] as const) {
      const { answer } = await begin('acme', `?${query}`)
      expect([query, answer.status, Object.keys(answer.json['errors'] ?? {})]).toEqual([query, 422, [field]])
    }
    expect((await begin('typed')).answer.json['errors']).toHaveProperty('channel')
  })
})

describe('/api/2.0/platforms/trips/{state}', () => {
  test('says which shop is connected to which account of which app, and is shown in no page of others', async () => {
    const { page, integration } = await depart('acme')
    for (const part of [integration.shop, 'Acme', tenant.remoteId, 'Continue to Acme'])
      expect(page.text).toContain(part)
    expect(codesIn(page.text)).toEqual(
      ['connect', 'shop', 'app', 'account', 'account_sees', 'continue', 'not_begun'].map((code) => `page.${code}`),
    )
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect([page.headers['cache-control'], page.headers['referrer-policy']]).toEqual(['no-store', 'no-referrer'])
    expect(page.headers['set-cookie']).toMatch(
      /^entrepot_trip_[0-9a-f]{16}=\w{43}; Path=\/api; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
    )
  })

  test('goes on only from the page itself: a form on another site knows nothing of it', async () => {
    const { trip } = await begin('acme')
    const { cookie, confirmation } = await goOn((await begin('acme')).trip)
    const press = async (body: object, headers: Record<string, string>) =>
      (await server.call('POST', trip, { body, headers })).status
    const own = /^[^;]+/.exec(String((await server.call('GET', trip)).headers['set-cookie']))?.[0] ?? ''
    expect([
      await press({}, {}),
      await press({ confirmation }, {}),
      await press({ confirmation }, { cookie }),
      await press({ confirmation }, { cookie: own }),
      await press({}, { cookie: own }),
    ]).toEqual([401, 401, 401, 401, 401])
    expect((await server.call('GET', '/api/2.0/platforms/trips/guess')).status).toBe(401)
  })
})

describe('GET /api/1.0/app_callback/{channel}', () => {
  test('completes the installation and goes back to the app', async () => {
    const { integration, state, cookie } = await depart('acme', `?return_url=${returnUrl}`)
    const answer = await comeBack(`/app_callback/acme?code=abc&state=${state}`, cookie)
    expect([answer.status, answer.headers['location']]).toEqual([
      302,
      `${returnUrl}?integration_id=${integration.id}&status=ACTIVE`,
    ])
    expect(await statusOf(integration.id)).toBe('ACTIVE')
    expect((await comeBack(`/app_callback/acme?code=abc&state=${state}`, cookie)).status).toBe(401)
  })

  test('shows the integration where there is nowhere to go back to', async () => {
    const { integration, state, cookie } = await depart('acme')
    const answer = await comeBack(`/app_callback/acme?code=of-the-shop&state=${state}`, cookie)
    expect([answer.status, answer.json['data']]).toMatchObject([200, { id: integration.id, status: 'ACTIVE' }])
    expect(answer.text).not.toContain('of-the-shop')
  })

  test('is a page for a browser, whose sentences say what they follow from', async () => {
    const { integration, state, cookie } = await depart('acme')
    const path = `/api/1.0/app_callback/acme?code=abc&state=${state}`
    const arrive = () => server.call('GET', path, { headers: { cookie, accept: 'text/html' } })
    const [arrived, again] = [await arrive(), await arrive()]
    expect([arrived.status, codesIn(arrived.text)]).toEqual([
      200,
      ['page.connected', 'page.is_connected', 'page.close'],
    ])
    expect(arrived.text).toContain(`${integration.shop} is connected to ${tenant.remoteId} in `)
    expect([again.status, codesIn(again.text)]).toEqual([401, ['page.not_connected', 'not_your_trip', 'page.go_back']])
  })

  test('in another browser than the one that set out is 401, and the trip is over', async () => {
    const { integration, state, cookie } = await depart('acme')
    const path = `/app_callback/acme?code=abc&state=${state}`
    const foreign = await depart('acme')
    expect([(await comeBack(path, foreign.cookie)).status, (await comeBack(path, cookie)).status]).toEqual([401, 401])
    expect(await statusOf(integration.id)).toBe('PENDING')
    const { rows } = await server.context.reader.query(
      `select level from integration_logs where integration_id = $1 and event = 'integration.trip_refused'`,
      [integration.id],
    )
    expect(rows).toEqual([{ level: 'warning' }])
  })

  test('is completed by whoever has a token and the key of the integration, and of no other', async () => {
    const { integration, state, gatewayKey } = await depart('acme')
    const path = `/app_callback/acme?code=abc&state=${state}`
    expect((await get(path, (await make('acme')).gatewayKey)).status).toBe(401)
    expect((await get(path, gatewayKey)).json['data']).toMatchObject({ id: integration.id, status: 'ACTIVE' })
  })

  test('without a state that we gave out is 401', async () => {
    const { state } = await depart('acme')
    expect((await get('/app_callback/acme?code=abc')).status).toBe(401)
    expect((await get('/app_callback/acme?code=abc&state=guess')).status).toBe(401)
    expect((await get(`/app_callback/wool?code=abc&state=${state}`)).status).not.toBe(200)
    expect((await get('/app_callback/nowhere?code=abc&state=x')).status).toBe(404)
  })

  test('with token and key shows the integration, but takes no code without a state', async () => {
    const { integration, gatewayKey } = await make('acme')
    expect((await get('/app_callback/acme', gatewayKey)).json['data']).toMatchObject({ id: integration.id })
    expect((await get('/app_callback/acme?code=abc', gatewayKey)).json['errors']).toHaveProperty('state')
    expect((await get('/app_callback/wool', gatewayKey)).status).toBe(404)
  })
})

describe('POST /api/1.0/app_callback/{channel}', () => {
  const post = (body: unknown) => server.call('POST', '/api/1.0/app_callback/wool', { body })

  test('takes the keys of a shop that hands them over, once, and the browser that set out connects it', async () => {
    const { integration, state, cookie } = await depart('wool')
    expect((await post({ user_id: state, key: 'secret-key' })).status).toBe(200)
    expect((await post({ user_id: state, key: 'secret-key' })).status).toBe(401)
    expect(await statusOf(integration.id)).toBe('PENDING')
    expect((await comeBack(`/app_callback/wool?user_id=${state}&success=1`, cookie)).status).toBe(200)
    expect(await statusOf(integration.id)).toBe('ACTIVE')
  })

  test('is 401 without a state of ours', async () => {
    expect((await post({ user_id: 'guess', key: 'k' })).status).toBe(401)
    expect((await post({})).status).toBe(401)
  })
})

describe('/api/1.0/webhook_callback/{channel}/{account_id}/{store}', () => {
  const sign = (body: string) => createHmac('sha256', 'shh').update(body).digest('hex')
  const deliver = (path: string, body: string, headers: Record<string, string>) =>
    server.call('POST', `/api/1.0/webhook_callback/${path}`, { body, headers })

  test('stores a signed message once', async () => {
    const { integration } = await make('acme')
    const path = `acme/${tenant.accountId}/${integration.shop}`
    const body = '{"order":  1}'
    const headers = { 'x-acme-signature': sign(body), 'x-acme-id': 'd1' }
    const first = await deliver(path, body, headers)
    expect([first.status, first.json]).toEqual([200, { data: { received: true, duplicate: false } }])
    expect((await deliver(path, body, headers)).json).toEqual({ data: { received: true, duplicate: true } })
    const [kept] = await dueDeliveries(server.context.db, integration.id, 1)
    expect([kept?.topic, kept?.body.toString()]).toEqual(['order.created', body])
  })

  test('is 401 without a signature, with a wrong one, or for a shop that we do not know', async () => {
    const { integration } = await make('acme')
    const signed = { 'x-acme-signature': sign('{}') }
    for (const [path, body, headers] of [
      [`acme/${tenant.accountId}/${integration.shop}`, '{}', {}],
      [`acme/${tenant.accountId}/${integration.shop}`, '{} ', signed],
      [`acme/0/${integration.shop}`, '{}', signed],
      [`acme/${tenant.accountId}/unknown.example.com`, '{}', signed],
      [`acme/x/${integration.shop}`, '{}', signed],
      [`wool/${tenant.accountId}/${integration.shop}`, '{}', signed],
    ] as const) {
      expect([path, (await deliver(path, body, headers)).status]).toEqual([path, 401])
    }
    expect((await deliver(`nowhere/${tenant.accountId}/${integration.shop}`, '{}', signed)).status).toBe(404)
  })

  test('answers a platform that asks first', async () => {
    const { integration } = await make('acme')
    const answer = await get(`/webhook_callback/acme/${tenant.accountId}/${integration.shop}?challenge=echo`)
    expect([answer.status, answer.text]).toEqual([200, 'echo'])
    expect((await get(`/webhook_callback/acme/${tenant.accountId}/${integration.shop}`)).status).toBe(401)
  })

  test('takes a message from a caller with token and key, for that integration alone', async () => {
    const { integration, gatewayKey } = await make('acme')
    const other = await make('acme')
    const options = { token: tenant.userToken, headers: { 'x-gateway-key': gatewayKey }, body: '{}' }
    const post = (shop: string) =>
      server.call('POST', `/api/1.0/webhook_callback/acme/${tenant.accountId}/${shop}`, options)
    expect((await post(integration.shop)).status).toBe(200)
    expect((await post(other.integration.shop)).status).toBe(404)
  })

  test('takes messages by GET as well, and those with another query are others', async () => {
    const { integration, gatewayKey } = await make('acme')
    const options = { token: tenant.userToken, headers: { 'x-gateway-key': gatewayKey } }
    const get = async (query: string) =>
      (
        await server.call(
          'GET',
          `/api/1.0/webhook_callback/acme/${tenant.accountId}/${integration.shop}?${query}`,
          options,
        )
      ).json
    const answers = [await get('order=1'), await get('order=2'), await get('order=1')]
    expect(answers.map((json) => JSON.stringify(json).includes('"duplicate":true'))).toEqual([false, false, true])
  })
})
