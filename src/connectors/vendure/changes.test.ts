import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { type ImitationOptions, openImitation, type SentCall } from '../../../test/support/imitation.ts'
import type { Fields } from '../../commerce/reading.ts'
import { isCredentialsRefusal, type RemoteAnswer, type RemoteRequest } from '../../commerce/remote.ts'
import type { MemorySimulator } from '../../simulator/simulator.ts'
import { readAnswer } from './ask.ts'
import { authenticate, checkAccess, logIn, openVendure } from './auth.ts'
import { exportProduct } from './export-product.ts'
import { vendure } from './index.ts'
import { getOrder } from './orders.ts'
import { rightTo } from './rights.ts'
import type { Credentials, Settings } from './settings.ts'
import { createShipment, findShipment } from './shipments.ts'
import { toOrder } from './translate-order.ts'

const facts = { shop: 'shop.example', settings: { money_precision: 2, currency: 'EUR', language: 'en' } }

const scripted = (answers: readonly Partial<RemoteAnswer>[], credentials: Credentials = { api_key: 'k' }) =>
  scriptedShop<Settings, Credentials>(vendure, { facts, credentials }, answers)

const onServer = (options: ImitationOptions = {}) => openImitation<Settings, Credentials>(vendure, options)

const namesIn = (asked: readonly SentCall[]) =>
  asked.map(({ request }) => String((request.body as Fields)['query']).split(/[ ({]+/)[1])

/** Its payment is authorised, and no more. */
const openOrder = (simulator: MemorySimulator): string =>
  simulator.truth().find(({ stage }) => stage === 'unpaid')?.remote_id ?? ''

const forbidden = {
  body: { data: null, errors: [{ message: 'You are not authorized', path: ['x'], extensions: { code: 'FORBIDDEN' } }] },
}

describe('sending', () => {
  test('settles what is only authorised, so that the order follows', async () => {
    const { shop, asked, simulator } = onServer()
    const id = openOrder(simulator)
    const parcel = await createShipment(shop, { order_remote_id: id, tracking_number: 'S-1', carrier: 'Post' })
    expect(namesIn(asked)).toEqual(['Order', 'Settle', 'Fulfil', 'Move', 'Order'])
    expect(parcel).toMatchObject({ status: 'shipped', carrier_name: 'Post', tracking_number: 'S-1' })
  })

  test('leaves payments alone where the merchant says so', async () => {
    const { shop, asked, simulator } = onServer({ settings: { settle_on_shipping: false } })
    await createShipment(shop, { order_remote_id: openOrder(simulator), tracking_number: 'S-2', carrier: 'Post' })
    expect(namesIn(asked)).not.toContain('Settle')
    expect(simulator.order(openOrder(simulator))?.parcels).toMatchObject([{ trackingNumber: 'S-2', packed: false }])
  })

  test('goes on with a parcel that was made and never went', async () => {
    const { shop, asked, simulator } = onServer()
    const id = openOrder(simulator)
    const draft = { order_remote_id: id, tracking_number: 'S-3', carrier: 'Post' }
    const { request } = shop.remote
    const torn = {
      ...shop,
      remote: {
        request: async (one: RemoteRequest) => {
          if (JSON.stringify(one.body).includes('mutation Move')) throw new Error('the wire broke')
          return await request(one)
        },
      },
    }
    await expect(createShipment(torn, draft)).rejects.toThrow('the wire broke')
    expect(await findShipment(shop, draft)).toBeNull()
    await createShipment(shop, draft)
    expect(await findShipment(shop, draft)).toMatchObject({ status: 'shipped' })
    expect(namesIn(asked).filter((name) => name === 'Fulfil')).toHaveLength(1)
    expect(simulator.doubles()).toEqual([])
  })

  test('takes some of a line, and refuses lines that are not there', async () => {
    const { shop, simulator } = onServer()
    const [id, draft] = [openOrder(simulator), { tracking_number: 'S-4', carrier: 'Post' }]
    const lines = [{ order_line_remote_id: 'none', quantity: 1 }]
    await expect(createShipment(shop, { ...draft, order_remote_id: id, lines })).rejects.toMatchObject({
      kind: 'upstream_refused',
    })
    const known = toOrder(await getOrder(shop, id), shop).lines[0]
    const too = [{ order_line_remote_id: known?.remote_id ?? '', quantity: 99 }]
    await expect(createShipment(shop, { ...draft, order_remote_id: id, lines: too })).rejects.toThrow(
      'already part of a Fulfillment',
    )
  })
})

describe('refusals', () => {
  const read = (body: unknown, query: string) =>
    readAnswer({ status: 200, headers: {}, body }, { method: 'POST', path: '/admin-api', body: { query } })

  test('come with status 200: a key that may not read is refused, an error of the server passes', () => {
    expect(read(forbidden.body, 'query Orders { x }')).toEqual({ verdict: 'unauthorized' })
    expect(read(forbidden.body, 'mutation Cancel { x }')).toEqual({})
    expect(
      read({ errors: [{ message: 'x', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] }, 'query A { x }'),
    ).toEqual({ verdict: 'away' })
    expect(read({ data: {} }, 'query A { x }')).toEqual({})
  })

  test('of a change are distinguished: a key without the permission is still the right key', async () => {
    const server = onServer()
    const { remote_id: id = '' } = server.simulator.truth().find(({ stage }) => stage === 'paid') ?? {}
    const order = { body: { data: { order: await getOrder(server.shop, id) } } }
    const { shop, asked } = scripted([
      order,
      forbidden,
      { body: { data: { activeChannel: { code: 'x' } } } },
      forbidden,
    ])
    const sending = createShipment(shop, { order_remote_id: id, tracking_number: 'P', carrier: 'Post' })
    const failure = await sending.catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'upstream_refused', message: expect.stringContaining('UpdateOrder') })
    expect(isCredentialsRefusal(failure)).toBe(false)
    expect(asked).toHaveLength(4)
  })

  test.each([
    ['settlePayment', 'UpdateOrder'],
    ['updateProductVariants', 'UpdateCatalog or UpdateProduct'],
    ['createProductVariants', 'UpdateCatalog or UpdateProduct'],
    ['createProduct', 'CreateCatalog or CreateProduct'],
  ])('of %s name %s, which a key cannot list', (change, right) => {
    expect(rightTo(change).name).toBe(right)
  })

  test('inside the data carry the server’s own reason', async () => {
    const { shop, simulator } = onServer()
    const handler = { ...shop, settings: { ...shop.settings, fulfillment_handler: 'nobody' } }
    const sending = createShipment(handler, {
      order_remote_id: openOrder(simulator),
      tracking_number: 'P',
      carrier: 'Post',
    })
    await expect(sending).rejects.toMatchObject({
      kind: 'upstream_refused',
      message: 'errorResult.INVALID_FULFILLMENT_HANDLER_ERROR',
    })
  })

  test('of what an export cannot carry are reported before anything is changed', async () => {
    const { shop, asked } = scripted([])
    const draft = { sku: 'A', title: 'A', price: '1.00', currency: 'EUR' }
    await expect(exportProduct(shop, { ...draft, currency: 'USD' })).rejects.toThrow('EUR')
    await expect(exportProduct(shop, { ...draft, price: '1.001' })).rejects.toThrow('finer')
    expect(asked).toEqual([])
  })
})

describe('keys', () => {
  test('go along as a header, sessions as a bearer, and the channel with both', () => {
    const request: RemoteRequest = { method: 'POST', path: '/admin-api' }
    const channel = { ...facts, settings: { channel_token: 'main' } }
    expect(authenticate(request, { api_key: 'k' }, channel).headers).toEqual({
      'vendure-api-key': 'k',
      'vendure-token': 'main',
    })
    expect(authenticate(request, { session_token: 's' }, facts).headers).toEqual({ authorization: 'Bearer s' })
  })

  test('that are typed as name and password open a session, and the server is asked about its money', async () => {
    const { shop } = onServer({ variant: { access: 'password' }, credentials: { session_token: undefined } })
    const opened = await openVendure(shop)
    expect(opened).toMatchObject({
      credentials: { ...shop.credentials, session_token: expect.stringMatching(/^session-/) },
      settings: { money_precision: 2, currency: 'EUR', language: 'en' },
      expiresAt: null,
    })
    await expect(checkAccess(shop)).rejects.toSatisfy(isCredentialsRefusal)
    const again = await logIn({ ...shop, credentials: opened.credentials })
    expect(again).toMatchObject({ credentials: { session_token: expect.stringMatching(/^session-/) }, expiresAt: null })
    expect(again.credentials.session_token).not.toBe(opened.credentials.session_token)
  })

  test('that are wrong or missing are reported at their fields', async () => {
    const fields = async (credentials: Credentials) => {
      const { shop } = onServer({ variant: { access: 'password' } })
      const failure = await openVendure({ ...shop, credentials }).catch((error: unknown) => error)
      return Object.keys((failure as { errors?: object }).errors ?? {})
    }
    expect(await fields({ username: 'ada', password: 'wrong' })).toEqual([
      'credentials.username',
      'credentials.password',
    ])
    expect(await fields({})).toEqual(['credentials.api_key'])
    expect(await fields({ username: 'ada' })).toEqual(['credentials.password'])
    const { shop } = scripted([{ body: { data: { login: { __typename: 'CurrentUser', id: '1' } } } }], {
      username: 'a',
      password: 'b',
    })
    await expect(logIn(shop)).rejects.toThrow('tokenMethod')
  })
})

test('a session that the server gave and does not know a moment later has not reached it', async () => {
  const known = { facts: { shop: 'shop.example', settings: {} }, credentials: { username: 'ada', password: 'x' } }
  const welcome = { headers: { 'vendure-auth-token': 'T1' }, body: { data: { login: { id: '1' } } } }
  const answers = [welcome, ...Array(20).fill(forbidden)]
  const { shop } = scriptedShop<Settings, Credentials>(vendure, known, answers)
  await expect(openVendure(shop)).rejects.toMatchObject({
    errors: { 'credentials.username': [expect.stringContaining('drops the Authorization header')] },
  })
  const byKey = { ...known, credentials: { api_key: 'K1' } }
  await expect(
    openVendure(scriptedShop<Settings, Credentials>(vendure, byKey, Array(20).fill(forbidden)).shop),
  ).rejects.toMatchObject({ errors: { 'credentials.api_key': ['The api key was rejected by the shop.'] } })
})
