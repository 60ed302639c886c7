import { describe, expect, test } from 'vitest'
import { facts, open } from '../../../test/support/bigcommerce-shop.ts'
import { type Fields, fieldsOf } from '../../commerce/reading.ts'
import { webhooks } from './webhooks.ts'

describe('messages', () => {
  const raw = Buffer.from(
    '{"scope":"store/order/created","store_id":"1025646","data":{"type":"order","id":250},"hash":"dd70c0976e06b67aaf671e73f49dcb79230ebf9d","created_at":1561479335,"producer":"stores/abc123"}',
  )
  const signature = 'v1,ai73+VR2kiDqw3tIIkPK+nELX4g1PKhkNDLO0Pl64KY='
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1561479335', 'webhook-signature': signature }
  const message = { method: 'POST', headers, query: {}, raw }
  const client = { client_secret: 'app-secret' }

  test('to an app are signed with its secret, over id, time and body', () => {
    const is = (more: Fields) =>
      webhooks.verify(
        { ...message, headers: { ...headers, ...(more as typeof headers) } },
        { registration: [], client },
      )
    expect(is({})).toBe(true)
    const older = `v1,${'A'.repeat(43)}=`
    expect(is({ 'webhook-signature': `${older} ${signature}` })).toBe(true)
    expect(is({ 'webhook-signature': older })).toBe(false)
    expect(is({ 'webhook-signature': `${signature},${signature}` })).toBe(false)
    expect(is({ 'webhook-timestamp': '1561479336' })).toBe(false)
    expect(is({ 'webhook-id': 'msg_2' })).toBe(false)
    expect(is({ 'webhook-signature': signature.slice(3) })).toBe(false)
    expect(webhooks.sentAt?.(message)).toBe(1_561_479_335)
  })

  test('to an API account carry the secret that they were registered with', async () => {
    const { asked, shop } = open({ credentials: { typed: true } })
    if (webhooks.registration.kind !== 'api') return
    const wanted = { url: 'https://entrepot.example/in', topics: ['order.created'] as const, secret: 'ours' }
    await webhooks.registration.register(shop, wanted)
    const body = { headers: { 'x-entrepot-secret': 'ours' }, is_active: true }
    expect(asked.at(-1)?.request).toMatchObject({ method: 'POST', body })
    const shown = (secret: string) => ({ ...message, headers: { ...headers, 'x-entrepot-secret': secret } })
    const secrets = { registration: ['ours'], client }
    expect(webhooks.verify(shown('ours'), secrets)).toBe(true)
    expect(webhooks.sentAt?.(shown('ours'))).toBeNull()
    expect(webhooks.verify(shown('theirs'), secrets)).toBe(false)
    expect(webhooks.verify(shown(''), { registration: [''], client: {} })).toBe(false)
  })

  test('that the platform has switched off are switched on again', async () => {
    const { asked, shop } = open()
    if (webhooks.registration.kind !== 'api') return
    const wanted = { url: 'https://entrepot.example/in', topics: ['order.created'] as const, secret: 'ours' }
    const made = await webhooks.registration.register(shop, wanted)
    expect(fieldsOf(asked.at(-1)?.request.body)['headers']).toBeUndefined()
    const off = { method: 'PUT', path: `/v3/hooks/${made[0]?.remoteId}`, body: { is_active: false } } as const
    await shop.remote.request(off)
    expect(await webhooks.registration.list(shop)).toEqual([{ ...made[0], active: false }])
    expect(await webhooks.registration.register(shop, wanted)).toEqual(made)
    expect(await webhooks.registration.list(shop)).toEqual(made)
  })

  test('name what changed, and are refused if they are of another store', () => {
    expect(webhooks.read(message, facts)).toEqual({
      deliveryId: 'dd70c0976e06b67aaf671e73f49dcb79230ebf9d',
      topic: 'order.created',
      changes: [{ kind: 'order', remoteId: '250', raw: null }],
      at: '2019-06-25T16:15:35.000000Z',
    })
    expect(() => webhooks.read(message, { ...facts, shop: 'store-other.mybigcommerce.com' })).toThrow(TypeError)
  })
})
