import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { webhooks } from './webhooks.ts'

const app = { app_key: 'key1', app_secret: 'secret1' }
const secrets = { registration: [], client: app }
const facts = { shop: 'uslcabcd12', settings: { shop_id: '7494000000000000001' } }

const body = (data: object, type = 1) => ({
  ...{
    type,
    tts_notification_id: '7327112393057371910',
    shop_id: '7494000000000000001',
    timestamp: 1_794_800_000,
    data,
  },
})
const signatureOf = (raw: string, { app_key: key, app_secret: secret } = app) =>
  createHmac('sha256', secret)
    .update(key + raw)
    .digest('hex')

function message(sent: object, signature?: string) {
  const text = JSON.stringify(sent)
  const headers = { authorization: signature ?? signatureOf(text) }
  return { method: 'POST', headers, query: {}, raw: Buffer.from(text) }
}
const sent = body({ order_id: '576400000000000001', order_status: 'AWAITING_SHIPMENT' })
const right = signatureOf(JSON.stringify(sent))

describe('a signature', () => {
  test('is over the key of the app and the body', () => {
    expect(webhooks.verify(message(sent), secrets)).toBe(true)
    expect(webhooks.verify({ ...message(sent), raw: Buffer.from(`${JSON.stringify(sent)} `) }, secrets)).toBe(false)
  })

  test.each([
    ['of another app with the same secret', signatureOf(JSON.stringify(sent), { ...app, app_key: 'key2' })],
    ['with another secret', signatureOf(JSON.stringify(sent), { ...app, app_secret: 'x' })],
    ['in capital letters', right.toUpperCase()],
    ['with a scheme before it', `Bearer ${right}`],
    ['that is shorter', right.slice(0, -2)],
    ['that is empty', ''],
  ])('%s is none', (_, signature) => {
    expect(webhooks.verify(message(sent, signature), secrets)).toBe(false)
  })

  test('of an app of the seller’s own is held against what was typed', () => {
    const { registration } = webhooks
    if (registration.kind !== 'api') throw new Error('They are registered.')
    const own = { app_key: 'own', app_secret: 'shh', refresh_token: 'r' }
    expect(registration.ownSecret?.(own)).toBeNull()
    const kept = registration.ownSecret?.({ ...own, typed: true }) ?? ''
    const theirs = message(sent, signatureOf(JSON.stringify(sent), own))
    expect(webhooks.verify(theirs, { registration: [kept], client: {} })).toBe(true)
    expect(webhooks.verify(theirs, { registration: ['own', 'shh', ' ', ''], client: app })).toBe(false)
  })
})

describe('a message', () => {
  const read = (data: object, type?: number) => webhooks.read(message(body(data, type)), facts)
  const order = (remoteId: string) => ({ kind: 'order', remoteId, raw: null })

  test('names the order, however the event is numbered', () => {
    for (const type of [1, 3, 11, 987])
      expect(read({ order_id: '5764' }, type)).toEqual({
        ...{ deliveryId: '7327112393057371910', topic: 'order.updated', changes: [order('5764')] },
        at: '2026-11-16T03:33:20.000000Z',
      })
  })

  test('of a package names all its orders, each once', () => {
    const package_list = [{ package_id: '1', order_id_list: ['1', '2'] }, { package_id: '2', order_id_list: ['2'] }, {}]
    expect(read({ package_list }, 4)).toMatchObject({ topic: 'shipment.updated', changes: [order('1'), order('2')] })
  })

  test('of a product, of the end, and of what nobody knows', () => {
    expect(read({ product_id: '1728' }, 15)).toMatchObject({
      ...{ topic: 'product.updated', changes: [{ kind: 'product', remoteId: '1728', raw: null }] },
    })
    expect(read({ message: 'Deauthorized.' }, 6)).toMatchObject({ topic: 'app.uninstalled', changes: [] })
    expect(read({ conversation_id: '1' }, 13)).toMatchObject({ topic: null, changes: [] })
  })

  test('belongs to the shop that it names', () => {
    expect(webhooks.identityOf?.(message(sent))).toBe('7494000000000000001')
    expect(webhooks.identityOf?.({ ...message(sent), raw: Buffer.from('{') })).toBeNull()
    const other = { shop: 'x', settings: { shop_id: '7494000000000000002' } }
    expect(() => webhooks.read(message(sent), other)).toThrow('another shop')
    expect(() => webhooks.read(message(sent), { shop: 'x', settings: {} })).toThrow('another shop')
  })

  test.each([
    ['no id', { ...sent, tts_notification_id: '' }],
    ['no time', { ...sent, timestamp: 'now' }],
    ['no list', body({ package_list: 'x' }, 4)],
  ])('with %s is not understood', (_, broken) => {
    expect(() => webhooks.read(message(broken), facts)).toThrow(TypeError)
  })
})
