import { describe, expect, test } from 'vitest'
import { addLargeProduct, openShopify, said, textIn } from '../../../test/support/shopify-shop.ts'
import { hasSpecifications, noSpecifications, readSpecification } from '../../../test/support/vendor-specification.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { Fields } from '../../commerce/reading.ts'
import { inventory } from './inventory.ts'
import { orders } from './orders.ts'
import { carrierName } from './parcels/carriers.ts'
import { shipments } from './parcels/shipments.ts'
import { products } from './products.ts'
import { toOrder } from './translate-order.ts'
import { toInventoryLevel } from './translate-product.ts'
import { webhooks } from './webhooks.ts'

const shop = 'coffee-stand.myshopify.com'
const facts = { shop, settings: {} }
const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }

const location = (n: number) => `gid://shopify/Location/${6_000_000_001 + n}`

test('further ways of sending are asked for where the first does not account for the price', async () => {
  const { shop: opened, sentAs } = openShopify()
  const { items } = await orders.list(opened, query)
  const told = items.map((item) => toOrder(item))
  const several = told.filter(({ shipping_method: method }) => method?.includes(', Collected'))
  expect(several.length).toBeGreaterThan(0)
  expect(sentAs('query Ways').map(({ id }) => id)).toEqual(several.map(({ remote_id: id }) => id))
})

describe('parcels', () => {
  test('go in parts, never more than is left, and the same one once', async () => {
    const { simulator, openOrder, shop: opened } = openShopify()
    const id = openOrder()
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
    expect(simulator.doubles()).toEqual([])
  })

  test('of many lines are complete', async () => {
    const { shop: opened } = openShopify()
    const long = Array.from({ length: 33 }, () => ({ sku: 'SKU-00001-1', quantity: 1 }))
    const order = await orders.create?.send(opened, { currency: 'EUR', lines: long }, { id: 'long' })
    const draft = { order_remote_id: order?.remote_id ?? '', tracking_number: 'T-9', carrier: 'UPS' }
    const parcel = await shipments.create.send(opened, draft, { id: 'a' })
    expect(parcel.lines).toHaveLength(33)
    expect(toOrder(await orders.get(opened, draft.order_remote_id)).fulfillment_status).toBe('fulfilled')
  })

  test('from several locations are several, of which none is forgotten', async () => {
    let away = true
    const {
      sentAs,
      openOrder,
      shop: opened,
    } = openShopify({
      variant: { locations: 'several' },
      // The second location does not answer at first: the first parcel has gone by then.
      before: (call) => {
        if (!textIn(call).startsWith('mutation Ship') || sentAs('mutation Ship').length !== 2 || !away) return null
        away = false
        return said({ fulfillmentCreate: { fulfillment: null, userErrors: [{ field: null, message: 'Not now.' }] } })
      },
    })
    const id = openOrder(2)
    const draft = { order_remote_id: id, tracking_number: 'T-1', carrier: 'UPS' }
    await expect(shipments.create.send(opened, draft, { id: 'a' })).rejects.toMatchObject({ kind: 'upstream_refused' })
    expect(sentAs('mutation Ship')).toHaveLength(2)
    const finished = async () =>
      shipments.create.repeatable ? 'never' : await shipments.create.confirm(opened, draft, { id: 'a' })
    expect(await finished()).toBeNull()
    const { lines } = await shipments.create.send(opened, draft, { id: 'a' })
    const order = toOrder(await orders.get(opened, id))
    expect(order.shipments.map((one) => [one.tracking_number, one.location_remote_id])).toEqual([
      ['T-1', location(0)],
      ['T-1', location(1)],
    ])
    expect(lines).toHaveLength(order.lines.length)
    expect(await finished()).toMatchObject({ lines })
  })
})

describe('carriers', () => {
  test.each([
    ['ups', 'UPS'],
    ['fedex', 'FedEx'],
    ['dhl-express', 'DHL Express'],
    ['Deutsche Post', 'Deutsche Post'],
    ['DHL Paket', 'DHL'],
    ['colis prive', 'Colis Privé'],
    ['Bob’s bicycles', 'Bob’s bicycles'],
  ])('%s is sent as %s', async (carrier, company) => {
    const { openOrder, sentAs, shop: opened } = openShopify()
    const draft = { order_remote_id: openOrder(), tracking_number: 'T-1', carrier }
    await shipments.create.send(opened, draft, { id: 'a' })
    expect(sentAs('mutation Ship')).toMatchObject([{ fulfillment: { trackingInfo: { company } } }])
  })

  test.skipIf(!hasSpecifications)(`are those of the platform’s list (else: ${noSpecifications})`, () => {
    const text = readSpecification('shopify/admin-2026-10.described.graphql')
    const list = /Supported tracking companies([\s\S]*?)\n {2}"""/.exec(text)?.[1] ?? ''
    const [everywhere = '', by = ''] = list.split('in specific countries:')
    const all = [
      ...[...everywhere.matchAll(/\* (.+)/g)].map(([, name = '']) => name),
      ...by
        .replace(/\*\*.*?\*\*:/g, ',')
        .replace(/\.\s*$/, '')
        .split(/[,*]/),
    ].flatMap((name) => name.replace(/\s+/g, ' ').trim() || [])
    expect(all.length).toBeGreaterThan(170)
    expect(all.map((name) => carrierName(name.toLowerCase()))).toEqual(all)
  })
})

describe('products that we make', () => {
  const draft = { sku: 'NEW-1', title: 'New', price: '9.90', currency: 'EUR' }

  test('can be seen in the shop', async () => {
    const { simulator, shop: opened } = openShopify()
    const made = await products.export?.send(opened, draft, { id: 'a' })
    expect(made).toMatchObject({ status: 'active', url: expect.stringMatching(/^https:/) })
    expect(simulator.doubles()).toEqual([])
  })

  test('stay hidden where they are drafts, and where the app may not publish', async () => {
    const scopes = 'write_orders,write_products,write_inventory,read_locations'
    const { shop: opened } = openShopify({ variant: { scopes } })
    expect(await products.export?.send(opened, draft, { id: 'a' })).toMatchObject({ status: 'active', url: null })
    const { sentAs, shop: other } = openShopify()
    await products.export?.send(other, { ...draft, status: 'draft' }, { id: 'a' })
    expect(sentAs('mutation Publish')).toEqual([])
  })
})

describe('orders that we make', () => {
  const lines = [{ sku: 'SKU-00001-1', quantity: 2, unit_price: '10.00' }]
  const draft = { currency: 'EUR', lines, shipping_method: 'Courier', shipping_total: '4.90', tax_total: '3.98' }

  test('have their shipping, tax and payment', async () => {
    const { sentAs, shop: opened } = openShopify()
    const made = await orders.create?.send(opened, { ...draft, prices_include_tax: true, paid: true }, { id: 'a' })
    expect(made).toMatchObject({
      ...{ shipping_method: 'Courier', shipping_total: { amount: '4.90' }, tax_total: { amount: '3.98' } },
      ...{ total: { amount: '24.90' }, payment_status: 'paid', status: 'open' },
    })
    const amount = (value: string) => ({ shopMoney: { amount: value, currencyCode: 'EUR' } })
    expect(sentAs('mutation Create')).toMatchObject([
      {
        order: {
          ...{ taxesIncluded: true, taxLines: [{ rate: '0.1902', priceSet: amount('3.98') }] },
          ...{ financialStatus: 'PAID', transactions: [{ kind: 'SALE', amountSet: amount('24.90') }] },
        },
      },
    ])
  })

  test('say nothing of what nobody said', async () => {
    const { sentAs, shop: opened } = openShopify()
    await orders.create?.send(opened, { currency: 'EUR', lines }, { id: 'a' })
    const [sent] = sentAs('mutation Create')
    expect(Object.keys(sent?.['order'] as Fields)).toEqual(['sourceIdentifier', 'currency', 'lineItems'])
    await orders.create?.send(opened, { ...draft, paid: false }, { id: 'b' })
    expect(sentAs('mutation Create')[1]).toMatchObject({ order: { taxesIncluded: true, financialStatus: 'PENDING' } })
  })
})

describe('stock', () => {
  const level = { sku: 'SKU-00001-1', quantity: 4, location: location(0) }

  test('is set with a key that is the same for the same, and says that nothing is compared', async () => {
    const { simulator, sentAs, shop: opened } = openShopify()
    for (const _ of [1, 2]) await inventory.set?.send(opened, [level], { id: 'a' })
    const sent = sentAs('mutation Stock')
    expect(sent).toHaveLength(2)
    expect(sent[0]).toEqual(sent[1])
    expect(sent[0]?.['input']).toMatchObject({
      name: 'available',
      quantities: [{ changeFromQuantity: null, quantity: 4 }],
    })
    expect(simulator.doubles()).toEqual([])
  })

  test('is brought to locations that never had the article; unknown locations are reported', async () => {
    const { simulator, sentAs, shop: opened } = openShopify({ variant: { stock: 'main' } })
    const there = { ...level, location: location(1) }
    const nowhere = { ...level, location: location(77) }
    const main = { sku: 'SKU-00002-1', quantity: 8 }
    const results = await inventory.set?.send(opened, [there, nowhere, main], { id: 'a' })
    expect(results?.map(({ ok }) => ok)).toEqual([true, false, true])
    expect(sentAs('mutation Activate')).toHaveLength(1)
    const found = simulator.truthOfInventory().map(({ location_remote_id: at, sku, available: n }) => ({ at, sku, n }))
    expect(found).toContainEqual({ at: location(1), sku: 'SKU-00001-1', n: 4 })
    expect(found).toContainEqual({ at: location(0), sku: 'SKU-00002-1', n: 8 })
  })

  test('of articles that share a number is told for each, and set where one of them is named', async () => {
    const { simulator, shop: opened } = openShopify()
    const shared = { sku: 'SHARED', title: 'Default Title', price: 900, stock: 5 }
    const [first, second] = ['First', 'Second'].map((title) =>
      simulator.world.shop.stockroom.add({ title, html: '', status: 'active', images: [], variants: [shared] }),
    )
    const levels = async () => {
      const all: unknown[] = []
      for (let cursor: string | null = null; ; ) {
        const page: RawPage = await inventory.list(opened, { ...query, cursor })
        all.push(...page.items)
        cursor = page.next
        if (cursor === null) return all.map((raw) => toInventoryLevel(raw)).filter(({ sku }) => sku === 'SHARED')
      }
    }
    const main = (all: Awaited<ReturnType<typeof levels>>) =>
      all.filter((level) => level.location_remote_id === location(0)).map((level) => level.available)
    const before = await levels()
    expect(new Set(before.map(({ variant_remote_id: id }) => id)).size).toBe(2)
    expect(main(before)).toEqual([5, 5])
    const [id] = before.map((level) => level.variant_remote_id)
    const send = (setting: object) =>
      inventory.set?.send(opened, [{ sku: 'SHARED', quantity: 9, ...setting }], { id: JSON.stringify(setting) })
    expect(await send({})).toMatchObject([{ ok: false, error: expect.stringContaining('Several articles') }])
    expect(main(await levels())).toEqual([5, 5])
    expect(await send({ variant_remote_id: id })).toMatchObject([{ ok: true }])
    expect([first, second].map((product) => product?.variants[0]?.stock[0]).sort()).toEqual([5, 9])
  })

  test('one that is refused does not keep the others from being set', async () => {
    const { simulator, sentAs, shop: opened } = openShopify()
    const items = [5, 2_000_000_000, 5].map((quantity, n) => ({
      ...{ sku: `SKU-0000${n + 1}-1`, quantity, location: location(0) },
    }))
    const results = await inventory.set?.send(opened, items, { id: 'a' })
    expect(results?.map(({ ok, error }) => [ok, error])).toEqual([
      [true, null],
      [false, "The quantity can't be higher than 1,000,000,000."],
      [true, null],
    ])
    expect(sentAs('mutation Stock')).toHaveLength(2)
    const set = simulator
      .truthOfInventory()
      .filter((one) => one.available === 5 && one.location_remote_id === location(0))
    expect(set.map(({ sku }) => sku)).toEqual(expect.arrayContaining(['SKU-00001-1', 'SKU-00003-1']))
  })

  test('of an article without a number is left out; of one that does not say what is available is refused', async () => {
    const { simulator, shop: opened } = openShopify()
    const { stockroom } = simulator.world.shop
    const bare = { sku: '', title: 'Default Title', price: 100, stock: 1 }
    stockroom.add({ title: 'Bare', html: '', status: 'active', images: [], variants: [bare] })
    const raws: unknown[] = []
    for (let cursor: string | null = null; ; ) {
      const page: RawPage = await inventory.list(opened, { ...query, cursor })
      raws.push(...page.items)
      cursor = page.next
      if (cursor === null) break
    }
    expect(raws).toHaveLength(simulator.truthOfInventory().length - 3)
    const second = raws.map((raw) => toInventoryLevel(raw)).find((one) => one.sku === 'SKU-00002-1')
    // What is sold and not sent, and what is laid aside.
    expect(second).toMatchObject({
      location_remote_id: location(0),
      reserved: 1,
      on_hand: (second?.available ?? 0) + 1,
    })
    expect(() => toInventoryLevel({ ...(raws[0] as Fields), quantities: [] })).toThrow(TypeError)
  })
})

describe('products', () => {
  const draft = { sku: 'SKU-00003-1', title: 'Renamed', price: '8.00', currency: 'EUR' }

  test('keep their other variants when one is sent', async () => {
    const { simulator, shop: opened } = openShopify()
    const several = simulator.truthOfProducts().find(({ skus }) => skus.length > 1)
    const [sku = '', ...others] = several?.skus ?? []
    const before = products.translate(await products.get?.(opened, several?.remote_id ?? ''), facts).variants
    const product = await products.export?.send(opened, { ...draft, sku }, { id: 'a' })
    expect(product?.title).toBe('Renamed')
    expect(others).not.toEqual([])
    expect(product?.variants.map((one) => [one.sku, one.price?.amount])).toEqual([
      [sku, '8.00'],
      ...before.slice(1).map((one) => [one.sku, one.price?.amount]),
    ])
  })

  test('are found by their number, not by what is like it, and made in the shop’s currency alone', async () => {
    const { simulator, shop: opened } = openShopify()
    const made = await products.export?.send(opened, { ...draft, sku: 'SKU-00001' }, { id: 'a' })
    expect(made?.variants.map(({ sku }) => sku)).toEqual(['SKU-00001'])
    await expect(products.export?.send(opened, { ...draft, currency: 'USD' }, { id: 'b' })).rejects.toMatchObject({
      message: 'Prices in this shop are in EUR.',
    })
    expect(simulator.doubles()).toEqual([])
  })

  test('with more variants than come at once are complete', async () => {
    const { simulator, shop: opened } = openShopify()
    addLargeProduct(simulator)
    const page = await products.list(opened, query)
    const counts = page.items.map((raw) => products.translate(raw, facts).variants.length)
    expect(Math.max(...counts)).toBe(45)
    expect(page.total).toBe(31)
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
    const ofReturns = [
      read('returns/request', { id: 1, status: 'requested', order: { id: 6 } }),
      read('returns/close', { id: 1, status: 'closed', order_id: 6 }),
    ]
    const changes = [{ kind: 'order', remoteId: 'gid://shopify/Order/6', raw: null }]
    expect(ofReturns).toMatchObject([
      { topic: 'order.updated', changes },
      { topic: 'order.updated', changes },
    ])
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

  test('that take away or delete are what their signed body says, not what the header says', () => {
    const order = { id: 450789469, customer: { id: 1, email: 'john@example.com' } }
    const shopResource = { id: 1, name: 'Harbour', domain: 'harbour.example', myshopify_domain: shop }
    const named = { shop_id: 1, shop_domain: shop }
    const bodies = {
      'orders/updated': order,
      'app/uninstalled': shopResource,
      'customers/data_request': { ...named, customer: { id: 1 }, orders_requested: [1], data_request: { id: 9 } },
      'customers/redact': { ...named, customer: { id: 1 }, orders_to_redact: [1] },
      'shop/redact': named,
    }
    const topics = Object.keys(bodies).filter((topic) => topic !== 'orders/updated')
    for (const [signed, body] of Object.entries(bodies)) {
      for (const topic of topics) {
        if (signed === topic) expect(read(topic, body)).toMatchObject({ changes: [] })
        else expect(() => read(topic, body), `${signed} as ${topic}`).toThrow(TypeError)
      }
    }
    expect(() => read('shop/redact', { shop_id: 1 })).toThrow(TypeError)
    expect(() => read('app/uninstalled', { id: 1, myshopify_domain: null })).toThrow(TypeError)
  })

  test('about parts that are held or moved lead to the order', async () => {
    const { openOrder, shop: opened } = openShopify()
    const id = openOrder()
    const part = `gid://shopify/FulfillmentOrder/${4_000_000_000 + 100 * (Number(id.replace(/^.*\//, '')) - 5_000_000_001)}`
    const held = read('fulfillment_orders/placed_on_hold', { fulfillment_order: { id: part, status: 'on_hold' } })
    const moved = read('fulfillment_orders/moved', {
      ...{ original_fulfillment_order: { id: 'x' }, moved_fulfillment_order: { id: part } },
    })
    const changes = [{ kind: 'order', remoteId: part, raw: null }]
    expect([held, moved]).toMatchObject([
      { topic: 'order.updated', changes },
      { topic: 'order.updated', changes },
    ])
    expect(toOrder(await orders.get(opened, part)).remote_id).toBe(id)
    expect(await orders.get(opened, 'gid://shopify/FulfillmentOrder/1')).toBeNull()
  })

  test('about returns lead to the order, also where they name the return alone', async () => {
    const { shop: opened } = openShopify()
    const granted = { ...opened, granted: ['read_orders', 'read_returns'] }
    const { items } = await orders.list(granted, query)
    const returned = items.map((item) => toOrder(item)).find(({ returns = [] }) => returns.length > 0)
    const [order, back] = [returned?.remote_id ?? '', returned?.returns?.[0]?.remote_id ?? '']
    const number = order.replace(/^.*\//, '')
    const remoteId = (topic: string, body: object) => read(topic, body).changes[0]?.remoteId
    expect(remoteId('returns/request', { id: 1, order: { id: Number(number) } })).toBe(order)
    expect(remoteId('returns/close', { id: 1, order_id: Number(number) })).toBe(order)
    expect(remoteId('returns/update', { admin_graphql_api_id: back, return_line_items: {} })).toBe(back)
    expect(remoteId('returns/process', { id: Number(back.replace(/^.*\//, '')) })).toBe(back)
    expect(toOrder(await orders.get(granted, back))).toMatchObject({
      remote_id: order,
      returns: [{ remote_id: back }],
    })
    expect(await orders.get(granted, 'gid://shopify/Return/1')).toBeNull()
  })

  test('carry no more than is needed, and those about privacy are not registered', async () => {
    const { sentAs, shop: opened } = openShopify()
    if (webhooks.registration.kind !== 'api') return
    const topics = ['order.updated', 'app.uninstalled', 'privacy.shop_redact'] as const
    await webhooks.registration.register(opened, { url: 'https://entrepot.example/in', topics, secret: '' })
    expect((await webhooks.registration.list(opened)).map(({ topic }) => topic)).toEqual([
      'ORDERS_UPDATED',
      'ORDERS_EDITED',
      'ORDERS_DELETE',
      'FULFILLMENT_ORDERS_PLACED_ON_HOLD',
      'FULFILLMENT_ORDERS_HOLD_RELEASED',
      'FULFILLMENT_ORDERS_MOVED',
      'FULFILLMENT_ORDERS_RESCHEDULED',
      'FULFILLMENT_ORDERS_SCHEDULED_FULFILLMENT_ORDER_READY',
      'APP_UNINSTALLED',
    ])
    const sent = sentAs('mutation Subscribe').map(({ webhook }) => webhook as Fields)
    expect(sent[0]?.['includeFields']).toEqual(['id', 'updated_at'])
  })

  test('of returns are registered where the shop has granted the right to read them', async () => {
    const { sentAs, shop: opened } = openShopify()
    if (webhooks.registration.kind !== 'api') return
    const wanted = { url: 'https://entrepot.example/in', topics: ['order.updated' as const], secret: '' }
    await webhooks.registration.register({ ...opened, granted: ['read_orders', 'read_returns'] }, wanted)
    const words = sentAs('mutation Subscribe').filter(({ topic }) => String(topic).startsWith('RETURNS_'))
    expect(words.map(({ topic }) => topic)).toEqual([
      ...['RETURNS_REQUEST', 'RETURNS_APPROVE', 'RETURNS_DECLINE', 'RETURNS_CANCEL', 'RETURNS_CLOSE', 'RETURNS_REOPEN'],
      ...['RETURNS_UPDATE', 'RETURNS_PROCESS'],
    ])
    expect(words[0]?.['webhook']).toMatchObject({ includeFields: ['id', 'admin_graphql_api_id', 'order', 'order_id'] })
  })
})
