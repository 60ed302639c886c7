import { describe, expect, test } from 'vitest'
import { openStand } from '../../../test/support/connector-shop.ts'
import type { ReadQuery } from '../../commerce/connector.ts'
import { type Fields, isFields } from '../../commerce/reading.ts'
import { shopify } from './index.ts'
import { inventory } from './inventory.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import type { Credentials, Settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { makeShop } from './stand.ts'
import { gid, type Row } from './stand-records.ts'
import { toOrder } from './translate-order.ts'
import { toInventoryLevel } from './translate-product.ts'
import { webhooks } from './webhooks.ts'

const shop = 'coffee-stand.myshopify.com'
const facts = { shop, settings: {} }
const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }

/** The stand, opened, and every document it was sent. */
function open(options: Parameters<typeof makeShop>[0] = {}, settings: Settings = {}) {
  const stand = makeShop(options)
  const { shop, asked } = openStand<Settings, Credentials>(shopify, stand, { settings })
  const sent = () => asked.flatMap(({ request }) => (isFields(request.body) ? [request.body] : []))
  const sentAs = (start: string) =>
    sent().flatMap(({ query: text, variables }) =>
      String(text).startsWith(start) ? [variables as Record<string, unknown>] : [],
    )
  return { stand, shop, sentAs }
}

describe('parcels', () => {
  test('go in parts, never more than is left, and the same one once', async () => {
    const { stand, shop: opened } = open()
    const id = stand.openOrder()
    const [line] = toOrder(await orders.get(opened, id)).lines
    const lines = [{ order_line_remote_id: line?.remote_id ?? '', quantity: 1 }]
    const draft = { order_remote_id: id, tracking_number: 'T-1', carrier: 'UPS', lines }
    const parcel = await shipments.create.send(opened, draft, { id: 'a' })
    expect(parcel.lines).toEqual(lines)
    expect(await shipments.create.send(opened, draft, { id: 'a' })).toEqual(parcel)
    const more = {
      ...draft,
      tracking_number: 'T-2',
      lines: [{ ...lines[0], order_line_remote_id: line?.remote_id ?? '', quantity: 99 }],
    }
    await expect(shipments.create.send(opened, more, { id: 'b' })).rejects.toMatchObject({ kind: 'upstream_refused' })
    expect(stand.doubles()).toEqual([])
  })

  test('of many lines are complete', async () => {
    const { stand, shop: opened } = open()
    const order = stand.books.orders.find(({ name }) => name === '#1007') as Row
    const draft = { order_remote_id: order.id, tracking_number: 'T-9', carrier: 'UPS' }
    const parcel = await shipments.create.send(opened, draft, { id: 'a' })
    expect(parcel.lines).toHaveLength(33)
    expect(toOrder(await orders.get(opened, order.id)).fulfillment_status).toBe('fulfilled')
  })

  test('from several places are several, of which none is forgotten', async () => {
    const { stand, sentAs, shop: opened } = open()
    const order = stand.books.orders.find(({ name }) => name === '#1014') as Row
    const part = order['part'] as Row
    const [here, ...there] = part['list'] as Row[]
    expect(there).not.toEqual([])
    const list = (rows: unknown) => () => ({ pageInfo: { hasNextPage: false, endCursor: null }, nodes: rows })
    const parts = [
      part,
      { ...part, id: gid('FulfillmentOrder', 9), assignedLocation: { location: stand.books.places[1] } },
    ]
    Object.assign(parts[0] ?? {}, { lineItems: list([here]) })
    Object.assign(parts[1] ?? {}, { lineItems: list(there) })
    order['fulfillmentOrders'] = list(parts)
    const draft = { order_remote_id: order.id, tracking_number: 'T-1', carrier: 'UPS' }
    // The second place is one that the stand does not know: the first parcel has gone by then.
    await expect(shipments.create.send(opened, draft, { id: 'a' })).rejects.toMatchObject({ kind: 'upstream_refused' })
    expect(sentAs('mutation Ship')).toHaveLength(2)
    const unfinished = shipments.create.repeatable
      ? 'never'
      : await shipments.create.confirm(opened, draft, { id: 'a' })
    expect(unfinished).toBeNull()
  })
})

describe('stock', () => {
  const level = { sku: 'COFFEE-1-1', quantity: 4, location: gid('Location', 1) }

  test('is set with a key that is the same for the same, and says that nothing is compared', async () => {
    const { sentAs, shop: opened } = open()
    for (const _ of [1, 2]) await inventory.set?.send(opened, [level], { id: 'a' })
    const told = sentAs('mutation Stock')
    expect(told).toHaveLength(2)
    expect(told[0]).toEqual(told[1])
    expect(told[0]?.['input']).toMatchObject({
      name: 'available',
      quantities: [{ changeFromQuantity: null, quantity: 4 }],
    })
  })

  test('is brought to places that never had the article; unknown places are told', async () => {
    const { stand, shop: opened } = open()
    const there = { ...level, location: gid('Location', 2) }
    const nowhere = { ...level, location: gid('Location', 77) }
    const main = { sku: 'COFFEE-2-1', quantity: 8 }
    const results = await inventory.set?.send(opened, [there, nowhere, main], { id: 'a' })
    expect(results?.map(({ ok }) => ok)).toEqual([true, false, true])
    const found = stand.books.levels.map((raw) => ({
      place: (raw['location'] as Row).id,
      sku: (raw['item'] as Row)['sku'],
      n: raw['available'],
    }))
    expect(found).toContainEqual({ place: gid('Location', 2), sku: 'COFFEE-1-1', n: 4 })
    expect(found).toContainEqual({ place: gid('Location', 1), sku: 'COFFEE-2-1', n: 8 })
  })

  test('one that is refused does not keep the others from being set', async () => {
    const { stand, sentAs, shop: opened } = open()
    const items = ['COFFEE-1-1', 'COFFEE-2-1', 'COFFEE-3-1'].map((sku) => ({
      sku,
      quantity: 5,
      location: gid('Location', 1),
    }))
    const gone = stand.books.levels.find((one) => (one['item'] as Row)['sku'] === 'COFFEE-2-1') as Row
    // It says that it is stocked, and refuses.
    stand.books.levels.splice(stand.books.levels.indexOf(gone), 1)
    ;(gone['item'] as Row)['inventoryLevel'] = () => gone
    const results = await inventory.set?.send(opened, items, { id: 'a' })
    expect(results?.map(({ ok, error }) => [ok, error])).toEqual([
      [true, null],
      [false, 'Not stocked at the location.'],
      [true, null],
    ])
    expect(sentAs('mutation Stock')).toHaveLength(2)
  })

  test('of an article without a number is left out; of one that does not say what is available is refused', async () => {
    const { stand, shop: opened } = open()
    const [first] = stand.books.levels
    ;(first?.['item'] as Row)['sku'] = ''
    const page = await inventory.list(opened, query)
    expect(page.items).toHaveLength(49)
    const [raw] = page.items
    expect(toInventoryLevel(raw)).toMatchObject({ location_remote_id: gid('Location', 1), reserved: 2 })
    expect(() => toInventoryLevel({ ...(raw as Fields), quantities: [] })).toThrow(TypeError)
  })
})

describe('products', () => {
  const draft = { sku: 'COFFEE-3-1', title: 'Renamed', price: '8.00', currency: 'EUR' }

  test('keep their other variants when one is told', async () => {
    const { shop: opened } = open()
    const product = await products.export?.send(opened, draft, { id: 'a' })
    expect(product?.title).toBe('Renamed')
    expect(product?.variants.map(({ sku, price }) => [sku, price?.amount])).toEqual([
      ['COFFEE-3-1', '8.00'],
      ['COFFEE-3-2', '4.35'],
    ])
  })

  test('are found by their number, not by what is like it, and made in the shop’s currency alone', async () => {
    const { stand, shop: opened } = open()
    const made = await products.export?.send(opened, { ...draft, sku: 'COFFEE-1' }, { id: 'a' })
    expect(made?.variants.map(({ sku }) => sku)).toEqual(['COFFEE-1'])
    await expect(products.export?.send(opened, { ...draft, currency: 'USD' }, { id: 'b' })).rejects.toMatchObject({
      message: 'The books of this shop are in EUR.',
    })
    expect(stand.doubles()).toEqual([])
  })

  test('with more variants than are told at once are complete', async () => {
    const { shop: opened } = open()
    const page = await products.list(opened, query)
    const counts = page.items.map((raw) => products.translate(raw, facts).variants.length)
    expect(Math.max(...counts)).toBe(45)
    expect(page.total).toBe(23)
  })
})

describe('messages', () => {
  const headers = (topic: string) => ({
    'x-shopify-topic': topic,
    'x-shopify-shop-domain': shop,
    'x-shopify-webhook-id': 'm1',
    'x-shopify-triggered-at': '2026-11-01T09:00:01.123456789Z',
  })
  const read = (topic: string, body: unknown, more = {}) =>
    webhooks.read(
      { method: 'POST', headers: { ...headers(topic), ...more }, query: {}, raw: Buffer.from(JSON.stringify(body)) },
      facts,
    )

  test('name what changed', () => {
    expect(read('orders/updated', { id: 450789469 })).toEqual({
      deliveryId: 'm1',
      topic: 'order.updated',
      changes: [{ kind: 'order', remoteId: 'gid://shopify/Order/450789469', raw: null }],
      at: '2026-11-01T09:00:01.123456Z',
      privacy: null,
    })
    const edited = read('orders/edited', { order_edit: { order_id: 5 } })
    expect(edited.changes[0]?.remoteId).toBe('gid://shopify/Order/5')
    expect(read('inventory_levels/update', { inventory_item_id: 3 }).changes[0]).toMatchObject({ kind: 'inventory' })
    expect(read('themes/publish', { id: 1 })).toMatchObject({ topic: null, changes: [] })
  })

  test('about privacy name whom and which orders', () => {
    const customer = { id: 191167, email: 'john@example.com', phone: '555-625-1199' }
    const subject = { remoteId: 'gid://shopify/Customer/191167', email: 'john@example.com', phone: '555-625-1199' }
    expect(read('customers/data_request', { shop_domain: shop, customer, orders_requested: [1, 2] })).toMatchObject({
      topic: 'privacy.customer_data',
      privacy: { customer: subject, orderRemoteIds: ['gid://shopify/Order/1', 'gid://shopify/Order/2'] },
    })
    expect(read('customers/redact', { shop_domain: shop, customer, orders_to_redact: [3] })).toMatchObject({
      topic: 'privacy.customer_redact',
      privacy: { orderRemoteIds: ['gid://shopify/Order/3'] },
    })
    expect(read('shop/redact', { shop_id: 1, shop_domain: shop })).toMatchObject({
      topic: 'privacy.shop_redact',
      privacy: { customer: null, orderRemoteIds: [] },
    })
  })

  test('of another shop of the same app are none of this one', () => {
    expect(() => read('orders/updated', { id: 1 }, { 'x-shopify-shop-domain': 'other.myshopify.com' })).toThrow(
      TypeError,
    )
    expect(() => read('app/uninstalled', { id: 1, myshopify_domain: 'other.myshopify.com' })).toThrow(TypeError)
    expect(() => read('orders/updated', { id: 1 }, { 'x-shopify-webhook-id': '' })).toThrow(TypeError)
  })

  test('carry no more than is needed, and those about privacy are not registered', async () => {
    const { stand, sentAs, shop: opened } = open()
    if (webhooks.registration.kind !== 'api') return
    const topics = ['order.updated', 'app.uninstalled', 'privacy.shop_redact'] as const
    await webhooks.registration.register(opened, { url: 'https://entrepot.example/in', topics, secret: '' })
    expect(stand.books.hooks.map(({ topic }) => topic)).toEqual([
      'ORDERS_UPDATED',
      'ORDERS_EDITED',
      'ORDERS_DELETE',
      'APP_UNINSTALLED',
    ])
    const told = sentAs('mutation Subscribe').map(({ webhook }) => webhook as Fields)
    expect(told[0]?.['includeFields']).toEqual(['id', 'updated_at'])
  })
})
