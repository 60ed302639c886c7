import { describe, expect, test } from 'vitest'
import { type ImitationOptions, openImitation } from '../../../test/support/imitation.ts'
import type { RawPage } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf, recordsIn } from '../../commerce/reading.ts'
import { etsy } from './index.ts'
import { inventory } from './inventory.ts'
import { products } from './products.ts'
import type { Credentials, Settings } from './settings.ts'
import { toProduct } from './translate-product.ts'

const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

function open(options: ImitationOptions = {}) {
  const imitation = openImitation<Settings, Credentials>(etsy, options)
  const { stockroom } = imitation.simulator.world.shop
  const varied = stockroom.byChange().find(({ status, variants }) => status === 'active' && variants.length === 3)
  return { ...imitation, stockroom, varied }
}

const money = (amount: number) => ({ amount, divisor: 100, currency_code: 'EUR' })

/** One product of a listing, as Etsy reports it. */
const rawProduct = (sku: string, size: string, quantity: number): Fields => ({
  ...{ product_id: 6000 + size.charCodeAt(0), sku, is_deleted: false },
  offerings: [{ offering_id: 80_000, quantity, is_enabled: true, is_deleted: false, price: money(1250) }],
  property_values: [
    { property_id: 100, property_name: 'Size', scale_id: null, scale_name: null, value_ids: [1], values: [size] },
  ],
})

const rawListing = {
  ...{ listing_id: 502, state: 'active', title: 'Cup', updated_timestamp: 1_790_000_000, quantity: 4 },
  ...{ description: 'Blue.\nHolds <much>.', price: money(1250), item_weight: 0.3, item_weight_unit: 'kg' },
}

describe('listings', () => {
  test('have variants with options, pictures in their order, and text that stays text', async () => {
    const { shop, varied, simulator } = open()
    const id = simulator.truthOfProducts()[varied?.index ?? -1]?.remote_id ?? ''
    const colours = varied?.variants.map(({ title }) => title) ?? []
    expect(toProduct(await products.get?.(shop, id))).toMatchObject({
      status: 'active',
      options: [{ name: 'Colour', values: colours }],
      variants: varied?.variants.map(({ sku, title, price, stock }) => ({
        ...{ sku, title, quantity: stock.reduce((sum, count) => sum + count, 0) },
        price: { amount: (price / 100).toFixed(2) },
      })),
    })
    const images = [
      { rank: 2, url_fullxfull: 'https://i.etsystatic.com/2.jpg', alt_text: null },
      { rank: 1, url_fullxfull: 'https://i.etsystatic.com/1.jpg', alt_text: 'Front' },
    ]
    expect(toProduct({ ...rawListing, images })).toMatchObject({
      description_html: 'Blue.<br>Holds &lt;much&gt;.',
      images: [{ alt: 'Front', position: 0 }, { position: 1 }],
      variants: [{ remote_id: '502', quantity: 4, weight: { value: '0.3', unit: 'kg' } }],
    })
    expect(toProduct({ ...rawListing, state: 'inactive' }).status).toBe('inactive')
  })

  test('that leave their state while it is read push no other out of the list', async () => {
    const { shop, stockroom } = open()
    const seen = new Set<string>()
    let cursor: string | null = null
    for (let page = 0; page === 0 || cursor !== null; page++) {
      const got = await products.list(shop, { ...query, limit: 4, cursor })
      for (const raw of got.items) seen.add(toProduct(raw).remote_id)
      cursor = got.next
      const first = stockroom.byChange().find(({ status }) => status === 'active')
      if (page === 0 && first) stockroom.change(first, { status: 'archived' })
    }
    expect(seen.size).toBe(stockroom.byChange().length)
  })
})

describe('stock', () => {
  const set = async (
    { shop, asked }: Pick<ReturnType<typeof open>, 'shop' | 'asked'>,
    wanted: Record<string, number>,
  ) => {
    const settings = Object.entries(wanted).map(([sku, quantity]) => ({ sku, quantity }))
    const results = await inventory.set?.send(shop, settings, { id: 'x' })
    return { results, puts: asked.filter(({ request }) => request.method === 'PUT').map(({ request }) => request.body) }
  }

  test('is sent with the whole listing, without ids, prices as numbers', async () => {
    const imitation = open()
    const variants = imitation.varied?.variants ?? []
    const [first, second, third] = variants.map(({ sku }) => sku)
    const kept = variants[1]?.stock.reduce((sum, count) => sum + count, 0)
    const { results, puts } = await set(imitation, { [first ?? '']: 9, [third ?? '']: 0 })
    expect(results).toMatchObject([{ ok: true }, { ok: true }])
    const quantities = [9, kept, 0]
    expect(puts).toEqual([
      {
        products: variants.map(({ sku, title, price, position }, n) => ({
          sku,
          property_values: [
            { property_id: 200, property_name: 'Colour', scale_id: null, value_ids: [position + 1], values: [title] },
          ],
          offerings: [{ price: price / 100, quantity: quantities[n], is_enabled: true, readiness_state_id: 77 }],
        })),
        price_on_property: [200],
        quantity_on_property: [200],
        sku_on_property: [200],
        readiness_state_on_property: [],
      },
    ])
    expect(second).toBeDefined()
    expect(imitation.simulator.doubles()).toEqual([])
  })

  /** What a list of levels says of these articles. */
  const levelsOf = async ({ shop }: Pick<ReturnType<typeof open>, 'shop'>, skus: readonly string[]) => {
    const found = new Map<string, number>()
    for (let cursor: string | null = null, isMore = true; isMore; isMore = cursor !== null) {
      const page: RawPage = await inventory.list(shop, { ...query, cursor })
      for (const level of page.items.map((raw) => inventory.translate(raw, shop))) found.set(level.sku, level.available)
      cursor = page.next
    }
    return skus.map((sku) => found.get(sku))
  }

  test('of nothing at all takes the listing down, and stock that comes back puts it up again', async () => {
    const imitation = open()
    const { shop, simulator, varied } = imitation
    const [first = '', second = '', third = ''] = varied?.variants.map(({ sku }) => sku) ?? []
    const id = simulator.truthOfProducts()[varied?.index ?? -1]?.remote_id ?? ''
    const state = async () => toProduct(await products.get?.(shop, id)).remote_status
    const nothing = { [first]: 0, [second]: 0, [third]: 0 }
    for (const wanted of [nothing, nothing]) {
      expect((await set(imitation, wanted)).results).toMatchObject([{ ok: true }, { ok: true }, { ok: true }])
      expect(await state()).toBe('inactive')
      expect(await levelsOf(imitation, [first, second, third])).toEqual([0, 0, 0])
    }
    expect((await set(imitation, { [second]: 4 })).results).toMatchObject([{ ok: true }])
    expect(await state()).toBe('active')
    // The piece that stayed as a mark is told to be none, and is none again.
    expect(await levelsOf(imitation, [first, second, third])).toEqual([0, 4, 0])
  })

  test('of a listing that the merchant took down leaves it down', async () => {
    const rows = [rawProduct('CUP-S', 'S', 5), rawProduct('CUP-M', 'M', 5)]
    const down = { products: rows }
    const imitation = withInventory(down, { state: 'inactive' })
    expect((await set(imitation, { 'CUP-S': 6 })).results).toMatchObject([{ ok: true }])
    expect((await set(imitation, { 'CUP-S': 0, 'CUP-M': 0 })).results).toMatchObject([
      { ok: false, error: expect.stringContaining('inactive') },
      { ok: false },
    ])
    expect(imitation.asked.filter(({ request }) => request.method === 'PATCH')).toEqual([])
  })

  test('of what is sold out lists it anew', async () => {
    const imitation = open()
    const { stockroom, varied } = imitation
    for (const variant of varied?.variants ?? []) stockroom.setTotal(variant, 0)
    const skus = varied?.variants.map(({ sku }) => sku) ?? []
    const [first = ''] = skus
    expect((await set(imitation, { [first]: 0 })).results).toMatchObject([{ ok: true }])
    expect((await set(imitation, { [first]: 3 })).results).toMatchObject([{ ok: true }])
    expect(await levelsOf(imitation, skus)).toEqual([3, 0, 0])
  })

  test('is sent without reading the shop where our copy knows the listing', async () => {
    const imitation = open({ products: 400 })
    const { shop, asked, simulator, varied } = imitation
    const [sku = ''] = varied?.variants.map((one) => one.sku) ?? []
    const id = simulator.truthOfProducts()[varied?.index ?? -1]?.remote_id ?? ''
    const productsWith = async () => [id]
    const results = await inventory.set?.send({ ...shop, productsWith }, [{ sku, quantity: 5 }], { id: 'x' })
    expect(results).toMatchObject([{ ok: true }])
    const base = 'https://openapi.etsy.com/v3/application/listings'
    expect(asked.map(({ url, request }) => `${request.method} ${url}`)).toEqual([
      `GET ${base}/batch/inventory`,
      `PUT ${base}/${id}/inventory`,
    ])
  })

  test('finds the listing all the same where our copy is wrong, or a listing is gone', async () => {
    const imitation = open()
    const { shop, simulator, varied } = imitation
    const [sku = ''] = varied?.variants.map((one) => one.sku) ?? []
    const others = simulator.truthOfProducts().filter((_, index) => index !== varied?.index)
    for (const known of [[others[0]?.remote_id ?? ''], ['1009999999', others[1]?.remote_id ?? '']]) {
      const opened = { ...shop, productsWith: async () => known }
      expect(await inventory.set?.send(opened, [{ sku, quantity: 5 }], { id: 'x' })).toMatchObject([{ ok: true }])
      expect(await levelsOf(imitation, [sku])).toEqual([5])
    }
  })

  test('of a listing in three variations says that it has three, and keeps its processing profiles', async () => {
    const third = (size: string, colour: string, finish: string, quantity: number): Fields => {
      const one = (id: number, value: string) => ({
        ...{ property_id: id, property_name: `P${id}`, scale_id: null, scale_name: null },
        ...{ value_ids: [id], values: [value] },
      })
      return { ...rawProduct('CUP', size, quantity), property_values: [one(1, size), one(2, colour), one(3, finish)] }
    }
    const products = [third('S', 'Blue', 'Matt', 5), { ...third('S', 'Blue', 'Shiny', 5), sku: 'MUG' }]
    const imitation = withInventory({ products, readiness_state_on_property: [3] })
    const { results, puts } = await set(imitation, { CUP: 6 })
    expect(results).toMatchObject([{ ok: true }])
    const sent = imitation.asked.find(({ request }) => request.method === 'PUT')
    expect(sent?.request.query).toEqual({ max_variations_supported: 3 })
    expect(puts).toMatchObject([{ readiness_state_on_property: [3] }])
  })

  /** A shop with a single listing, which has this inventory and accepts whatever it is sent. */
  const withInventory = (reported: Fields, more: Fields = {}) => {
    const listing = { ...rawListing, ...more }
    let kept: Fields = { price_on_property: [], quantity_on_property: [100], sku_on_property: [100], ...reported }
    const answer = (body: unknown) => ({ status: 200, headers: {}, body })
    const imitation = open({
      before: ({ url, request: { method, query: asked, body } }) => {
        if (url.endsWith('/listings')) {
          const results = asked?.['state'] === listing.state ? [{ ...listing, inventory: kept }] : []
          return answer({ count: results.length, results })
        }
        if (url.endsWith('/batch/inventory')) return answer({ count: 1, results: [{ ...listing, inventory: kept }] })
        if (!url.endsWith('/inventory')) return null
        if (method === 'PUT') {
          const anew = fieldsOf(body)
          const priced = (one: Fields) => ({ ...one, price: money(Math.round(Number(one['price']) * 100)) })
          const listed = recordsIn(anew, 'products').map((one) => ({
            ...one,
            offerings: recordsIn(one, 'offerings').map(priced),
          }))
          kept = { ...anew, products: listed }
        }
        return answer(kept)
      },
    })
    return { ...imitation, kept: () => kept }
  }

  test('of a listing with one number is one number', async () => {
    const products = [rawProduct('CUP-S', 'S', 5), rawProduct('CUP-M', 'M', 5)]
    const imitation = withInventory({ quantity_on_property: [], products })
    expect((await set(imitation, { 'CUP-S': 8 })).results).toMatchObject([{ ok: true }])
    const reported = recordsIn(imitation.kept(), 'products')
    expect(reported.flatMap((one) => recordsIn(one, 'offerings').map(({ quantity }) => quantity))).toEqual([8, 8])
    expect((await set(imitation, { 'CUP-S': 8, 'CUP-M': 7 })).results).toMatchObject([{ ok: false }, { ok: false }])
  })

  test('keeps the profile of processing, and leaves out what has been deleted', async () => {
    const first = rawProduct('CUP-S', 'S', 5)
    const offerings = recordsIn(first, 'offerings').map((one) => ({ ...one, readiness_state_id: 77 }))
    const products = [
      { ...first, offerings },
      { ...rawProduct('CUP-M', 'M', 5), is_deleted: true },
    ]
    const { puts } = await set(withInventory({ products }), { 'CUP-S': 6 })
    expect(puts).toMatchObject([{ products: [{ sku: 'CUP-S', offerings: [{ quantity: 6, readiness_state_id: 77 }] }] }])
    expect(recordsIn(fieldsOf(puts[0]), 'products')).toHaveLength(1)
  })

  test('that several variations share a sku for is not shared out by us, but may be named by the variant', async () => {
    const products = [rawProduct('CUP-S', 'S', 5), rawProduct('CUP-S', 'M', 5)]
    const imitation = withInventory({ products })
    const { results, puts } = await set(imitation, { 'CUP-S': 6 })
    expect(results).toMatchObject([{ ok: false, error: expect.stringContaining('6083, 6077') }])
    expect(puts).toEqual([])
    const named = [{ variant_remote_id: '6077', quantity: 6 }]
    expect(await inventory.set?.send(imitation.shop, named, { id: 'x' })).toMatchObject([{ sku: null, ok: true }])
    const kept = recordsIn(imitation.kept(), 'products')
    expect(kept.flatMap((one) => recordsIn(one, 'offerings').map(({ quantity }) => quantity))).toEqual([5, 6])
  })
})
