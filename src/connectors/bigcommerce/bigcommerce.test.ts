import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ImitationOptions, openImitation } from '../../../test/support/imitation.ts'
import { facts as platform } from '../../../test/support/platforms/bigcommerce.ts'
import {
  hasSpecifications,
  noSpecifications,
  readSample,
  specificationsFolder,
} from '../../../test/support/vendor-specification.ts'
import { type Fields, fieldsOf } from '../../commerce/reading.ts'
import { carrierOf } from './carriers.ts'
import { bigcommerce } from './index.ts'
import { inventory } from './inventory.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import type { Credentials, Settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { toInventoryLevel, toProduct } from './translate-product.ts'
import { webhooks } from './webhooks.ts'

const facts = { shop: 'store-abc123.mybigcommerce.com', settings: {} }
const query = { updatedSince: null, statuses: [], cursor: null, limit: 50 }

const open = (options: ImitationOptions = {}) => openImitation<Settings, Credentials>(bigcommerce, options)

/** A product of its own in the shop, with one article. */
const put = ({ simulator }: ReturnType<typeof open>, sku: string) =>
  simulator.world.shop.stockroom.add({
    ...{ title: `Thing ${sku}`, html: '', status: 'active', images: [] },
    variants: [{ sku, title: 'Default Title', price: 1000, stock: 3 }],
  })

const store = { currency: 'USD', weight_units: 'Ounces', secure_url: 'https://my-awesome.store' }
const bare = (more: Fields = {}): Fields => ({
  id: 5,
  name: 'Jar',
  type: 'physical',
  weight: 1.5,
  price: 10,
  availability: 'available',
  is_visible: true,
  inventory_tracking: 'none',
  date_created: '2018-08-15T14:48:46+00:00',
  date_modified: '2018-09-05T20:42:07+00:00',
  images: [],
  variants: [{ id: 6, sku: 'JAR', option_values: [] }],
  store,
  ...more,
})

describe.skipIf(!hasSpecifications)(`official samples (else: ${noSpecifications})`, () => {
  const folder = 'bigcommerce/samples'
  const names = (pattern: RegExp) =>
    readdirSync(join(specificationsFolder, folder)).filter((name) => pattern.test(name))
  const variantList = 'product-variants_catalog.v3.getProductVariants.response-200.json'

  test('every product is reported, with the variants it lacks', () => {
    const found = names(/^products_catalog\.v3\.(getProduct|createProduct|updateProducts)\.response-200/)
    expect(found).toHaveLength(3)
    const { data: variants } = fieldsOf(readSample(`${folder}/${variantList}`))
    for (const name of found) {
      const reported = fieldsOf(readSample(`${folder}/${name}`))
      const product = fieldsOf(reported['data'] ?? reported)
      const raw = { ...bare(), ...product, variants, images: [], brand: null, store }
      expect(toProduct(raw)).toMatchObject({ title: product['name'], remote_id: String(product['id']) })
    }
  })

  test('the jar has its figures', () => {
    const jar = fieldsOf(fieldsOf(readSample(`${folder}/products_catalog.v3.getProduct.response-200.json`))['data'])
    const only = { id: 345, sku: 'JAR', option_values: [], price: null, inventory_level: 3 }
    expect(toProduct({ ...jar, variants: [only], images: [], brand: 'Parfait', store })).toMatchObject({
      remote_id: '174',
      title: '1L Le Parfait Jar',
      status: 'active',
      brand: 'Parfait',
      tags: ['jar', 'glass'],
      url: 'https://my-awesome.store/all/1l-le-parfait-jar/',
      remote_updated_at: '2018-09-05T20:42:07.000000Z',
      variants: [
        {
          price: { amount: '7.95', currency: 'USD' },
          compare_at_price: { amount: '10.00' },
          weight: { value: '1', unit: 'oz' },
          quantity: null,
          track_inventory: false,
        },
      ],
    })
  })

  test('every message is read, whatever it is about', () => {
    const found = readdirSync(join(specificationsFolder, folder, 'webhooks'))
    expect(found).toHaveLength(42)
    const readings = found.map((name) => {
      const body = { ...fieldsOf(readSample(`${folder}/webhooks/${name}`)), producer: 'stores/abc123' }
      return webhooks.read({ method: 'POST', headers: {}, query: {}, raw: Buffer.from(JSON.stringify(body)) }, facts)
    })
    expect(readings.filter(({ topic }) => topic !== null)).toHaveLength(11)
    expect(readings.filter(({ changes }) => changes[0]?.kind === 'order')).toHaveLength(6)
  })
})

test('each thing that is asked for is in one of the specifications', async () => {
  const imitation = open()
  const { asked, shop } = imitation
  put(imitation, 'JAR')
  await orders.list(shop, query)
  await products.list(shop, query)
  await inventory.list(shop, query)
  await inventory.set?.send(shop, [{ sku: 'JAR', quantity: 1 }], { id: 'a' })
  for (const { url } of asked) {
    const { pathname } = new URL(url)
    const about = platform.specifications.filter((one) => one.kind === 'openapi' && pathname.match(one.base))
    expect(about).toHaveLength(1)
  }
})

describe('products', () => {
  test('that are for sale at less say what they cost before; what a variant does not say, its product does', () => {
    const of = (more: Fields) => toProduct(bare(more)).variants[0]
    expect(of({ sale_price: 8 })).toMatchObject({ price: { amount: '8.00' }, compare_at_price: { amount: '10.00' } })
    expect(of({ retail_price: 9 })).toMatchObject({ price: { amount: '10.00' }, compare_at_price: null })
    expect(of({ inventory_tracking: 'product', inventory_level: 4 })).toMatchObject({ quantity: 4 })
    expect(of({ store: { ...store, weight_units: 'Tonnes' } })).toMatchObject({ weight: { value: '1500', unit: 'kg' } })
    expect(() => of({ store: { ...store, weight_units: 'Stones' } })).toThrow(TypeError)
    expect(toProduct(bare({ is_visible: false }))).toMatchObject({ status: 'inactive', remote_status: 'hidden' })
  })

  test('keep their other variants, and are made in the shop’s currency alone', async () => {
    const { simulator, shop } = open()
    const [sku = '', ...others] = simulator.truthOfProducts().find(({ skus }) => skus.length > 1)?.skus ?? []
    const prices = others.map((other) => [other, simulator.world.shop.stockroom.bySku(other)?.price])
    const draft = { sku, title: 'Renamed', price: '8.00', currency: 'EUR', quantity: 3 }
    const product = await products.export?.send(shop, draft, { id: 'a' })
    expect(product?.variants.map((one) => [one.sku, Math.round(Number(one.price?.amount) * 100)])).toEqual([
      [sku, 800],
      ...prices,
    ])
    await expect(products.export?.send(shop, { ...draft, currency: 'USD' }, { id: 'b' })).rejects.toMatchObject({
      message: 'Prices in this shop are in EUR.',
    })
    expect(simulator.doubles()).toEqual([])
  })
})

describe('stock', () => {
  test('is set so that what is kept back is not counted', async () => {
    const { simulator, asked, shop } = open()
    const { sku = '' } = simulator.truthOfInventory().at(0) ?? {}
    const items = [{ sku, quantity: 40, location: '2' }]
    expect(await inventory.set?.send(shop, items, { id: 'a' })).toMatchObject([{ ok: true }])
    expect(setIn(asked).at(-1)).toMatchObject([{ location_id: 2, quantity: 42 }])
    expect(simulator.truthOfInventory().find((one) => one.sku === sku && one.location_remote_id === '2')).toMatchObject(
      {
        available: 40,
      },
    )
  })

  test('one that is refused does not keep the others from being set; products are counted as products', async () => {
    const imitation = open({
      // The shop gives one up while its stock is being set.
      before({ request }) {
        if (request.method === 'PUT' && !leaving.deleted) imitation.simulator.world.shop.stockroom.remove(leaving)
        return null
      },
    })
    const { simulator, asked, shop } = imitation
    put(imitation, 'JAR')
    const leaving = put(imitation, 'LEAVING')
    const [several = ''] = simulator.truthOfProducts().find(({ skus }) => skus.length > 1)?.skus ?? []
    const items = ['JAR', 'LEAVING', several, 'NOBODY'].map((sku) => ({ sku, quantity: 5 }))
    const results = await inventory.set?.send(shop, [...items, { sku: 'JAR', quantity: 1, location: '9' }], {
      id: 'a',
    })
    expect(results?.map(({ ok, error }) => [ok, error])).toEqual([
      [true, null],
      [false, '[Item was not found]'],
      [true, null],
      [false, 'The shop has no such article.'],
      [false, 'The shop has no such location.'],
    ])
    expect(setIn(asked).some(([item]) => item?.['product_id'] !== undefined)).toBe(true)
  })

  test('of articles that are counted by product and by variant is set together; how they are counted is asked once', async () => {
    const imitation = open()
    const { simulator, asked, shop } = imitation
    const skus = ['JAR', 'CAN', 'TIN'].map((sku) => put(imitation, sku).variants[0]?.sku ?? '')
    skus.push(...(simulator.truthOfProducts().find((one) => one.skus.length > 1)?.skus ?? []))
    const set = async (quantity: number) => {
      const before = asked.length
      const settings = skus.map((sku) => ({ sku, quantity }))
      const results = await inventory.set?.send(shop, settings, { id: `a${quantity}` })
      expect(results?.every(({ ok }) => ok)).toBe(true)
      return asked.slice(before).filter(({ request }) => /adjustments|catalog/.test(request.path)).length
    }
    expect(await set(5)).toBe(3)
    expect(await set(6)).toBe(1)
    const left = simulator.truthOfInventory().filter((one) => skus.includes(one.sku) && one.location_remote_id === '1')
    expect(left.map(({ available }) => available)).toEqual(skus.map(() => 6))
  })

  test('of articles with a comma in their number is found as well', async () => {
    const imitation = open()
    put(imitation, 'JAR,2')
    const items = [{ sku: 'JAR,2', quantity: 5 }]
    expect(await inventory.set?.send(imitation.shop, items, { id: 'a' })).toMatchObject([{ ok: true }])
  })

  test('of an article without a number is left out', async () => {
    const imitation = open({ products: 3 })
    const { shop, simulator } = imitation
    put(imitation, '')
    const articles = simulator.truthOfInventory().filter(({ location_remote_id: at }) => at === '1')
    const { items } = await inventory.list(shop, query)
    expect(items.map(toInventoryLevel).map(({ sku }) => sku)).toEqual(
      articles.map(({ sku }) => sku).filter((sku) => sku !== ''),
    )
    expect(items).toHaveLength(articles.length - 1)
    await expect(inventory.list(shop, { ...query, cursor: 'x' })).rejects.toMatchObject({ kind: 'upstream_refused' })
  })
})

test('the stock of one article is read by itself, at all its places', async () => {
  const imitation = open()
  const { asked, shop } = imitation
  const { items } = await inventory.list(shop, query)
  const [one] = items.map(toInventoryLevel)
  const ofVariant = items.map(toInventoryLevel).filter(({ sku }) => sku === one?.sku)
  const before = asked.length
  const levels = await inventory.levelsOf?.(shop, one?.variant_remote_id ?? '')
  expect(asked.slice(before).map(({ request }) => [request.path, request.query?.['variant_id:in']])).toEqual([
    ['/v3/inventory/items', one?.variant_remote_id],
  ])
  const found = levels?.map(toInventoryLevel) ?? []
  expect(found.map(({ location_remote_id: place }) => place)).toEqual(['1', '2', '3'])
  expect(found).toEqual(expect.arrayContaining(ofVariant))
  // A product as a whole has the levels of all its variants.
  const message = (scope: string, data: object) => ({
    ...{ method: 'POST', headers: {}, query: {} },
    raw: Buffer.from(JSON.stringify({ scope, data, producer: 'stores/abc123', hash: 'h', created_at: 1_790_000_000 })),
  })
  const told = webhooks.read(message('store/product/inventory/updated', { type: 'product', id: 77 }), facts)
  expect(told.changes).toEqual([{ kind: 'inventory', remoteId: 'product:77', raw: null }])
  const product = fieldsOf(fieldsOf(items[0])['identity'])['product_id']
  const whole = await inventory.levelsOf?.(shop, `product:${product}`)
  expect(whole?.map(toInventoryLevel)).toEqual(expect.arrayContaining(ofVariant))
  expect(await inventory.levelsOf?.(shop, 'x')).toEqual([])
})

test('pictures of a product that is there become those that are sent, and are left alone if they are', async () => {
  const imitation = open()
  const { asked, shop, simulator } = imitation
  put(imitation, 'PICS')
  const shown = () => simulator.world.shop.stockroom.article('PICS')?.product.images.map(({ url }) => url)
  const draft = { sku: 'PICS', title: 'Thing PICS', price: '10.00', currency: 'EUR' }
  const send = (...names: string[]) =>
    products.export?.send(
      shop,
      { ...draft, images: names.map((name) => ({ url: `https://shots.example/a/${name}?v=1` })) },
      { id: 'a' },
    )
  await send('Front view.jpg', 'back.png')
  expect(shown()).toEqual(['https://shots.example/a/Front view.jpg?v=1', 'https://shots.example/a/back.png?v=1'])
  const writes = () => asked.filter(({ request }) => /images/.test(request.path) && request.method !== 'GET').length
  const before = writes()
  await send('Front view.jpg', 'back.png')
  expect(writes()).toBe(before)
  await send('back.png')
  expect(shown()).toEqual(['https://shots.example/a/back.png?v=1'])
})

test.each([
  ['UPS', { shipping_provider: 'ups', tracking_carrier: '' }],
  ['Australia Post', { shipping_provider: 'auspost', tracking_carrier: '' }],
  ['Royal Mail', { shipping_provider: 'royalmail', tracking_carrier: '' }],
  ['DHL', { shipping_provider: '', tracking_carrier: 'dhl' }],
  ['DHL Paket', { shipping_provider: '', tracking_carrier: 'dhl-germany' }],
  ['dpd-uk', { shipping_provider: '', tracking_carrier: 'dpd-uk' }],
  ['GLS', { shipping_provider: '', tracking_carrier: 'gls' }],
  ['Evri', { shipping_provider: '', tracking_carrier: 'myhermes-uk' }],
  ['Fast Bikes', { shipping_provider: '', tracking_carrier: '', shipping_method: 'Fast Bikes' }],
])('a parcel of %s says so in the words of the platform', (carrier, said) => {
  expect(carrierOf(carrier)).toEqual(said)
})

/** The items of each time that stock was set. */
const setIn = (asked: ReturnType<typeof open>['asked']): Fields[][] =>
  asked.flatMap(({ request }) => (request.method === 'PUT' ? [fieldsOf(request.body)['items'] as Fields[]] : []))

describe('parcels', () => {
  const draft = { tracking_number: 'T-1', carrier: 'UPS' }

  test('go in parts, never more than is left, and the same one once', async () => {
    const { simulator, asked, shop } = open()
    const { book } = simulator.world.shop
    const index = book.byNumber().find((one) => {
      const order = book.get(one)
      return order?.stage === 'paid' && (order.lines[0]?.quantity ?? 0) > 1
    })
    const id = String(100 + (index ?? 0))
    const line = { id: orders.translate(await orders.get(shop, id), shop).lines[0]?.remote_id }
    const lines = [{ order_line_remote_id: String(line.id), quantity: 1 }]
    const parcel = await shipments.create.send(shop, { ...draft, order_remote_id: id, lines }, { id: 'a' })
    expect(parcel).toMatchObject({ lines, carrier_code: 'ups' })
    expect(await shipments.create.send(shop, { ...draft, order_remote_id: id, lines }, { id: 'a' })).toEqual(parcel)
    expect(asked.filter(({ request }) => request.method === 'POST')).toHaveLength(1)
    const more = [{ order_line_remote_id: String(line.id), quantity: 9 }]
    await expect(
      shipments.create.send(shop, { ...draft, tracking_number: 'T-2', order_remote_id: id, lines: more }, { id: 'b' }),
    ).rejects.toMatchObject({ kind: 'upstream_refused' })
  })

  test('for several addresses are several; unknown carriers are sent as the way of sending', async () => {
    const { simulator, asked, shop } = open({ orders: 400 })
    const { book } = simulator.world.shop
    const index = book.byNumber().find((one) => {
      const { stage, lines = [], shipTo, billTo } = book.get(one) ?? {}
      return stage === 'paid' && lines.length > 1 && shipTo?.street !== billTo?.street
    })
    const order = { id: 100 + (index ?? 0) }
    const parcel = await shipments.create.send(
      shop,
      { ...draft, carrier: 'Fast Bikes', order_remote_id: String(order.id) },
      { id: 'a' },
    )
    expect(parcel).toMatchObject({ carrier_name: 'Fast Bikes', tracking_number: 'T-1' })
    const bodies = asked.flatMap(({ request }) => (request.method === 'POST' ? [fieldsOf(request.body)] : []))
    expect(new Set(bodies.map((body) => body['order_address_id'])).size).toBe(2)
    expect(bodies).toHaveLength(2)
    expect(bodies[0]).toMatchObject({ shipping_provider: '', shipping_method: 'Fast Bikes' })
  })
})

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
