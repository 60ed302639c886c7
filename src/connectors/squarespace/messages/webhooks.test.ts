import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../../test/support/connector-shop.ts'
import { openImitation } from '../../../../test/support/imitation.ts'
import {
  hasSpecifications,
  noSpecifications,
  readSpecification,
} from '../../../../test/support/vendor-specification.ts'
import { type WantedWebhooks, webhookTopics } from '../../../commerce/connector/webhooks.ts'
import { squarespace } from '../index.ts'
import type { Credentials, Settings } from '../settings.ts'
import { webhooks } from './webhooks.ts'

const secret = '8f1d6b0c4a7e2f3d5c9b8a7e6f5d4c3b2a1908f7e6d5c4b3a2918070f6e5d4c3'

const signed = (raw: Buffer, key: Buffer = Buffer.from(secret, 'hex')) => ({
  method: 'POST',
  headers: { 'squarespace-signature': createHmac('sha256', key).update(raw).digest('hex') },
  query: {},
  raw,
})
const secrets = (...registration: string[]) => ({ registration, client: {} })
const known = {
  facts: { shop: 'ada-cups.squarespace.com', settings: {} },
  credentials: { access_token: 'token', refresh_token: 'again' },
}
const { facts } = known
const message = (change: object) => {
  const body = { id: 'n1', websiteId: 'w1', subscriptionId: 's1', topic: 'order.create', data: { orderId: 'o1' } }
  return signed(Buffer.from(JSON.stringify({ ...body, createdOn: '2026-10-02T10:00:00.123Z', ...change })))
}

describe('messages', () => {
  test('are signed with what the digits of the secret stand for, and not with the digits', () => {
    const delivery = message({})
    expect(webhooks.verify(delivery, secrets('older', secret))).toBe(true)
    expect(webhooks.verify(delivery, secrets(secret.toUpperCase()))).toBe(true)
    expect(webhooks.verify(signed(delivery.raw, Buffer.from(secret)), secrets(secret))).toBe(false)
    expect(webhooks.verify(delivery, secrets(secret.replace('8', '9')))).toBe(false)
    expect(webhooks.verify(delivery, secrets('', 'no digits', 'abc'))).toBe(false)
    expect(webhooks.verify(delivery, secrets())).toBe(false)
    const shorter = { 'squarespace-signature': (delivery.headers['squarespace-signature'] ?? '').slice(0, 62) }
    expect(webhooks.verify({ ...delivery, headers: shorter }, secrets(secret))).toBe(false)
    expect(webhooks.verify({ ...delivery, headers: {} }, secrets(secret))).toBe(false)
  })

  test('of the known shape are understood', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const raw = Buffer.from(readSpecification('squarespace/samples/synthetic.webhook.order.create.json'))
    expect(webhooks.read(signed(raw), facts)).toEqual({
      deliveryId: '5f5a3e1f-0000-4000-8000-000000000001',
      topic: 'order.created',
      changes: [{ kind: 'order', remoteId: '585d498fdee9f31a60284a37', raw: null }],
      at: '2026-10-02T10:00:00.000000Z',
    })
    expect(webhooks.identityOf?.(signed(raw))).toBe('585d498fdee9f31a60284a00')
  })

  test('name an order, our removal, or nothing that we know', () => {
    expect(
      webhooks.read(message({ topic: 'order.update', data: { orderId: 'o2', update: 'CANCELED' } }), facts),
    ).toMatchObject({
      topic: 'order.updated',
      changes: [{ kind: 'order', remoteId: 'o2' }],
    })
    const removed = message({ topic: 'extension.uninstall', data: {} })
    expect(webhooks.read(removed, facts)).toMatchObject({ topic: 'app.uninstalled', changes: [] })
    expect(webhooks.read(message({ topic: 'contact.create' }), facts)).toMatchObject({ topic: null, changes: [] })
    expect(() => webhooks.read(message({ data: {} }), facts)).toThrow(TypeError)
    expect(webhooks.identityOf?.(message({}))).toBe('w1')
    for (const raw of ['', 'no JSON', '{}']) expect(webhooks.identityOf?.(signed(Buffer.from(raw)))).toBeNull()
  })

  test.each([
    ['2020-04-22T22:18+00:00', '2020-04-22T22:18:00.000000Z'],
    ['2020-04-22T22:18Z', '2020-04-22T22:18:00.000000Z'],
    ['2020-04-22T22:18:09.5+02:00', '2020-04-22T20:18:09.500000Z'],
    [null, null],
  ])('were made at %s', (createdOn, at) => {
    expect(webhooks.read(message({ createdOn }), facts).at).toBe(at)
  })
})

describe('subscriptions', () => {
  const url = 'https://entrepot.example/api/1.0/webhook_callback/squarespace/1/x'
  const { registration } = webhooks
  if (registration.kind !== 'api') throw new Error('They are registered by us.')
  const wantedWith = (before: string) => {
    const kept: string[] = []
    const topics = webhookTopics.filter((topic) => webhooks.topics[topic])
    const wanted: WantedWebhooks = { url, topics, secret: before, keepSecret: async (one) => void kept.push(one) }
    return { wanted, kept }
  }
  const open = (credentials?: object) =>
    openImitation<Settings, Credentials>(squarespace, credentials ? { credentials: { ...credentials } } : {})
  const sent = ({ asked }: ReturnType<typeof open>) =>
    asked.filter(({ request }) => request.method === 'POST').map(({ request }) => request.path)

  test('are one for all topics, whose secret is kept before anything else happens', async () => {
    const imitation = open()
    const { wanted, kept } = wantedWith('ours')
    const made = await registration.register(imitation.shop, wanted)
    expect(made.map(({ topic }) => topic).sort()).toEqual(['extension.uninstall', 'order.create', 'order.update'])
    expect(new Set(made.map(({ remoteId }) => remoteId)).size).toBe(1)
    expect(kept).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
    const again = wantedWith(kept[0] ?? '')
    expect(await registration.register(imitation.shop, again.wanted)).toEqual(made)
    expect([again.kept, sent(imitation)]).toEqual([[], ['/1.0/webhook_subscriptions']])
  })

  test('whose secret was lost with the answer get another one, and are not made twice', async () => {
    const imitation = open()
    await registration.register(imitation.shop, wantedWith('ours').wanted)
    const { wanted, kept } = wantedWith('ours')
    await registration.register(imitation.shop, wanted)
    expect(kept).toHaveLength(1)
    expect(sent(imitation)[1]).toMatch(/\/actions\/rotateSecret$/)
    expect(await registration.list(imitation.shop)).toHaveLength(3)
  })

  test.each([
    ['one of theirs', secret, 0],
    ['one of theirs in capitals', secret.toUpperCase(), 0],
    ['one of ours', 'Zq3', 1],
    ['too few digits', secret.slice(0, 30), 1],
    ['half a digit more', `${secret}a`, 1],
    ['something before it', `x${secret}`, 1],
    ['something behind it', `${secret}x`, 1],
  ])('are renewed unless the secret may be theirs: %s', async (_, before, renewals) => {
    const imitation = open()
    await registration.register(imitation.shop, wantedWith('ours').wanted)
    const { wanted, kept } = wantedWith(before)
    await registration.register(imitation.shop, wanted)
    expect(kept).toHaveLength(renewals)
  })

  test('of another address are none of these, and nobody has to keep a secret', async () => {
    const imitation = open()
    const { keepSecret: _, ...elsewhere } = { ...wantedWith('ours').wanted, url: `${url}?integration=2` }
    const [first] = await registration.register(imitation.shop, elsewhere)
    const made = await registration.register(imitation.shop, wantedWith('ours').wanted)
    expect(made.every(({ remoteId, active }) => active && remoteId !== first?.remoteId)).toBe(true)
    expect(await registration.register(imitation.shop, elsewhere)).toHaveLength(3)
    expect(await registration.list(imitation.shop)).toHaveLength(6)
  })

  test('that cannot be removed are told of; one that is gone is removed', async () => {
    const remove = (status: number) =>
      registration.remove(scriptedShop<Settings, Credentials>(squarespace, known, [{ status }]).shop, 's1')
    await expect(remove(403)).rejects.toMatchObject({ message: 'Squarespace does not remove the webhook.' })
    for (const status of [204, 404]) await remove(status)
  })

  test('without topics are for nothing', async () => {
    const body = { webhookSubscriptions: [{ id: 's1', endpointUrl: url, topics: null }] }
    const { shop } = scriptedShop<Settings, Credentials>(squarespace, known, [{ body }])
    expect(await registration.list(shop)).toEqual([])
  })

  test('that lack a topic are widened', async () => {
    const imitation = open()
    const { wanted } = wantedWith(secret)
    await registration.register(imitation.shop, { ...wanted, topics: ['order.created'] })
    const made = await registration.register(imitation.shop, wanted)
    expect(made.map(({ topic }) => topic).sort()).toEqual(['extension.uninstall', 'order.create', 'order.update'])
    expect(await registration.list(imitation.shop)).toEqual(made)
    const ids = made.map(({ remoteId }) => remoteId)
    for (const _ of [1, 2]) await registration.removeAll?.(imitation.shop, ids)
    expect(await registration.list(imitation.shop)).toEqual([])
    expect(imitation.asked.filter(({ request }) => request.method === 'DELETE')).toHaveLength(2)
  })

  test('are not for API keys, which is said without asking', async () => {
    const imitation = open()
    const api_key = imitation.simulator.install.credentials?.['api_key'] ?? ''
    const keyed = { ...imitation.shop, credentials: { api_key } }
    const refusals: string[] = []
    const { wanted } = wantedWith('ours')
    const onRefusal = (topic: string) => void refusals.push(topic)
    expect(await registration.list(keyed)).toEqual([])
    expect(await registration.register(keyed, { ...wanted, onRefusal })).toEqual([])
    expect(refusals).toHaveLength(3)
    await expect(registration.register(keyed, wanted)).rejects.toMatchObject({
      message: expect.stringContaining('connect the site in the browser'),
    })
    expect(imitation.asked).toEqual([])
  })
})
