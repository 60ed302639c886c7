import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { webhooks } from './webhooks.ts'

const key = 'a secret of thirty-two bytes, ok'
const secrets = { registration: [], client: { webhook_secret: `whsec_${Buffer.from(key).toString('base64')}` } }
const facts = { shop: '42.etsy.com', settings: { shop_id: 42 } }

const body = {
  event_type: 'order.paid',
  shop_id: 42,
  resource_url: 'https://api.etsy.com/v3/application/shops/42/receipts/54321',
}
const signatureOf = (raw: Buffer, by = key) =>
  createHmac('sha256', by).update('msg_1.1790000000.').update(raw).digest('base64')

function message(fields: object = {}, headers: Record<string, string | undefined> = {}) {
  const raw = Buffer.from(JSON.stringify({ ...body, ...fields }))
  const own = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1790000000',
    'webhook-signature': `v1,${signatureOf(raw)}`,
  }
  const all = Object.entries({ ...own, ...headers }).filter((one): one is [string, string] => one[1] !== undefined)
  return { method: 'POST', headers: Object.fromEntries(all), query: {}, raw }
}

test('the time of sending is signed', () => {
  expect(webhooks.sentAt?.(message())).toBe(1_790_000_000)
})

describe('a signature', () => {
  const right = signatureOf(Buffer.from(JSON.stringify(body)))
  const other = signatureOf(Buffer.from(JSON.stringify(body)), 'another')
  /** As long as one of a key pair. */
  const pair = Buffer.alloc(64, 7).toString('base64')
  const verified = (signature: string | undefined) =>
    webhooks.verify(message({}, { 'webhook-signature': signature }), secrets)

  test('of ours counts, alone or beside that of a secret that is being replaced', () => {
    expect(verified(`v1,${right}`)).toBe(true)
    expect(verified(`v1,${other} v1,${right}`)).toBe(true)
    expect(verified(`v1,${right} v1a,${pair}`)).toBe(true)
  })

  test.each([
    ['of another kind', `v1a,${pair}`],
    ['of another kind beside one of somebody else', `v1,${other} v1a,${pair}`],
    ['of a kind to come', `v2,${right}`],
    ['without its kind', right],
    ['beside something that is none', `v1,${right} nonsense`],
    ['that is shorter', `v1,${right.slice(0, -1)}`],
    ['of somebody else', `v1,${other}`],
    ['that is empty', ''],
    ['that is missing', undefined],
  ])('%s does not', (_, signature) => {
    expect(verified(signature)).toBe(false)
  })

  test('is over id, time and body', () => {
    const signed = { 'webhook-signature': `v1,${right}` }
    expect(webhooks.verify(message({ shop_id: 43 }, signed), secrets)).toBe(false)
    for (const name of ['webhook-id', 'webhook-timestamp']) {
      expect(webhooks.verify(message({}, { ...signed, [name]: '1' }), secrets)).toBe(false)
      expect(webhooks.verify(message({}, { ...signed, [name]: undefined }), secrets)).toBe(false)
    }
  })

  test.each([undefined, 7, '', 'whsec_', key])('is nobody’s where the secret is %j', (webhook_secret) => {
    const client = webhook_secret === undefined ? {} : { webhook_secret }
    expect(webhooks.verify(message(), { registration: [], client })).toBe(false)
  })
})

describe('a message', () => {
  test.each([
    ['order.paid', 'order.created'],
    ['order.shipped', 'order.updated'],
    ['order.delivered', 'order.updated'],
    ['order.canceled', 'order.cancelled'],
  ])('%s is %s', (event_type, topic) => {
    expect(webhooks.read(message({ event_type }), facts)).toEqual({
      deliveryId: 'msg_1',
      topic,
      changes: [{ kind: 'order', remoteId: '54321', raw: null }],
      at: '2026-09-21T14:13:20.000000Z',
    })
  })

  test('of a kind that we do not know changes nothing', () => {
    const read = webhooks.read(
      message({ event_type: 'shop.renamed', resource_url: 'https://api.etsy.com/v3/shops/42' }),
      facts,
    )
    expect(read).toMatchObject({ topic: null, changes: [] })
  })

  test.each(['receipts/0', 'receipts/54321/payments', 'listings/54321'])('that names %s names no order', (end) => {
    expect(() => webhooks.read(message({ resource_url: `https://api.etsy.com/v3/${end}` }), facts)).toThrow(
      'does not say what it is about',
    )
  })

  test('names its shop, and is of no other', () => {
    expect(webhooks.identityOf?.(message())).toBe('42')
    expect(webhooks.identityOf?.({ ...message(), raw: Buffer.from('{') })).toBeNull()
    expect(webhooks.identityOf?.(message({ shop_id: null }))).toBeNull()
    expect(() => webhooks.read(message({ shop_id: 43 }), facts)).toThrow('another shop')
  })
})
