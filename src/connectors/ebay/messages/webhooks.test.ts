import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openReceiver } from '../../../../test/simulator/receiver.ts'
import { scriptedShop } from '../../../../test/support/connector-shop.ts'
import { openImitation } from '../../../../test/support/imitation.ts'
import { hasSpecifications, noSpecifications, readSample } from '../../../../test/support/vendor-specification.ts'
import type { Delivery } from '../../../commerce/connector/webhooks.ts'
import type { Fields } from '../../../commerce/reading.ts'
import type { RemoteAnswer } from '../../../commerce/remote.ts'
import { ebay } from '../index.ts'
import type { Credentials, Settings } from '../settings.ts'
import { webhooks } from './webhooks.ts'

const facts = { shop: 'ada-antiques.ebay.com', settings: {} }
const credentials = { access_token: 'token', refresh_token: 'again' }
const client = { client_id: 'Ada-PRD-1', client_secret: 'PRD-2', ru_name: 'Ada-Shop-abc' }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(ebay, { facts, credentials }, answers)

describe('messages', () => {
  interface Fixture {
    signature: string
    message: unknown
    response: Fields | null
    public_key: string
  }
  const deliveryOf = ({ signature, message }: Fixture): Delivery => ({
    method: 'POST',
    headers: { 'x-ebay-signature': signature },
    query: {},
    raw: Buffer.from(JSON.stringify(message)),
  })
  const keyFrom = async (body: Fields | null) =>
    await webhooks.publicKey?.ask(scripted({ body: { access_token: 'app' } }, { body }).shop.remote, 'kid', client)

  test('that eBay itself has signed are genuine, and false ones are not', async (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const all = readSample('ebay/samples/event-notification-sdk.test-fixtures.json') as Record<string, Fixture>
    const verdicts: Record<string, boolean> = {}
    for (const [name, fixture] of Object.entries(all)) {
      const publicKey = fixture.response ? await keyFrom(fixture.response) : null
      verdicts[name] = webhooks.verify(deliveryOf(fixture), { registration: [], client, publicKey: publicKey ?? null })
    }
    expect(verdicts).toEqual({ VALID: true, INVALID: false, SIGNATURE_MISMATCH: false, ERROR: false })
    const valid = all['VALID']
    if (!valid) throw new Error('There is no such sample.')
    expect(webhooks.publicKey?.idOf(deliveryOf(valid))).toBe('9936261a-7d7b-4621-a0f1-96ccb428af49')
    expect(webhooks.shopOf?.(deliveryOf(valid))).toBeNull()
    expect(webhooks.read(deliveryOf(valid), facts)).toEqual({
      deliveryId: '49feeaeb-4982-42d9-a377-9645b8479411_33f7e043-fed8-442b-9d44-791923bd9a6d',
      topic: 'privacy.customer_redact',
      changes: [],
      at: '2021-03-19T20:43:59.462000Z',
      privacy: { customer: { remoteId: 'test_user', email: null, phone: null }, orderRemoteIds: [] },
    })
  })

  test('name the seller whose sale it is, and the order', () => {
    const [message] = openImitation(ebay).simulator.messages('ours')
    if (!message) throw new Error('There is no message.')
    const sale = { method: 'POST', headers: message.headers, query: {}, raw: Buffer.from(message.body) }
    expect(webhooks.shopOf?.(sale)).toBe('harbour-1.ebay.com')
    expect(webhooks.read(sale, facts)).toMatchObject({
      topic: 'order.created',
      changes: [{ kind: 'order', remoteId: '10-10000-10000', raw: null }],
      privacy: null,
    })
  })

  test('come for what is sold, signed with the key that eBay gives the app', async () => {
    const receiver = await openReceiver()
    const { shop, simulator } = openImitation(ebay, { variant: { notification_url: receiver.url } })
    const { new_orders: ids } = simulator.change({ new_orders: 2 })
    await simulator.delivered()
    const deliveries = receiver.received.map(({ headers, body }) => ({
      ...{ method: 'POST', headers: { 'x-ebay-signature': String(headers['x-ebay-signature']) }, query: {} },
      raw: Buffer.from(body),
    }))
    await receiver.close()
    const sold = new Set<string | undefined>()
    for (const delivery of deliveries) {
      const id = webhooks.publicKey?.idOf(delivery) ?? ''
      const publicKey = await webhooks.publicKey?.ask(shop.remote, id, simulator.install.client)
      const secrets = { registration: [], client: {}, publicKey: publicKey ?? null }
      expect(webhooks.verify(delivery, secrets)).toBe(true)
      expect(webhooks.verify({ ...delivery, raw: Buffer.from(`${delivery.raw} `) }, secrets)).toBe(false)
      sold.add(webhooks.read(delivery, facts).changes[0]?.remoteId)
    }
    expect(sold).toEqual(new Set(ids))
  })

  test('are signed with keys that the app asks for, where its keyset is of', async () => {
    const { shop, asked } = scripted({ body: { access_token: 'app' } }, { status: 404, body: { errors: [] } })
    const sandbox = { ...client, client_id: 'Ada-SBX-1' }
    await expect(webhooks.publicKey?.ask(shop.remote, 'k1', sandbox)).rejects.toMatchObject({
      kind: 'upstream_refused',
    })
    expect(asked.map(({ url }) => url)).toEqual([
      'https://api.sandbox.ebay.com/identity/v1/oauth2/token',
      'https://api.sandbox.ebay.com/commerce/notification/v1/public_key/k1',
    ])
    expect(asked[1]?.request.headers).toEqual({ authorization: 'Bearer app' })
  })

  test('name a key of eBay’s in the one form that there is, and nothing that could lead elsewhere', () => {
    const kid = '9936261a-7d7b-4621-a0f1-96ccb428af49'
    const genuine = { alg: 'ecdsa', kid, signature: 'MEYC', digest: 'SHA1' }
    const signed = (change: object) => Buffer.from(JSON.stringify({ ...genuine, ...change })).toString('base64')
    const idOf = (header: string) =>
      webhooks.publicKey?.idOf({
        method: 'POST',
        headers: { 'x-ebay-signature': header },
        query: {},
        raw: Buffer.from(''),
      })
    expect(idOf(signed({}))).toBe(kid)
    const others = [
      { kid: '../x' },
      { kid: 5 },
      { alg: 'none' },
      { alg: 'Ecdsa' },
      { alg: 'ECDSA' },
      { alg: ['ecdsa'] },
      { kid: kid.toUpperCase() },
      { more: 1 },
      { digest: 'MD5' },
      { signature: 'M=EYC' },
      { signature: '' },
    ]
    expect(others.map((change) => idOf(signed(change)))).toEqual(others.map(() => null))
    const written = (text: string) => Buffer.from(text).toString('base64')
    const text = JSON.stringify(genuine)
    const anew = [
      JSON.stringify(genuine, null, 1),
      `${text} `,
      text.replace('ecdsa', '\\u0065cdsa'),
      text.replace('{', '{"alg":"none",'),
      JSON.stringify({ kid, alg: 'ecdsa', signature: 'MEYC', digest: 'SHA1' }),
    ]
    expect(anew.map((one) => idOf(written(one)))).toEqual(anew.map(() => null))
    expect([`${signed({})}AAAA`, `${signed({})}, ${signed({})}`, 'nonsense', ''].map(idOf)).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  test('are announced by a question that only we can answer', () => {
    const asked = { method: 'GET', headers: {}, query: { challenge_code: 'abc' }, raw: Buffer.from('') }
    const known = {
      verification_token: 'v'.repeat(32),
      notification_url: 'https://x.example/api/1.0/webhook_callback/ebay/0/-',
    }
    const answer = webhooks.handshake?.(asked, { registration: [], client: known })
    expect(answer).toMatchObject({ status: 200, contentType: 'application/json' })
    expect(JSON.parse(answer?.body ?? '')).toEqual({
      challengeResponse: hash('sha256', `abc${known.verification_token}${known.notification_url}`, 'hex'),
    })
    expect(webhooks.handshake?.(asked, { registration: [], client: {} })).toBeNull()
    expect(webhooks.handshake?.({ ...asked, method: 'POST' }, { registration: [], client: known })).toBeNull()
  })
})
