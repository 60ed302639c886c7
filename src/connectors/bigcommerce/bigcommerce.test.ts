import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { facts, open, put, query } from '../../../test/support/bigcommerce-shop.ts'
import { facts as platform } from '../../../test/support/platforms/bigcommerce.ts'
import {
  hasSpecifications,
  noSpecifications,
  readSample,
  specificationsFolder,
} from '../../../test/support/vendor-specification.ts'
import { type Fields, fieldsOf } from '../../commerce/reading.ts'
import { inventory } from './inventory.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { toProduct } from './translate-product.ts'
import { webhooks } from './webhooks.ts'

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
