import { describe, expect, test } from 'vitest'
import { addLargeProduct, openShopify, type ShopifyOptions, said, textIn } from '../../../test/support/shopify-shop.ts'
import { hasSpecifications, noSpecifications, readSpecification } from '../../../test/support/vendor-specification.ts'
import type { ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf } from '../../commerce/reading.ts'
import { orders } from './orders.ts'
import { carrierName } from './parcels/carriers.ts'
import { shipments } from './parcels/shipments.ts'
import { products } from './products.ts'
import { toOrder } from './translate-order.ts'

const shop = 'coffee-stand.myshopify.com'
const facts = { shop, settings: {} }
const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }

const location = (n: number) => `gid://shopify/Location/${6_000_000_001 + n}`

/** Orders of a page that are sent in several ways, and those whose ways were asked for, question by question. */
async function severalWays(before?: ShopifyOptions['before']) {
  const { shop: opened, sentAs } = openShopify(before && { before })
  const several: string[] = []
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const page = await orders.list(opened, { ...query, cursor })
    const told = page.items.map((item) => toOrder(item))
    several.push(
      ...told.filter(({ shipping_method: method }) => method?.includes(', Collected')).map(({ remote_id: id }) => id),
    )
    cursor = page.next
  }
  return { several, asked: sentAs('query Ways').map(({ ids }) => ids as string[]) }
}

test('further ways of sending are asked for where the first does not account for the price, for a page at once', async () => {
  const { several, asked } = await severalWays()
  expect(several.length).toBeGreaterThan(2)
  expect(asked.flat()).toEqual(several)
  expect(asked).toHaveLength(2)
})

test('where so many at once are too costly, they are asked for by fewer', async () => {
  const { several, asked } = await severalWays((call) => {
    const { ids } = fieldsOf(fieldsOf(call.request.body)['variables'])
    if (!textIn(call).startsWith('query Ways') || !Array.isArray(ids) || ids.length < 3) return null
    const extensions = { code: 'MAX_COST_EXCEEDED', cost: 100 * ids.length, maxCost: 200 }
    return { status: 200, headers: {}, body: { errors: [{ message: 'It costs too much.', extensions }] } }
  })
  const answered = asked.filter(({ length }) => length < 3)
  expect(answered.flat()).toEqual(several)
  expect([answered.length < several.length, asked.length > answered.length]).toEqual([true, true])
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

  test('make their buyer a customer of the shop, where it lets us', async () => {
    const scopes = 'write_orders,write_products,write_inventory,read_locations,read_customers'
    const { sentAs, shop: opened } = openShopify({ variant: { scopes } })
    const bought = { currency: 'EUR', lines, customer: { email: 'ada@example.com', first_name: 'Ada' } }
    const granted = (...own: string[]) => ({ ...opened, granted: own })
    const made = await orders.create?.send(granted('write_orders', 'read_customers'), bought, { id: 'a' })
    expect(made?.customer).toMatchObject({ email: 'ada@example.com' })
    expect(sentAs('mutation Create')[0]).toMatchObject({ order: { email: 'ada@example.com' } })
    expect(sentAs('mutation Create')[0]?.['order']).not.toHaveProperty('customer')
    const bold = orders.create?.send(granted('write_orders', 'write_customers'), bought, { id: 'b' })
    await expect(bold).rejects.toMatchObject({ message: expect.stringContaining('write_customers') })
    const { shop: open, sentAs: sent } = openShopify()
    await orders.create?.send(open, bought, { id: 'a' })
    expect(sent('mutation Create')).toMatchObject([
      { order: { customer: { toUpsert: { email: 'ada@example.com', firstName: 'Ada' } } } },
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
