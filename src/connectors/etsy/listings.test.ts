import { describe, expect, test } from 'vitest'
import { openStand } from '../../../test/support/connector-shop.ts'
import { fieldsOf, recordsIn } from '../../commerce/reading.ts'
import { etsy } from './index.ts'
import { inventory } from './inventory.ts'
import { products } from './products.ts'
import type { Credentials, Settings } from './settings.ts'
import { makeStand } from './stand.ts'
import { productOf } from './stand-records.ts'
import { toProduct } from './translate-product.ts'

const opened = (stand = makeStand()) => openStand<Settings, Credentials>(etsy, stand)
const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

describe('listings', () => {
  test('have variants with options, pictures in their order, and text that stays text', () => {
    const stand = makeStand()
    const { shop } = opened(stand)
    return Promise.all([products.get?.(shop, '502'), products.get?.(shop, '503')]).then(([varied, bare]) => {
      expect(toProduct(varied)).toMatchObject({
        status: 'active',
        description_html: 'Blue.<br>Holds &lt;much&gt;.',
        images: [{ alt: 'Front', position: 0 }, { position: 1 }],
        options: [{ name: 'Size', values: ['S', 'M', 'L'] }],
        variants: [
          { sku: 'CUP-2-S', title: 'S', price: { amount: '12.50' }, quantity: 2 },
          { sku: 'CUP-2-M', title: 'M', price: { amount: '13.50' }, quantity: 3 },
          { sku: 'CUP-2-L', title: 'L', price: { amount: '14.50' }, quantity: 4, weight: { value: '0.3', unit: 'kg' } },
        ],
      })
      expect(toProduct(bare)).toMatchObject({ status: 'inactive', variants: [{ remote_id: '503', quantity: 4 }] })
    })
  })

  test('that leave their state while it is read push no other out of the list', async () => {
    const stand = makeStand()
    const { shop } = opened(stand)
    const seen = new Set<string>()
    let cursor: string | null = null
    for (let page = 0; page === 0 || cursor !== null; page++) {
      const got = await products.list(shop, { ...query, limit: 4, cursor })
      for (const raw of got.items) seen.add(toProduct(raw).remote_id)
      cursor = got.next
      const first = stand.books.listings.get(500)
      if (page === 0 && first) first.state = 'expired'
    }
    expect(seen.size).toBe(stand.books.listings.size)
  })
})

describe('stock', () => {
  const set = async (stand: ReturnType<typeof makeStand>, wanted: Record<string, number>) => {
    const { shop, asked } = opened(stand)
    const settings = Object.entries(wanted).map(([sku, quantity]) => ({ sku, quantity }))
    const results = await inventory.set?.send(shop, settings, { id: 'x' })
    return { results, puts: asked.filter(({ request }) => request.method === 'PUT').map(({ request }) => request.body) }
  }

  test('is told with the whole listing, without ids, prices as numbers', async () => {
    const { results, puts } = await set(makeStand(), { 'CUP-2-S': 9, 'CUP-2-L': 0 })
    expect(results).toMatchObject([{ ok: true }, { ok: true }])
    const size = (id: number, value: string) => [
      { property_id: 100, property_name: 'Size', scale_id: null, value_ids: [id], values: [value] },
    ]
    expect(puts).toEqual([
      {
        products: [
          {
            sku: 'CUP-2-S',
            property_values: size(1, 'S'),
            offerings: [{ price: 12.5, quantity: 9, is_enabled: true }],
          },
          {
            sku: 'CUP-2-M',
            property_values: size(2, 'M'),
            offerings: [{ price: 13.5, quantity: 3, is_enabled: true }],
          },
          {
            sku: 'CUP-2-L',
            property_values: size(3, 'L'),
            offerings: [{ price: 14.5, quantity: 0, is_enabled: true }],
          },
        ],
        price_on_property: [],
        quantity_on_property: [100],
        sku_on_property: [100],
      },
    ])
  })

  const withListing = (change: object) => {
    const stand = makeStand()
    const listing = stand.books.listings.get(502)
    if (listing) listing.inventory = { ...listing.inventory, ...change }
    return stand
  }

  test('of a listing with one number is one number', async () => {
    const products = [productOf(2, 0, 5, 'S'), productOf(2, 1, 5, 'M')]
    const stand = withListing({ quantity_on_property: [], products })
    expect((await set(stand, { 'CUP-2-S': 8 })).results).toMatchObject([{ ok: true }])
    const told = recordsIn(stand.books.listings.get(502)?.inventory ?? {}, 'products')
    expect(told.flatMap((one) => recordsIn(one, 'offerings').map(({ quantity }) => quantity))).toEqual([8, 8])
    expect((await set(stand, { 'CUP-2-S': 8, 'CUP-2-M': 7 })).results).toMatchObject([{ ok: false }, { ok: false }])
  })

  test('keeps the profile of processing, and leaves out what has been deleted', async () => {
    const [first] = recordsIn({ all: [productOf(2, 0, 5, 'S')] }, 'all')
    const [offering] = recordsIn(first ?? {}, 'offerings')
    const products = [
      { ...first, offerings: [{ ...offering, readiness_state_id: 77 }] },
      { ...productOf(2, 1, 5, 'M'), is_deleted: true },
    ]
    const { puts } = await set(withListing({ products }), { 'CUP-2-S': 6 })
    expect(puts).toMatchObject([
      { products: [{ sku: 'CUP-2-S', offerings: [{ quantity: 6, readiness_state_id: 77 }] }] },
    ])
    expect(recordsIn(fieldsOf(puts[0]), 'products')).toHaveLength(1)
  })

  test('that several variations share a sku for is not shared out by us', async () => {
    const products = [productOf(2, 0, 5, 'S'), { ...productOf(2, 1, 5, 'M'), sku: 'CUP-2-S' }]
    const { results, puts } = await set(withListing({ products }), { 'CUP-2-S': 6 })
    expect(results).toMatchObject([{ ok: false, error: expect.stringContaining('Several variations') }])
    expect(puts).toEqual([])
  })
})
