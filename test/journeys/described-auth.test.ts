import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Definition } from '../../src/commerce/definition/definition.ts'
import { data, errors, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { open, setOff } from '../support/browser.ts'
import { type AskedRequest, type OwnShop, ownService, startOwnShop } from '../support/own-shop.ts'
import { freePort } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

/** Doors that a description can say: several secrets, a login, and both ways of OAuth 2. The shops are on real sockets. */

let server: TestServer
let publicUrl: string
let merchant: Merchant
let shop: OwnShop
beforeAll(async () => {
  const port = await freePort()
  publicUrl = `http://127.0.0.1:${port}`
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'], publicUrl })
  await server.program.http?.listen('127.0.0.1', port)
  merchant = await makeMerchant(server)
})
afterEach(() => shop.close())
afterAll(() => server.close())

let types = 0
async function publish(definition: Definition): Promise<{ type: string; service: Record<string, unknown> }> {
  const type = `own-shop-${++types}`
  const service = data(await merchant.asUser('POST', '/api/1.0/services', { type, name: 'Own', definition }))
  await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: service['id'] })
  return { type, service }
}

const install = (type: string, credentials?: object) =>
  merchant.asApp('POST', `/${type}/install`, {
    ...{ name: type, shop: `${type}.example`, remote_id: merchant.remoteId, settings: { base_url: shop.url } },
    ...(credentials && { credentials }),
  })

async function copied(id: unknown): Promise<void> {
  const runs = async () => rows(await merchant.asApp('GET', `/integrations/${id}/runs`)).map(({ status }) => status)
  await expect.poll(async () => new Set(await runs())).toEqual(new Set(['completed']))
  const { json } = await merchant.asApp('GET', `/orders?integration_id=${id}`)
  expect(json['meta']).toMatchObject({ total: shop.orders.length })
}

const act = (id: unknown, resource: string, fields: object = {}) =>
  merchant.asApp('POST', `/integrations/${id}/action`, { resource, ...fields })

/** Whether a text stands anywhere in what is stored of an integration, or in its log. */
async function isPlain(id: unknown, text: string): Promise<boolean> {
  const { rows: found } = await sql<{ plain: boolean }>`
    select exists (select from credentials where integration_id = ${id} and position(convert_to(${text}, 'UTF8') in sealed) > 0)
      or exists (select from integration_logs l where l.integration_id = ${id} and l::text like ${`%${text}%`}) as plain`.execute(
    server.context.db,
  )
  return found[0]?.plain ?? true
}

describe('several secrets', () => {
  const definition = ownService({
    kind: 'secrets',
    secrets: [
      { name: 'company', label: 'Company number', help: 'Under Settings → Company.' },
      { name: 'api_user' },
      { name: 'api_secret' },
      { name: 'branch', optional: true },
    ],
    send: [
      { in: 'header', name: 'X-Company', value: 'no {company}' },
      { in: 'basic', value: '{api_user}:{api_secret}' },
      { in: 'query', name: 'branch', value: '{branch}' },
    ],
  })
  const right = { company: '4711', api_user: 'we', api_secret: 'tell-nobody-1' }
  const opens = ({ headers }: AskedRequest) =>
    headers['x-company'] === 'no 4711' &&
    headers.authorization === `Basic ${Buffer.from('we:tell-nobody-1').toString('base64')}`

  test('are asked for by their labels, sent where the description says, and sealed', async () => {
    shop = await startOwnShop((request) => (opens(request) ? undefined : { status: 401, body: { message: 'Who?' } }))
    const { type, service } = await publish(definition)
    expect(service).toMatchObject({
      auth_type: 'api_key',
      installed_by: ['keys'],
      credentials_schema: {
        required: ['company', 'api_user', 'api_secret'],
        properties: { company: { title: 'Company number', description: 'Under Settings → Company.' } },
      },
    })
    expect(Object.keys(errors(await install(type, { company: '4711' })))).toEqual([
      'credentials.api_user',
      'credentials.api_secret',
    ])
    const wrong = await install(type, { ...right, api_secret: 'wrong-secret' })
    expect(Object.keys(errors(wrong))).toContain('credentials.api_secret')
    const { id, status } = data(await install(type, right))
    expect(status).toBe('ACTIVE')
    await copied(id)
    expect(shop.asked.every(({ query }) => !('branch' in query))).toBe(true)
    expect(await isPlain(id, 'tell-nobody-1')).toBe(false)
    const { id: other } = data(await install(type, { ...right, branch: 'north' }))
    expect(other).not.toBe(id)
    expect(shop.asked.at(-1)?.query).toMatchObject({ branch: 'north' })
  })

  test('that cannot be sent in a header are refused where they were typed', async () => {
    shop = await startOwnShop()
    const { type } = await publish(definition)
    expect(Object.keys(errors(await install(type, { ...right, company: '4711\r\nX-Admin: 1' })))).toEqual([
      'credentials.company',
    ])
    expect((await install(type, { ...right, company: '四七一一' })).status).toBe(422)
    expect(shop.asked).toEqual([])
  })
})

describe('a login for a token', () => {
  /** A shop whose tokens end when it says so. */
  async function startShop() {
    let [tokens, given] = [new Set<string>(), 0]
    const started = await startOwnShop(({ path, headers, body }) => {
      if (path === '/login') {
        const { user, password } = JSON.parse(body).who
        if (user !== 'we' || password !== 'tell-nobody-2') return { status: 400, body: { message: `Not ${password}` } }
        const token = `token-${++given}`
        tokens.add(token)
        return { status: 200, body: { session: { id: token, seconds: 3600 } } }
      }
      return tokens.has(headers['x-session']?.toString() ?? '') ? undefined : { status: 401, body: {} }
    })
    return { started, logins: () => given, endAll: () => (tokens = new Set()) }
  }
  const definition = ownService({
    kind: 'login',
    secrets: [{ name: 'user' }, { name: 'password', label: 'Password' }],
    login: {
      address: '/login',
      body: [
        { path: 'who.user', value: '{user}' },
        { path: 'who.password', value: '{password}' },
      ],
      token: 'session.id',
      expires_in: 'session.seconds',
    },
    send: [{ in: 'header', name: 'X-Session', value: '{token}' }],
  })
  const right = { user: 'we', password: 'tell-nobody-2' }

  test('is made once for all who ask, again when the shop no longer takes it, and before it ends', async () => {
    const { started, logins, endAll } = await startShop()
    shop = started
    const { type, service } = await publish(definition)
    expect(service).toMatchObject({ credentials_schema: { required: ['user', 'password'] } })
    expect(Object.keys(errors(await install(type, { ...right, password: 'wrong-secret' })))).toEqual([
      'credentials.user',
      'credentials.password',
    ])
    const { id } = data(await install(type, right))
    await copied(id)
    expect(logins()).toBe(1)
    expect([await isPlain(id, 'tell-nobody-2'), await isPlain(id, 'token-1')]).toEqual([false, false])

    endAll()
    const answers = await Promise.all([1, 2, 3, 4].map((n) => act(id, 'get_order', { remote_id: String(100 + n) })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(logins()).toBe(2)

    // A quarter of an hour before it ends it is time for another.
    await sql`update credentials set expires_at = now() + interval '1 minute', updated_at = now() - interval '1 hour'
      where integration_id = ${id}`.execute(server.context.db)
    expect((await act(id, 'get_order', { remote_id: '101' })).status).toBe(200)
    expect(logins()).toBe(3)
    expect((await act(id, 'get_order', { remote_id: '101' })).status).toBe(200)
    expect(logins()).toBe(3)
  })

  test('is tried without a word of what was typed', async () => {
    const { started } = await startShop()
    shop = started
    const tried = (credentials: object) =>
      merchant.asUser('POST', '/services/try', {
        definition,
        settings: { base_url: shop.url },
        credentials,
        whole: true,
      })
    const report = await tried(right)
    expect(data(report)).toMatchObject({ ok: true, mistakes: [] })
    expect(data(report)['requests']).toContainEqual({ method: 'POST', path: '/login', status: 200 })
    const refused = await tried({ ...right, password: 'wrong-secret' })
    expect(data(refused)).toMatchObject({ ok: false, steps: [{ state: 'ok' }, { name: 'access', state: 'failed' }] })
    for (const { text } of [report, refused]) expect(text).not.toMatch(/tell-nobody|wrong-secret|token-\d/)
  })

  test('that brings no token says where it was looked for', async () => {
    shop = await startOwnShop(({ path }) => (path === '/login' ? { status: 200, body: { session: {} } } : undefined))
    const { type } = await publish(definition)
    const answer = await install(type, right)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('session.id')
  })
})

describe('OAuth 2', () => {
  const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

  test('with client credentials: a token for the id and secret of the merchant, renewed once it is refused', async () => {
    let [current, given] = ['', 0]
    shop = await startOwnShop(({ path, headers, body }) => {
      if (path === '/oauth/token') {
        const form = Object.fromEntries(new URLSearchParams(body))
        const isRight =
          headers.authorization === basic('acme', 'tell-nobody-3') &&
          form['grant_type'] === 'client_credentials' &&
          form['scope'] === 'orders stock' &&
          form['audience'] === 'shop'
        if (!isRight) return { status: 401, body: { error: 'invalid_client' } }
        current = `access-${++given}`
        return { status: 200, body: { access_token: current, expires_in: 3600, token_type: 'bearer' } }
      }
      return headers.authorization === `Bearer ${current}` ? undefined : { status: 401 }
    })
    const { type } = await publish(
      ownService({
        kind: 'client_credentials',
        oauth: {
          ...{ token_address: `${shop.url}/oauth/token`, client_in: 'basic', scopes: ['orders', 'stock'] },
          parameters: [{ name: 'audience', value: 'shop' }],
        },
      }),
    )
    expect(Object.keys(errors(await install(type, { client_id: 'acme', client_secret: 'no' })))).toEqual([
      'credentials.client_id',
      'credentials.client_secret',
    ])
    const { id } = data(await install(type, { client_id: 'acme', client_secret: 'tell-nobody-3' }))
    await copied(id)
    expect(given).toBe(1)
    current = 'withdrawn'
    expect((await act(id, 'get_order', { remote_id: '101' })).status).toBe(200)
    expect(given).toBe(2)
    expect(await isPlain(id, 'tell-nobody-3')).toBe(false)
  })

  test('with an authorization code: the merchant agrees at the service, and tokens are refreshed', async () => {
    let [current, refresh, challenge, given] = ['', '', '', 0]
    shop = await startOwnShop(({ path, headers, body, query }) => {
      if (path === '/oauth/authorize') {
        challenge = query['code_challenge'] ?? ''
        const back = new URL(query['redirect_uri'] ?? '')
        back.search = new URLSearchParams({ code: 'once', state: query['state'] ?? '' }).toString()
        return { status: 302, headers: { location: back.href } }
      }
      if (path === '/oauth/token') {
        const form = Object.fromEntries(new URLSearchParams(body))
        const isRight =
          form['client_id'] === 'entrepot' &&
          form['client_secret'] === 'tell-nobody-4' &&
          (form['grant_type'] === 'refresh_token'
            ? form['refresh_token'] === refresh
            : form['code'] === 'once' && form['code_verifier'] !== undefined && challenge !== '')
        if (!isRight) return { status: 400, body: { error: 'invalid_grant' } }
        current = `access-${++given}`
        refresh = `refresh-${given}`
        return { status: 200, body: { access_token: current, refresh_token: refresh, expires_in: 3600 } }
      }
      return headers.authorization === `Bearer ${current}` ? undefined : { status: 401 }
    })
    const { type, service } = await publish(
      ownService({
        kind: 'authorization_code',
        oauth: { authorize_address: '/oauth/authorize', token_address: '/oauth/token', scopes: ['orders'] },
      }),
    )
    expect(service).toMatchObject({ auth_type: 'oauth2', installed_by: ['browser'] })
    const client = { client_id: 'entrepot', client_secret: 'tell-nobody-4' }
    await merchant.asUser('PUT', `/api/1.0/services/${service['id']}`, { client })
    const { id, status, authorization_url: address } = data(await install(type))
    expect(status).toBe('PENDING')
    const atService = await setOff(String(address))
    const arrived = await open(atService.location ?? '')
    expect(arrived.status).toBe(200)
    expect(data(await merchant.asApp('GET', `/integrations/${id}`))).toMatchObject({ status: 'ACTIVE' })
    await copied(id)
    current = 'withdrawn'
    expect((await act(id, 'get_order', { remote_id: '101' })).status).toBe(200)
    expect(given).toBe(2)
    // The code is used up, and so is the state.
    expect((await open(atService.location ?? '')).status).toBe(404)
  })

  test('a state of nobody opens nothing, and says nothing of which services there are', async () => {
    shop = await startOwnShop()
    const { type } = await publish(
      ownService({
        kind: 'authorization_code',
        oauth: { authorize_address: '/oauth/authorize', token_address: '/oauth/token' },
      }),
    )
    for (const channel of [type, 'no-such-service']) {
      const back = await open(`${publicUrl}/api/1.0/app_callback/${channel}?state=made-up&code=x`)
      expect(back.status).toBe(404)
    }
  })
})
