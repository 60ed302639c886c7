import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { webhooks } from './webhooks.ts'

const ours = generateKeyPairSync('rsa', { modulusLength: 2048 })
const theirs = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = ours.publicKey.export({ format: 'pem', type: 'spki' }).toString()
const secrets = { registration: [], client: { public_key: pem } }
const facts = { shop: '1a2b3c4d-5e6f-4a1b-8c2d-3e4f5a6b7c8d.wix.com', settings: { instance_id: 'instance' } }
const id = '00000001-0000-4000-8000-000000000001'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Made {
  event?: object
  message?: object
  claims?: object
  head?: object
  key?: KeyObject
}

function message({ event = {}, message: told = {}, claims = {}, head = {}, key = ours.privateKey }: Made = {}) {
  const data = JSON.stringify({ id: 'event-1', entityId: id, eventTime: '2026-11-15T10:00:00.000Z', ...event })
  const packed = { eventType: 'wix.ecom.v1.order_approved', instanceId: 'instance', data, ...told }
  const text = `${encoded({ alg: 'RS256', ...head })}.${encoded({ data: JSON.stringify(packed), iat: 1_790_000_000, ...claims })}`
  const raw = Buffer.from(`${text}.${createSign('RSA-SHA256').update(text).sign(key).toString('base64url')}`)
  return { method: 'POST', headers: { 'content-type': 'text/plain' }, query: {}, raw }
}
const textOf = (raw: Buffer) => ({ ...message(), raw })

describe('a signature', () => {
  test('of the app counts, also where the lines of its key have become one', () => {
    expect(webhooks.verify(message(), secrets)).toBe(true)
    const flat = { ...secrets, client: { public_key: pem.replaceAll('\n', '\\n') } }
    expect(webhooks.verify(message(), flat)).toBe(true)
  })

  test('of anybody else, by another algorithm or over something else does not', () => {
    expect(webhooks.verify(message({ key: theirs.privateKey }), secrets)).toBe(false)
    expect(webhooks.verify(message({ head: { alg: 'none' } }), secrets)).toBe(false)
    const [head, body, signature] = message().raw.toString().split('.')
    const forged = `${encoded({ alg: 'HS256' })}.${body}`
    // The public key is no secret: whoever takes it for one believes everybody.
    const mac = createHmac('sha256', pem).update(forged).digest('base64url')
    const other = encoded({ data: '{}', iat: 1 })
    for (const text of [
      `${forged}.${mac}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      `${head}.${other}.${signature}`,
      `${head}.${body}.${signature}.x`,
      '',
      '..',
      `${head}.${body}.${signature}\n`,
    ])
      expect(webhooks.verify(textOf(Buffer.from(text)), secrets)).toBe(false)
  })

  test('that is written in another way is none, although it stands for the same bytes', () => {
    const text = message().raw.toString()
    const bytes = (one: string) => Buffer.from(one.split('.')[2] ?? '', 'base64url')
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const others = [...letters].map((letter) => text.slice(0, -1) + letter).filter((one) => one !== text)
    const same = others.filter((one) => bytes(one).equals(bytes(text)))
    expect(same.length).toBeGreaterThan(0)
    for (const one of same) expect(webhooks.verify(textOf(Buffer.from(one)), secrets)).toBe(false)
  })

  test.each([undefined, 7, '', 'no key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'])(
    'is nobody’s where the key is %j',
    (public_key) => {
      expect(webhooks.verify(message(), { registration: [], client: { public_key } })).toBe(false)
    },
  )

  test('covers the time of sending', () => {
    expect(webhooks.sentAt?.(message())).toBe(1_790_000_000)
    expect(webhooks.sentAt?.(message({ claims: { iat: 'now' } }))).toBeNull()
  })
})

describe('a message', () => {
  const read = (eventType: string, made: Made = {}) =>
    webhooks.read(message({ ...made, message: { eventType } }), facts)

  test.each([
    ['wix.ecom.v1.order_created', 'order.created', 'order'],
    ['wix.ecom.v1.order_approved', 'order.created', 'order'],
    ['wix.ecom.v1.order_updated', 'order.updated', 'order'],
    ['wix.ecom.v1.order_payment_status_updated', 'order.updated', 'order'],
    ['wix.ecom.v1.order_canceled', 'order.cancelled', 'order'],
    ['wix.ecom.v1.fulfillments_updated', 'shipment.updated', 'order'],
    ['wix.stores.catalog.v3.product_created', 'product.updated', 'product'],
    ['wix.stores.catalog.v3.product_updated', 'product.updated', 'product'],
    ['wix.stores.catalog.v3.product_deleted', 'product.deleted', 'product'],
    ['wix.stores.catalog.v3.inventory_item_updated', 'inventory.updated', 'inventory'],
  ])('%s is %s', (eventType, topic, kind) => {
    expect(read(eventType)).toEqual({
      ...{ deliveryId: 'event-1', topic, changes: [{ kind, remoteId: id, raw: null }] },
      at: '2026-11-15T10:00:00.000000Z',
    })
  })

  test('that the app was removed names nothing, and has no number of its own', () => {
    const removed = message({ message: { eventType: 'AppRemoved', data: '{"appId":"us"}' } })
    expect(webhooks.read(removed, facts)).toEqual({
      ...{ deliveryId: 'AppRemoved instance 1790000000', topic: 'app.uninstalled', changes: [] },
      at: '2026-09-21T14:13:20.000000Z',
    })
  })

  test('of a kind that we do not know changes nothing', () => {
    expect(read('wix.ecom.v1.order_framed')).toMatchObject({ topic: null, changes: [] })
  })

  test.each([null, '', '10001', '../x'])('that is about %j is about nothing', (entityId) => {
    expect(() => read('wix.ecom.v1.order_created', { event: { entityId } })).toThrow('what it is about')
  })

  test('names its site, and is of no other', () => {
    expect(webhooks.identityOf?.(message())).toBe('instance')
    for (const raw of ['', 'a.b.c', `${encoded({})}.${encoded({ data: 7 })}.x`])
      expect(webhooks.identityOf?.(textOf(Buffer.from(raw)))).toBeNull()
    expect(() => webhooks.read(message({ message: { instanceId: 'other' } }), facts)).toThrow('another shop')
  })
})
