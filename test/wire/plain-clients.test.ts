import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { data, errors, freshShop, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { makeClient, makeUser, password } from '../support/identity.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

/** What clients send and expect that were written against the specification alone, in PHP and Python. */

let server: TestServer
let merchant: Merchant
beforeAll(async () => {
  server = await startTestServer()
  merchant = await makeMerchant(server)
})
afterAll(() => server.close())

const json = { 'content-type': 'application/json' }

describe('an empty body from PHP, which is []', () => {
  test('is an object without fields', async () => {
    const answer = await server.call('POST', '/api/1.0/integrations', {
      token: merchant.userToken,
      body: '[]',
      headers: json,
    })
    expect([answer.status, Object.keys(errors(answer)).sort()]).toEqual([422, ['name', 'service_id', 'shop', 'type']])
  })

  test.each(['[1]', '[{}]', '"[]"'])('%s is none', async (body) => {
    const answer = await server.call('POST', '/api/1.0/integrations', {
      token: merchant.userToken,
      body,
      headers: json,
    })
    expect([answer.status, answer.json]).toEqual([400, { message: 'Malformed JSON.' }])
  })
})

test('version 1.0 announces no date of its end, and says where the way leads', async () => {
  const { status, headers } = await server.call('GET', '/api/1.0/apps', { token: merchant.userToken })
  expect([status, headers['deprecation'], headers['sunset']]).toEqual([200, undefined, undefined])
  expect(headers['link']).toContain('migrate-1-to-2')
})

describe('the token endpoint', () => {
  const form = (fields: Record<string, string>, boundary = 'x') => ({
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${Object.entries(fields)
      .map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('')}--${boundary}--\r\n`,
  })

  test('takes forms in several parts', async () => {
    const client = await makeClient(server.context, { grant_types: ['password'] })
    const fields = {
      grant_type: 'password',
      client_id: String(client.client_id),
      client_secret: client.client_secret,
      username: (await makeUser(server.context)).email,
      password,
    }
    const answer = await server.call('POST', '/oauth/token', form(fields))
    expect(answer.json).toMatchObject({ token_type: 'Bearer' })
    const broken = await server.call('POST', '/oauth/token', { ...form(fields), body: '--x\r\nbroken' })
    expect([broken.status, broken.json['error']]).toEqual([400, 'invalid_request'])
  })

  test('gives nothing to the client of an app that is gone, until its owner gives it another', async () => {
    const other = await makeMerchant(server)
    const wanted = { name: 'Desk', grant_types: ['client_credentials'], scopes: ['app:integration-read'] }
    const made = data(await other.asUser('POST', '/clients', { ...wanted, app_id: other.appId }))
    const client = { client_id: made['id'], client_secret: made['secret'] }
    const ask = () =>
      server.call('POST', '/oauth/token', { body: { grant_type: 'client_credentials', ...client }, headers: json })
    expect((await ask()).status).toBe(200)
    expect((await other.asUser('DELETE', `/apps/${other.appId}`)).status).toBe(204)
    expect((await ask()).json).toMatchObject({ error: 'invalid_client' })
    // So it stays in the list, for whoever can do either.
    const { id: next } = data(await other.asUser('POST', '/apps', { name: 'Next' }))
    expect((await other.asUser('PUT', `/clients/${made['id']}`, { app_id: next })).status).toBe(200)
    expect((await ask()).status).toBe(200)
  })
})

test('related records may be named with spaces between', async () => {
  const answer = await merchant.asApp('GET', '/integrations?include=service,%20schedules,%20logs&sort=%20-id')
  expect(answer.status).toBe(200)
})

test('all logos are those of all services that show one', async () => {
  const shown = rows(await merchant.asUser('GET', '/api/1.0/services?per_page=100')).filter(({ logo }) => logo !== null)
  const logos = rows(await merchant.asUser('GET', '/api/1.0/services/logos'))
  expect(shown.length).toBeGreaterThan(10)
  expect(logos.map(({ type, logo }) => [type, logo])).toEqual(shown.map(({ type, logo }) => [type, logo]))
})

test('a service names what of its shops can be asked for', async () => {
  const { capabilities } = data(await merchant.asUser('GET', '/api/1.0/services/shopify'))
  const { resources } = capabilities as { resources: string[] }
  expect(resources).toContain('orders')
})

describe('an integration of version 1.0', () => {
  const body = (more: object = {}) => ({ name: 'Acme', shop: freshShop(), type: 'sandbox', ...more })
  const keys = { api_key: 'sandbox' }
  const v1 = (method: string, path: string, sent?: object) =>
    merchant.asUser(method, `/api/1.0/integrations${path}`, sent)

  test('is active with credentials that the shop takes, and not made with others', async () => {
    expect(data(await v1('POST', '', body({ credentials: keys })))).toMatchObject({ status: 'ACTIVE' })
    const shop = freshShop()
    const refused = await v1('POST', '', body({ shop, credentials: { api_key: 'bad' } }))
    expect([refused.status, Object.keys(errors(refused))]).toEqual([422, ['credentials.api_key']])
    expect(rows(await v1('GET', '?per_page=100')).filter((one) => one['shop'] === shop)).toEqual([])
  })

  test('is completed with credentials, and changed by nothing that the shop does not take', async () => {
    const { id } = data(await v1('POST', '', body()))
    const refused = await v1('PUT', `/${id}`, { name: 'Other', credentials: { api_key: 'bad' } })
    expect(refused.status).toBe(422)
    expect(data(await v1('GET', `/${id}`))).toMatchObject({ name: 'Acme', status: 'PENDING' })
    expect(data(await v1('PUT', `/${id}`, { name: 'Other', credentials: keys }))).toMatchObject({
      name: 'Other',
      status: 'ACTIVE',
    })
  })

  test('does not become active by a word', async () => {
    const made = data(await merchant.asApp('POST', '/integrations', body()))
    const move = (status: string) =>
      merchant.asApp('PATCH', `/integrations/${made['integrationKey']}/status`, { status })
    const refusal = { status: ['The integration has no credentials yet: complete its installation first.'] }
    const refused = await move('ACTIVE')
    expect([refused.status, errors(refused)]).toEqual([422, refusal])
    for (const status of ['UNINSTALLED', 'PENDING']) expect((await move(status)).status).toBe(200)
    expect(errors(await move('ACTIVE'))).toEqual(refusal)
  })
})

test('whoever brings a token to a channel is counted as everywhere else', async () => {
  const limited = await startTestServer({ limit: 3 })
  try {
    const { userToken, asUser } = await makeMerchant(limited)
    const path = '/api/1.0/app_authorization/sandbox'
    const window = await limited.call('GET', path, { token: userToken })
    expect(window.headers['x-ratelimit-limit']).toBe('3')
    for (const _ of [1, 2, 3]) await asUser('GET', '/api/1.0/users/information')
    const over = await limited.call('GET', path, { token: userToken })
    expect([over.status, over.json]).toEqual([429, { message: 'Too Many Requests' }])
    // Platforms and browsers have no token.
    expect((await limited.call('GET', path)).status).toBe(401)
  } finally {
    await limited.close()
  }
})
