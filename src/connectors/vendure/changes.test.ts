import { describe, expect, test } from 'vitest'
import { isCredentialsRefusal, type RemoteAnswer, type RemoteRequest } from '../../commerce/remote.ts'
import { readAnswer } from './ask.ts'
import { authenticate, logIn, openVendure, proveVendure } from './auth.ts'
import { listOrders } from './orders.ts'
import { exportProduct } from './products.ts'
import type { Credentials } from './settings.ts'
import { createShipment, findShipment } from './shipments.ts'
import { facts, onStand, scripted } from './stand-shop.ts'
import { toOrder } from './translate-order.ts'

const forbidden = {
  body: { data: null, errors: [{ message: 'You are not authorized', path: ['x'], extensions: { code: 'FORBIDDEN' } }] },
}

describe('sending', () => {
  test('settles what is only authorised, so that the order follows', async () => {
    const { shop, asked, stand } = onStand()
    const id = stand.openOrder()
    const parcel = await createShipment(shop, { order_remote_id: id, tracking_number: 'S-1', carrier: 'Post' })
    expect(asked.map(({ name }) => name)).toEqual(['Order', 'Settle', 'Fulfil', 'Move', 'Order'])
    expect(parcel).toMatchObject({ status: 'shipped', carrier_name: 'Post', tracking_number: 'S-1' })
  })

  test('leaves payments alone where the merchant says so', async () => {
    const { shop, asked, stand } = onStand({ settings: { settle_on_shipping: false } })
    await createShipment(shop, { order_remote_id: stand.openOrder(), tracking_number: 'S-2', carrier: 'Post' })
    expect(asked.map(({ name }) => name)).not.toContain('Settle')
  })

  test('goes on with a parcel that was made and never went', async () => {
    const { shop, asked, stand } = onStand()
    const id = stand.openOrder()
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
    expect(asked.filter(({ name }) => name === 'Fulfil')).toHaveLength(1)
    expect(stand.doubles()).toEqual([])
  })

  test('takes some of a line, and refuses lines that are not there', async () => {
    const { shop, stand } = onStand()
    const [id, draft] = [stand.openOrder(), { tracking_number: 'S-4', carrier: 'Post' }]
    const lines = [{ order_line_remote_id: 'none', quantity: 1 }]
    await expect(createShipment(shop, { ...draft, order_remote_id: id, lines })).rejects.toMatchObject({
      kind: 'upstream_refused',
    })
    const known = toOrder(
      (await listOrders(shop, { updatedSince: null, statuses: [], cursor: null, limit: 100 })).items[0],
      shop,
    ).lines[0]
    const too = [{ order_line_remote_id: known?.remote_id ?? '', quantity: 99 }]
    await expect(createShipment(shop, { ...draft, order_remote_id: '1', lines: too })).rejects.toThrow(
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

  test('of a change are told apart: a key without the permission is still the right key', async () => {
    const order = (await onStand().stand.answer({
      url: 'https://stand.example/admin-api',
      request: {
        ...{ method: 'POST', path: '/admin-api', headers: { 'vendure-api-key': 'stand-key:0123456789abcdef' } },
        body: {
          query:
            'query Order($id: ID!) { order(id: $id) { id state lines { id quantity } payments { id state } fulfillments { id } } }',
          variables: { id: '2' },
        },
      },
    })) as RemoteAnswer
    const { shop, asked } = scripted([
      order,
      forbidden,
      { body: { data: { activeChannel: { code: 'x' } } } },
      forbidden,
    ])
    const sending = createShipment(shop, { order_remote_id: '2', tracking_number: 'P', carrier: 'Post' })
    const failure = await sending.catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'upstream_refused', message: 'You are not authorized' })
    expect(isCredentialsRefusal(failure)).toBe(false)
    expect(asked).toHaveLength(4)
  })

  test('inside the data carry the server’s own reason', async () => {
    const { shop, stand } = onStand()
    const handler = { ...shop, settings: { ...shop.settings, fulfillment_handler: 'nobody' } }
    const sending = createShipment(handler, {
      order_remote_id: stand.openOrder(),
      tracking_number: 'P',
      carrier: 'Post',
    })
    await expect(sending).rejects.toMatchObject({ kind: 'upstream_refused', message: 'No such handler' })
  })

  test('of what an export cannot carry are told before anything is changed', async () => {
    const { shop, asked } = scripted([])
    const draft = { sku: 'A', title: 'A', price: '1.00', currency: 'EUR' }
    await expect(exportProduct(shop, { ...draft, currency: 'USD' })).rejects.toThrow('EUR')
    await expect(exportProduct(shop, { ...draft, price: '1.001' })).rejects.toThrow('finer')
    await expect(exportProduct(shop, { ...draft, images: [{ url: 'https://a.example/b.png' }] })).rejects.toThrow(
      'pictures',
    )
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
    const { shop } = onStand({ credentials: { username: 'ada', password: 'secret' } })
    const opened = await openVendure(shop)
    expect(opened).toMatchObject({
      credentials: { username: 'ada', password: 'secret', session_token: 'stand-session' },
      settings: { money_precision: 2, currency: 'EUR', language: 'en' },
      expiresAt: null,
    })
    const again = onStand({ credentials: opened.credentials })
    await proveVendure(again.shop)
    expect(await logIn(again.shop)).toEqual({ credentials: opened.credentials, expiresAt: null })
  })

  test('that are wrong or missing are told at their fields', async () => {
    const fields = async (credentials: Credentials) => {
      const failure = await openVendure(onStand({ credentials }).shop).catch((error: unknown) => error)
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
