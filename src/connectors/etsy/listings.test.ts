import { describe, expect, test } from 'vitest'
import { type ImitationOptions, openImitation } from '../../../test/support/imitation.ts'
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
      },
    ])
    expect(second).toBeDefined()
    expect(imitation.simulator.doubles()).toEqual([])
  })

  test('of nothing at all is refused by Etsy, in its words', async () => {
    const imitation = open()
    const skus = imitation.varied?.variants.map(({ sku }) => [sku, 0] as const) ?? []
    const { results } = await set(imitation, Object.fromEntries(skus))
    expect(results?.map(({ error }) => error)).toEqual(skus.map(() => 'One offering must have quantity greater than 0'))
  })

  /** A shop with a single listing, which has this inventory and accepts whatever it is sent. */
  const withInventory = (reported: Fields) => {
    let kept: Fields = { price_on_property: [], quantity_on_property: [100], sku_on_property: [100], ...reported }
    const answer = (body: unknown) => ({ status: 200, headers: {}, body })
    const imitation = open({
      before: ({ url, request: { method, query: asked, body } }) => {
        if (url.endsWith('/listings')) {
          const results = asked?.['state'] === 'active' ? [{ ...rawListing, inventory: kept }] : []
          return answer({ count: results.length, results })
        }
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
