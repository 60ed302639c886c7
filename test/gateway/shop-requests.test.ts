import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secretPlace } from '../../src/domain/webhooks/subscription.ts'
import { open } from '../../src/lib/secret-box.ts'
import { makeIntegration } from '../support/gateway.ts'
import { type Gateway, openGateway } from './support.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.server.close())

const call: Gateway['call'] = (...asked) => gateway.call(...asked)

describe('webhooks', () => {
  const wanted = { event: 'order.created', url: 'https://hooks.example.com/in' }

  test('show their secret once, and keep it sealed', async () => {
    const { status, data } = await call('POST', '/webhooks', wanted)
    expect([status, data]).toMatchObject([201, { ...wanted, active: true, integration_id: gateway.integration.id }])
    const secret = String(data['secret'])
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const row = await gateway.context.db
      .selectFrom('webhook_subscriptions')
      .select('secret')
      .where('id', '=', Number(data['id']))
      .executeTakeFirstOrThrow()
    expect(row.secret.includes(secret)).toBe(false)
    expect(open(gateway.context.keys, row.secret, secretPlace(Number(data['id'])))).toBe(secret)
  })

  test.each([
    'http://hooks.example.com/in',
    'https://127.0.0.1/in',
    'https://169.254.169.254/latest',
    'https://[::1]/in',
    'https://localhost/in',
    'https://user:password@hooks.example.com/in',
    'javascript:alert(1)',
    'nonsense',
  ])('do not go to %s', async (url) => {
    const { status, errors } = await call('POST', '/webhooks', { ...wanted, url })
    expect([status, errors]).toEqual([422, { url: ['The url field must be a valid URL.'] }])
  })

  test('are for events that there are', async () => {
    expect((await call('POST', '/webhooks', { ...wanted, event: 'order.eaten' })).errors).toEqual({
      event: ['The selected event is invalid.'],
    })
  })

  test('are deleted once, and only by their own integration', async () => {
    const { data } = await call('POST', '/webhooks', wanted)
    const other = await makeIntegration(gateway.context, gateway.tenant)
    expect((await call('DELETE', `/webhooks/${data['id']}`, undefined, other.gatewayKey)).status).toBe(404)
    expect((await call('DELETE', `/webhooks/${data['id']}`)).status).toBe(204)
    expect((await call('DELETE', `/webhooks/${data['id']}`)).status).toBe(404)
  })
})

describe('requests to the shop', () => {
  test('go to the paths that the service allows', async () => {
    const { status, data } = await call('POST', '/services-request', { endpoint: 'orders', query: { limit: 2 } })
    expect([status, data]).toMatchObject([200, { status: 200, body: { total: expect.any(Number) } }])
    const missing = await call('POST', '/services-request', { endpoint: '/orders/none' })
    expect(missing.data).toMatchObject({ status: 404 })
  })

  test.each([{ filter: { status: 'paid' } }, { ids: [1, { of: 2 }] }, { ids: [null] }])(
    'are not sent without what cannot be sent: %j',
    async (query) => {
      const { status, errors } = await call('POST', '/services-request', { endpoint: '/orders', query })
      const name = `query.${Object.keys(query)[0]}`
      expect([status, errors]).toEqual([
        422,
        { [name]: ['A parameter is a text, a number, true or false, or a list of these.'] },
      ])
    },
  )

  test('go nowhere else', async () => {
    const { errors } = await call('POST', '/services-request', { endpoint: '/admin' })
    expect(errors).toEqual({ endpoint: ['The selected endpoint is invalid.'] })
    expect((await call('POST', '/services-request', { endpoint: '/ordersx' })).errors).toHaveProperty('endpoint')
  })

  test.each([
    'https://evil.example/orders',
    '//evil.example/orders',
    '/orders/../admin',
    '/orders/..%2fadmin',
    '/orders/%2e%2e/admin',
    '/orders/%252e%252e/admin',
    '/orders@evil.example',
    '/orders%40evil.example',
    '\\\\evil.example\\orders',
    '/orders\\..\\admin',
    '/orders%5c..%5cadmin',
    '/orders\u0007',
    '/orders%0d%0aHost: evil',
    '/orders //x',
    '/orders#x',
    'http:/evil.example',
    '/orders/%zz',
  ])('do not take %j for a path', async (endpoint) => {
    const { status, errors } = await call('POST', '/services-request', { endpoint })
    expect([status, errors]).toEqual([422, { endpoint: ['The endpoint field format is invalid.'] }])
  })

  test('by the name of a resource', async () => {
    const { status, data } = await call('GET', '/resource/orders?limit=1')
    expect([status, data]).toMatchObject([200, { items: [expect.any(Object)] }])
    for (const name of ['nothing', 'constructor', '__proto__', 'toString']) {
      expect([name, (await call('GET', `/resource/${name}`)).status]).toEqual([name, 404])
    }
  })

  test('are refused while the integration is not active', async () => {
    const { gatewayKey } = await makeIntegration(gateway.context, gateway.tenant, { status: 'INACTIVE' })
    const { status, errors } = await call('POST', '/services-request', { endpoint: '/orders' }, gatewayKey)
    expect([status, errors]).toEqual([422, { status: ['The integration must be active.'] }])
  })
})
