import { describe, expect, test } from 'vitest'
import { openImitation } from '../../../test/support/imitation.ts'
import { hmac } from '../../lib/hmac.ts'
import { woocommerce } from './index.ts'
import { webhooks } from './webhooks.ts'

const facts = { shop: 'tea.example', settings: {} }

describe('messages', () => {
  const secrets = { registration: ['ours'], client: {} }
  const delivery = (record: object, topic = 'order.updated') => {
    const raw = Buffer.from(JSON.stringify(record))
    const signature = hmac(raw, 'ours', 'base64')
    const headers = {
      'x-wc-webhook-topic': topic,
      'x-wc-webhook-delivery-id': 'same',
      'x-wc-webhook-signature': signature,
    }
    return { method: 'POST', headers, query: {}, raw }
  }

  test('of the same webhook in the same second have one id there, and two here', () => {
    const [one, other] = [{ id: 1 }, { id: 2 }].map((record) => webhooks.read(delivery(record), facts).deliveryId)
    expect(one).not.toBe(other)
    expect(webhooks.read(delivery({ id: 1 }), facts).deliveryId).toBe(one)
  })

  test('about something deleted name it and bring nothing', () => {
    expect(webhooks.read(delivery({ id: 5 }, 'order.deleted'), facts)).toMatchObject({
      topic: 'order.updated',
      changes: [{ kind: 'order', remoteId: '5', raw: null }],
    })
    expect(webhooks.read(delivery({ id: 6 }, 'product.deleted'), facts)).toMatchObject({
      topic: 'product.deleted',
      changes: [{ kind: 'product', remoteId: '6', raw: null }],
    })
  })

  test('about a variation are about its product', () => {
    const variation = { id: 55, type: 'variation', parent_id: 50 }
    expect(webhooks.read(delivery(variation, 'product.updated'), facts)).toMatchObject({
      changes: [{ kind: 'product', remoteId: '50', raw: null }],
    })
  })

  test('do not bring an order with refunds, of which they report the sum alone', () => {
    const record = { id: 5, status: 'processing', refunds: [{ id: 9, total: '-1.00' }] }
    expect(webhooks.read(delivery(record), facts).changes[0]?.raw).toBeNull()
  })

  test('bring the order, unless it has parcels, which no message reports', () => {
    const deliver = (record: object) =>
      webhooks.read(delivery({ id: 5, status: 'processing', ...record }), facts).changes[0]?.raw
    expect(deliver({})).toMatchObject({ id: 5 })
    const noted = (value: string) => ({ meta_data: [{ id: 1, key: '_fulfillment_status', value }] })
    expect(deliver(noted('no_fulfillments'))).toMatchObject({ id: 5 })
    for (const value of ['unfulfilled', 'partially_fulfilled', 'fulfilled']) expect(deliver(noted(value))).toBeNull()
  })

  test('that only ping are answered without a signature; others never are', () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const ping = { method: 'POST', headers: form, query: {}, raw: Buffer.from('webhook_id=17') }
    expect(webhooks.handshake?.(ping, secrets)).toMatchObject({ status: 200 })
    for (const raw of ['webhook_id=17&status=completed', 'webhook_id=x', '{"id":1}']) {
      expect(webhooks.handshake?.({ ...ping, raw: Buffer.from(raw) }, secrets)).toBeNull()
    }
    expect(webhooks.handshake?.({ ...ping, headers: { 'content-type': 'application/json' } }, secrets)).toBeNull()
  })

  test('are signed as a known one is', () => {
    // printf '{"id":1}' | openssl dgst -sha256 -hmac key -binary | base64
    const headers = { 'x-wc-webhook-signature': 'yVxqfCx8dh6YTGjPZLS8qT8HJCkAqv27Mo07t1qw3LA=' }
    const known = { method: 'POST', headers, query: {}, raw: Buffer.from('{"id":1}') }
    expect(webhooks.verify(known, { registration: ['key'], client: {} })).toBe(true)
    expect(webhooks.verify(known, { registration: ['yek'], client: {} })).toBe(false)
  })

  test('that the platform has switched off are switched on again, not made twice', async () => {
    const { shop, asked } = openImitation(woocommerce)
    const registration = webhooks.registration
    if (registration.kind !== 'api') throw new Error('They are registered by us.')
    const open = shop as Parameters<typeof registration.list>[0]
    const wanted = { url: 'https://us.example/hook', topics: ['order.updated' as const], secret: 'ours' }
    const made = await registration.register(open, wanted)
    const [first] = made
    await shop.remote.request({
      method: 'PUT',
      path: `/wp-json/wc/v3/webhooks/${first?.remoteId}`,
      body: { status: 'disabled' },
    })
    expect((await registration.list(open)).filter(({ active }) => active)).toHaveLength(made.length - 1)
    asked.length = 0
    expect(await registration.register(open, wanted)).toEqual(made)
    expect(asked.map(({ request }) => request).filter(({ method }) => method !== 'GET')).toMatchObject([
      { method: 'PUT', body: { status: 'active', secret: 'ours' } },
    ])
  })
})
