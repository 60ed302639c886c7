import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../../test/support/connector-shop.ts'
import { hasSpecifications, noSpecifications, readSample } from '../../../../test/support/vendor-specification.ts'
import type { RemoteAnswer } from '../../../commerce/remote.ts'
import { walmart } from '../index.ts'
import type { Credentials, Settings } from '../settings.ts'
import { webhooks } from './webhooks.ts'

const facts: { shop: string; settings: Settings } = { shop: '100009.walmart.com', settings: {} }
const credentials = { client_id: 'id', client_secret: 'secret', access_token: 'token' }
const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(walmart, { facts, credentials }, answers)

const message = (body: unknown, encoding: 'hex' | 'base64' = 'base64') => {
  const raw = Buffer.from(JSON.stringify(body))
  const signature = createHmac('sha256', 'ours').update(raw).digest(encoding)
  return { method: 'POST', headers: { 'x-walmart-signature': signature }, query: {}, raw }
}

describe('messages', () => {
  test('are believed in either writing of the signature', () => {
    for (const encoding of ['hex', 'base64'] as const) {
      expect(webhooks.verify(message({}, encoding), { registration: ['ours'], client: {} })).toBe(true)
      expect(webhooks.verify(message({}, encoding), { registration: ['theirs'], client: {} })).toBe(false)
    }
  })

  test('are believed by the signature of the whole call, and of no other call', () => {
    const { raw, method, query } = message({ order: 1 })
    const target = '/api/1.0/webhook_callback/walmart/7/key?a=1'
    const digest = createHash('sha256').update(raw).digest('hex')
    const signed = createHmac('sha256', 'ours').update(`POST\n${target}\n1794000000\n${digest}`).digest('base64')
    const headers = { 'wm_sec.timestamp': '1794000000', 'wm_sec.signature': signed }
    const believed = (more: object) =>
      webhooks.verify({ method, query, raw, target, headers, ...more }, { registration: ['ours'], client: {} })
    expect(believed({})).toBe(true)
    expect(believed({ target: '/api/1.0/webhook_callback/walmart/8/key?a=1' })).toBe(false)
    expect(believed({ headers: { ...headers, 'wm_sec.timestamp': '1794000001' } })).toBe(false)
    expect(believed({ raw: Buffer.from('{}') })).toBe(false)
    const sentAt = (time: string) =>
      webhooks.sentAt?.({ method, query, raw, headers: { ...headers, 'wm_sec.timestamp': time } })
    expect(['1794000000', '1794000000000'].map(sentAt)).toEqual([1_794_000_000, 1_794_000_000])
    expect(webhooks.sentAt?.({ method, query, raw, headers: {} })).toBeNull()
  })

  test('tell new orders from wishes and cancellations', () => {
    const read = (subEventType: string) => {
      const source = { eventId: '1', eventType: 'ORDER_UPDATES', eventTime: '2026-10-02T10:00:00.000Z' }
      return webhooks.read(message({ source, payload: { subEventType, order: { purchaseOrderId: '17' } } }), facts)
    }
    expect(read('PO_CREATED')).toEqual({
      ...{ deliveryId: '1', topic: 'order.created', at: '2026-10-02T10:00:00.000000Z' },
      changes: [{ kind: 'order', remoteId: '17', raw: null }],
    })
    for (const word of ['INTENT_TO_CANCEL', 'FRAUD_CANCEL', 'PO_LINE_AUTOCANCELLED', 'SOMETHING_NEW'])
      expect(read(word).topic).toBe('order.updated')
  })

  test.skipIf(!hasSpecifications)(`are understood by the names of Walmart's pages (else: ${noSpecifications})`, () => {
    const sample = message(readSample('walmart/samples/synthetic.webhook.ORDER_UPDATES.json'))
    expect(webhooks.read(sample, facts)).toMatchObject({ changes: [{ remoteId: '1796277083022' }] })
  })
})

test('a subscription that was switched off works again, signed with our secret', async () => {
  if (webhooks.registration.kind !== 'api') throw new Error('Nobody registers.')
  const url = 'https://entrepot.example/hook'
  const one = (status: string) => ({
    body: { events: [{ subscriptionId: '7', eventType: 'ORDER_UPDATES', eventUrl: url, status }] },
  })
  const { shop, asked } = scripted(one('INACTIVE'), {}, one('ACTIVE'))
  const made = await webhooks.registration.register(shop, { url, topics: ['order.created'], secret: 'ours' })
  expect(made).toEqual([{ remoteId: '7', topic: 'ORDER_UPDATES', url, active: true }])
  expect(asked[1]?.request).toMatchObject({
    method: 'PATCH',
    path: '/v3/webhooks/subscriptions/7',
    body: { status: 'ACTIVE', authDetails: { authMethod: 'HMAC', clientSecret: 'ours' } },
  })
})
