import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { type ImitationOptions, openImitation, openOrder } from '../../../test/support/imitation.ts'
import type { ReadQuery } from '../../commerce/connector/reads.ts'
import { type RemoteAnswer, shopAway } from '../../commerce/remote.ts'
import { shopWith } from '../../domain/shop/shop-remote.ts'
import { squarespace } from './index.ts'
import { inventory } from './inventory.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { type Credentials, type Settings, type SquareShop, shopPattern } from './settings.ts'
import { shipments } from './shipments.ts'
import { toOrder } from './translate-order.ts'

const facts = { shop: 'ada-cups.squarespace.com', settings: {} }
const credentials = { access_token: 'token', refresh_token: 'again' }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(squarespace, { facts, credentials }, answers)

const open = (options: ImitationOptions = {}) => {
  const imitation = openImitation<Settings, Credentials>(squarespace, { orders: 110, products: 60, ...options })
  const { simulator, asked, transport } = imitation
  const effects = (operation: string) =>
    simulator.ledger().flatMap((one) => (one.kind === 'effect' && one.operation === operation ? [one.subject] : []))
  const posts = () => asked.filter(({ request }) => request.method === 'POST')
  /** The same shop, whose answers to such calls never arrive, the first time. */
  const losing = (path: RegExp): SquareShop => {
    let isLost = false
    const lossy: typeof transport = async (call) => {
      const answer = await transport(call)
      if (isLost || call.request.method !== 'POST' || !path.test(call.url)) return answer
      isLost = true
      throw shopAway()
    }
    return shopWith({ transport: lossy }, squarespace, imitation.facts, imitation.credentials) as unknown as SquareShop
  }
  return { ...imitation, effects, posts, losing }
}

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }
const page = (rows: readonly object[], pagination: object = { hasNextPage: false }, name = 'result') => ({
  body: { [name]: rows, pagination },
})

test.each([
  ['ada-cups.squarespace.com', true],
  ['mandarin-synthesizer-k3yg.squarespace.com', true],
  ['www.squarespace.com', false],
  ['account.squarespace.com', false],
  ['api.squarespace.com', false],
  ['adacups.com', false],
  ['a.b.squarespace.com', false],
])('%s is a site: %s', (shop, expected) => {
  expect(shopPattern.test(shop)).toBe(expected)
})

describe('lists', () => {
  async function readAll(shop: SquareShop, asked: Partial<ReadQuery>, between: () => void = () => {}) {
    const ids: string[] = []
    let cursor: string | null = null
    for (let pages = 0; pages === 0 || cursor !== null; pages++) {
      expect(pages).toBeLessThan(50)
      const got = await orders.list(shop, { ...query, ...asked, cursor })
      expect(got.items.length).toBeLessThanOrEqual(asked.limit ?? query.limit)
      for (const raw of got.items) ids.push(toOrder(raw, shop).remote_id)
      cursor = got.next
      between()
    }
    return ids
  }

  test.each(['newest', 'oldest'])('that begin with the %s are read wholly, a few at a time', async (sort) => {
    const { shop, simulator } = open({ variant: { sort } })
    const ids = await readAll(shop, { limit: 7 })
    expect(ids.toSorted()).toEqual(
      simulator
        .truth()
        .map(({ remote_id: id }) => id)
        .sort(),
    )
  })

  test.each(['newest', 'oldest'])('that begin with the %s lose nothing while orders change', async (sort) => {
    const { shop, simulator } = open({ variant: { sort } })
    const { book } = simulator.world.shop
    const touched = new Set<string>()
    const startedAt = new Date(Math.floor(simulator.world.clock.now() / 1000)).toISOString().replace('Z', '000Z')
    const ids = await readAll(shop, { limit: 20 }, () => {
      for (const index of [book.byChange()[0] ?? 0, book.byChange().at(-3) ?? 0])
        touched.add(toOrder(simulatedOrder(simulator, book.change(index, { editNote: true }).index), shop).remote_id)
    })
    // What moved while the list was read is read by the next one, which begins where this one began.
    const next = await readAll(shop, { updatedSince: startedAt })
    expect([...touched].filter((id) => !next.includes(id))).toEqual([])
    expect(new Set([...ids, ...next]).size).toBe(book.count())
  })

  const simulatedOrder = (simulator: ReturnType<typeof open>['simulator'], index: number) => {
    const remote_id = simulator.truth()[index]?.remote_id
    return {
      ...{ id: remote_id, orderNumber: '1', createdOn: '2026-01-01T00:00:00Z', modifiedOn: '2026-01-01T00:00:00Z' },
      ...{ fulfillmentStatus: 'PENDING', grandTotal: { currency: 'EUR', value: 1 }, lineItems: [] },
    }
  }

  test('are asked for everything once, and then by cursor alone', async () => {
    const { shop, asked } = open()
    const since = { ...query, updatedSince: '2025-01-01T00:00:00.000000Z' }
    await orders.list(shop, { ...since, statuses: ['open'] })
    const { next: cursor } = await orders.list(shop, since)
    await orders.list(shop, { ...since, cursor })
    expect(asked[0]?.request.query).toEqual({
      modifiedAfter: '2024-12-31T23:59:59.999Z',
      modifiedBefore: '2100-01-01T00:00:00.000Z',
      paymentStates: 'PAID,AUTHORIZED,NOT_CHARGED,PENDING,PARTIALLY_PAID,FAILED,REFUNDED,REFUND_PENDING,REFUND_FAILED',
      fulfillmentStatus: 'PENDING',
    })
    expect(asked[1]?.request.query).not.toHaveProperty('fulfillmentStatus')
    expect(Object.keys(asked[2]?.request.query ?? {})).toEqual(['cursor'])
  })

  test('have the moment itself in them, to the millisecond, and nothing before it', async () => {
    const at = (modifiedOn: unknown) => ({ id: String(modifiedOn), modifiedOn })
    const rows = [at('2026-10-02T09:00:00.186Z'), at('2026-10-02T09:00:00.187Z'), at('soon'), at(null)]
    const { items } = await orders.list(scripted(page(rows)).shop, {
      ...query,
      updatedSince: '2026-10-02T09:00:00.187000Z',
    })
    // What has no time is for the translator to set aside.
    expect(items).toEqual(rows.slice(1))
  })

  test('that are null are empty', async () => {
    const { items, next } = await orders.list(scripted({ body: { result: null, pagination: null } }).shop, query)
    expect([items, next]).toEqual([[], null])
  })

  test('that go round in circles, or end without saying so, are no lists', async () => {
    const said = { message: 'Squarespace does not say where the next page begins.' }
    const onward = (nextPageCursor: unknown) => page([{ id: 'a' }], { hasNextPage: true, nextPageCursor })
    for (const cursor of [null, ''])
      await expect(orders.list(scripted(onward(cursor)).shop, query)).rejects.toMatchObject(said)
    await expect(orders.list(scripted(onward('c1')).shop, { ...query, cursor: '|c1' })).rejects.toMatchObject(said)
  })

  test.each(['nothing of ours', 'a b|c', `${'x'.repeat(65)}|c`])('begin nowhere at %s', async (cursor) => {
    const { shop, asked } = scripted()
    await expect(orders.list(shop, { ...query, cursor })).rejects.toMatchObject({ message: 'Invalid cursor.' })
    expect(asked).toEqual([])
  })

  test('give a page once more whose last order has left it', async () => {
    const rows = ['a', 'b', 'c'].map((id) => ({ id }))
    const { shop } = scripted(page(rows), page(rows), page(rows.slice(1)))
    const first = await orders.list(shop, { ...query, limit: 1 })
    expect(await orders.list(shop, { ...query, limit: 1, cursor: first.next })).toMatchObject({ items: [{ id: 'b' }] })
    expect(await orders.list(shop, { ...query, limit: 1, cursor: first.next })).toMatchObject({ items: [{ id: 'b' }] })
  })

  test('that are refused say why in Squarespace’s words, and of a plan that has ended what to do', async () => {
    const refusal = (status: number, body: object) => orders.list(scripted({ status, body }).shop, query)
    await expect(refusal(400, { type: 'INVALID_REQUEST_ERROR', message: 'Bad cursor.' })).rejects.toMatchObject({
      message: 'Bad cursor.',
    })
    await expect(refusal(402, { type: 'WEBSITE_EXPIRED', message: 'x' })).rejects.toMatchObject({
      message: 'The Squarespace plan of this site has expired: it has to be renewed there.',
    })
    await expect(refusal(409, { type: 'CONFLICT', subtype: 'CONCURRENT_MODIFICATION' })).rejects.toMatchObject({
      kind: 'upstream_retryable',
    })
  })

  test.each([null, 'text', [], { result: 'none' }, { result: [1] }])('that are %j are no guess', async (body) => {
    await expect(orders.list(scripted({ body }).shop, query)).rejects.toThrow()
  })
})

describe('products', () => {
  test('are read fifty at once, and one by one where one of them is gone', async () => {
    const { shop, asked, simulator } = open()
    const ids = simulator.truthOfProducts().map(({ remote_id: id }) => id)
    expect(await products.getSeveral?.(shop, ids)).toHaveLength(60)
    expect(asked).toHaveLength(2)
    const gone = '65b2e1d3c8a5ffffffffffff'
    const some = await products.getSeveral?.(shop, [ids[0] ?? '', gone, 'no id'])
    expect(some).toMatchObject([{ id: ids[0] }])
    expect(await products.get?.(shop, gone)).toBeNull()
  })

  test('are listed by their change as orders are', async () => {
    const rows = ['2026-10-02T09:00:00.186Z', '2026-10-02T09:00:00.187Z'].map((modifiedOn) => ({ id: 'p', modifiedOn }))
    const { shop, asked } = scripted(page(rows, { hasNextPage: true, nextPageCursor: 'c2' }, 'products'))
    const since = { ...query, updatedSince: '2026-10-02T09:00:00.187000Z' }
    expect(await products.list(shop, since)).toEqual({ items: rows.slice(1), next: '|c2', total: null })
    expect(asked[0]).toMatchObject({
      url: 'https://api.squarespace.com/v2/commerce/products',
      request: { query: { modifiedAfter: '2026-10-02T09:00:00.186Z', modifiedBefore: '2100-01-01T00:00:00.000Z' } },
    })
  })

  test('and orders of another id than theirs are not there, and one of theirs is not refused silently', async () => {
    const refusal = { status: 400, body: { type: 'INVALID_REQUEST_ERROR', message: 'The id is not in the format.' } }
    expect(await orders.get(scripted(refusal).shop, 'no-such-id')).toBeNull()
    expect(await products.get?.(scripted(refusal).shop, 'no-such-id')).toBeNull()
    const theirs = '65b2e1d3c8a5ffffffffffff'
    await expect(orders.get(scripted(refusal).shop, theirs)).rejects.toMatchObject({ message: refusal.body.message })
    await expect(products.get?.(scripted(refusal).shop, theirs)).rejects.toMatchObject({
      message: refusal.body.message,
    })
    const { shop, asked } = scripted()
    for (const id of ['', 'a/b', 'a,b', '../x', 'x'.repeat(65)])
      expect([await orders.get(shop, id), await products.get?.(shop, id)]).toEqual([null, null])
    expect(asked).toEqual([])
  })
})

describe('parcels', () => {
  const draft = { tracking_number: 'A&B 1', carrier: 'bpost', tracking_url: 'https://track.example/1' }

  test('are told with when they left, and whether the buyer is to be written to', async () => {
    const { shop, posts, simulator } = open({ settings: { notify_customers: true } })
    const [one, two] = [openOrder(simulator), openOrder(simulator, ({ index }) => index > 60)]
    await shipments.create.send(shop, { ...draft, order_remote_id: one }, { id: 'x' })
    const shipped_at = '2026-10-03T12:00:00+02:00'
    await shipments.create.send(
      shop,
      { ...draft, order_remote_id: two, shipped_at, notify_customer: false },
      { id: 'y' },
    )
    const parcel = { carrierName: 'bpost', service: 'bpost', trackingNumber: 'A&B 1', trackingUrl: draft.tracking_url }
    const shipDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(posts().map(({ request }) => request.body)).toEqual([
      { shouldSendNotification: true, shipments: [{ ...parcel, shipDate }] },
      { shouldSendNotification: false, shipments: [{ ...parcel, shipDate: '2026-10-03T10:00:00.000Z' }] },
    ])
  })

  test('happen once, also when the answer is lost', async () => {
    const { shop, losing, effects, simulator } = open()
    const order_remote_id = openOrder(simulator)
    const wanted = { ...draft, order_remote_id }
    const { create } = shipments
    if (create.repeatable) throw new Error('Each time is another parcel.')
    expect(await create.confirm(shop, wanted, { id: 'x' })).toBeNull()
    await expect(create.send(losing(/fulfillments$/), wanted, { id: 'x' })).rejects.toMatchObject({
      kind: 'upstream_retryable',
    })
    const made = await create.confirm(shop, wanted, { id: 'x' })
    expect(made).toMatchObject({ tracking_number: 'A&B 1', carrier_name: 'bpost' })
    expect(await create.send(shop, wanted, { id: 'x' })).toEqual(made)
    expect(effects('shipment.create')).toEqual([`${order_remote_id} A&B 1`])
  })

  test('have everything, or are refused', async () => {
    const { shop, simulator, posts } = open()
    const id = openOrder(simulator, ({ lines: [first] }) => (first?.quantity ?? 0) > 1)
    const order = toOrder(await orders.get(shop, id), shop)
    const lines = (less: number) =>
      order.lines.map(({ remote_id, quantity }, n) => ({
        ...{ order_line_remote_id: remote_id, quantity: n === 0 ? quantity - less : quantity },
      }))
    const send = (less: number) =>
      shipments.create.send(shop, { ...draft, order_remote_id: id, lines: lines(less) }, { id: 'x' })
    await expect(send(1)).rejects.toMatchObject({ message: 'Squarespace knows only orders that are sent as a whole.' })
    expect(posts()).toEqual([])
    expect(await send(0)).toMatchObject({ lines: lines(0) })
  })

  test('of an order that is cancelled, or is not there, are refused before anything is sent', async () => {
    const { shop, simulator, posts } = open()
    const cancelled = simulator.truth().find(({ stage }) => stage === 'cancelled')?.remote_id ?? ''
    const send = (order_remote_id: string) => shipments.create.send(shop, { ...draft, order_remote_id }, { id: 'x' })
    await expect(send(cancelled)).rejects.toMatchObject({ message: 'The order is cancelled.' })
    await expect(send('65a1f0c2b7d4ffffffffffff')).rejects.toMatchObject({ message: 'The shop has no such order.' })
    expect(posts()).toEqual([])
  })
})

describe('stock', () => {
  const send = async (shop: SquareShop, items: readonly { sku: string; quantity: number }[], id = 'x') =>
    (await inventory.set?.send(shop, items, { id })) ?? []

  test('is set fifty at a time, each article once', async () => {
    const { shop, posts, simulator } = open()
    const skus = simulator.truthOfInventory().map(({ sku }) => sku)
    expect(skus.length).toBeGreaterThan(100)
    const items = [...skus.map((sku, quantity) => ({ sku, quantity })), { sku: skus[0] ?? '', quantity: 4321 }]
    expect((await send(shop, items)).every(({ ok }) => ok)).toBe(true)
    expect(posts()).toHaveLength(Math.ceil(skus.length / 50))
    const wanted = skus.map((_, n) => (n === 0 ? 4321 : n))
    expect(simulator.truthOfInventory().map(({ available }) => available)).toEqual(wanted)
  })

  test('that one article refuses keeps no other from being set', async () => {
    const { shop, simulator } = open()
    const [one, two] = simulator.truthOfInventory()
    const results = await send(shop, [
      { sku: one?.sku ?? '', quantity: 99_999_999 },
      { sku: two?.sku ?? '', quantity: 12 },
      { sku: 'no such sku', quantity: 1 },
    ])
    expect(results).toMatchObject([
      { ok: false, error: 'The quantity exceeds the maximum.' },
      { ok: true, error: null },
      { ok: false, error: 'The shop has no such article.' },
    ])
    const now = simulator.truthOfInventory()
    expect([now[0]?.available, now[1]?.available]).toEqual([one?.available, 12])
  })

  test('is set once under the key of the work, also when the answer is lost; and anew by other work', async () => {
    const { shop, losing, posts, effects, simulator } = open()
    const sku = simulator.truthOfInventory()[0]?.sku ?? ''
    await expect(send(losing(/adjustments$/), [{ sku, quantity: 77 }])).rejects.toMatchObject({
      kind: 'upstream_retryable',
    })
    // Somebody buys one meanwhile.
    const { stockroom } = simulator.world.shop
    const variant = stockroom.bySku(sku)
    if (variant) stockroom.setTotal(variant, 76)
    await send(shop, [{ sku, quantity: 77 }])
    expect([effects('inventory.set'), simulator.truthOfInventory()[0]?.available]).toEqual([[sku], 76])
    await send(shop, [{ sku, quantity: 77 }], 'other work')
    expect(simulator.truthOfInventory()[0]?.available).toBe(77)
    const keys = posts().map(({ request }) => request.headers?.['idempotency-key'] ?? '')
    expect(posts().every(({ request }) => request.repeatable)).toBe(true)
    expect([new Set(keys).size, keys.every((key) => /^[\w-]{1,64}$/.test(key))]).toEqual([2, true])
  })

  test('without limit, or without SKU, is left out; set, it is counted', async () => {
    const { shop, simulator, asked } = open({ variant: { unlimited: 'SKU-00001-1' } })
    const listed = (await inventory.list(shop, query)).items.map((raw) => inventory.translate(raw, shop).sku)
    expect([listed.length > 10, listed.includes('SKU-00001-1')]).toEqual([true, false])
    const item = { variantId: 'v1', sku: 'CUP', isUnlimited: false, quantity: 4, descriptor: 'Cup' }
    expect(inventory.translate(item, shop)).toEqual({
      ...{ sku: 'CUP', variant_remote_id: 'v1', location_remote_id: null, available: 4, on_hand: null, reserved: null },
      updated_at: null,
    })
    expect([inventory.locations, inventory.set?.repeatable]).toEqual([false, true])
    expect(await send(shop, [{ sku: 'SKU-00001-1', quantity: 3 }])).toMatchObject([{ ok: true }])
    expect(simulator.truthOfInventory().find(({ sku }) => sku === 'SKU-00001-1')?.available).toBe(3)
    expect(asked.at(-1)?.request.body).toMatchObject({ setFiniteOperations: [{ quantity: 3 }] })
    const nameless = { variantId: 'v1', sku: '', isUnlimited: false, quantity: 4 }
    const { items } = await inventory.list(scripted(page([nameless], {}, 'inventory')).shop, query)
    expect(items).toEqual([])
  })

  test('is looked for where our copy says, and everywhere only if that does not suffice', async () => {
    const { shop, asked, simulator } = open()
    const { remote_id: id, skus } = simulator.truthOfProducts()[30] ?? { remote_id: '', skus: [] }
    const sku = skus[0] ?? ''
    const knowing = { ...shop, productsWith: async () => [id] }
    await send(knowing, [{ sku, quantity: 5 }])
    expect(asked.map(({ request }) => request.method)).toEqual(['GET', 'POST'])
    asked.splice(0)
    const wrong = { ...shop, productsWith: async () => ['65b2e1d3c8a5ffffffffffff'] }
    expect(await send(wrong, [{ sku, quantity: 6 }], 'y')).toMatchObject([{ ok: true }])
    expect(asked.filter(({ request }) => request.method === 'GET')).toHaveLength(3)
  })
})

test('products that are listed without end are not gone through for ever', async () => {
  const onward = (cursor: string) => page([], { hasNextPage: true, nextPageCursor: cursor }, 'products')
  const { shop, asked } = scripted(...Array.from({ length: 1200 }, (_, n) => onward(n % 2 === 0 ? 'even' : 'odd')))
  await expect(inventory.set?.send(shop, [{ sku: 'CUP', quantity: 1 }], { id: 'x' })).rejects.toMatchObject({
    message: 'The site lists more than 50000 products: sync them first.',
  })
  expect(asked).toHaveLength(1000)
})

describe('prices', () => {
  test('are changed once, also when the answer is lost', async () => {
    const { shop, losing, effects, simulator } = open()
    const sku = simulator.truthOfInventory()[0]?.sku ?? ''
    const set = async (on: SquareShop) =>
      await squarespace.products?.prices?.set.send(on as never, [{ sku, price: '40', currency: 'EUR' }], { id: 'x' })
    await expect(set(losing(/variants/))).rejects.toMatchObject({ kind: 'upstream_retryable' })
    expect(await set(shop)).toMatchObject([{ ok: true }])
    expect(effects('price.set')).toEqual([sku])
  })
})
