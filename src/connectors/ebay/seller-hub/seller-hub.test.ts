import { describe, expect, test } from 'vitest'
import { openImitation } from '../../../../test/support/imitation.ts'
import { prices } from '../changes/set-prices.ts'
import { ebay } from '../index.ts'
import { inventory } from '../inventory.ts'
import { products } from '../products.ts'
import type { Credentials, Settings } from '../settings.ts'

const settings = { listings: 'seller_hub' }
const query = { updatedSince: null, statuses: [], cursor: null, limit: 10 }
const open = (before?: Parameters<typeof openImitation>[1]) =>
  openImitation<Settings, Credentials>(ebay, { products: 12, settings, ...before })

type Reads = Pick<typeof products, 'list'>

async function readAll(reads: Reads, shop: ReturnType<typeof open>['shop']) {
  const all: unknown[] = []
  for (let cursor: string | null = null, isMore = true; isMore; isMore = cursor !== null) {
    const page = await reads.list(shop, { ...query, cursor })
    all.push(...page.items)
    cursor = page.next
  }
  return all
}

/** What the shop has listed, by SKU. */
const stocked = ({ simulator }: ReturnType<typeof open>) =>
  new Map(
    simulator.world.shop.stockroom
      .articles()
      .filter(({ product }) => product.status === 'active')
      .map(({ variant }) => [variant.sku, variant.stock.reduce((all, part) => all + part, 0)]),
  )

describe('listings of the Seller Hub', () => {
  test('are products with their variations, page by page, and found one by one', async () => {
    const imitation = open()
    const found = (await readAll(products, imitation.shop)).map((raw) => products.translate(raw, imitation.facts))
    const variants = found.flatMap((product) => product.variants)
    expect(new Map(variants.map(({ sku, quantity }) => [sku, quantity]))).toEqual(stocked(imitation))
    expect(variants.every(({ price }) => price?.currency === 'EUR')).toBe(true)
    for (const product of found) {
      const whole = await products.get?.(imitation.shop, product.remote_id)
      expect({ ...products.translate(whole, imitation.facts), raw: null }).toEqual({ ...product, raw: null })
    }
    expect(await products.get?.(imitation.shop, '999')).toBeNull()
    expect(imitation.asked.every(({ request }) => request.headers?.['authorization'] === undefined)).toBe(true)
  })

  test('have levels, and these are set four at a time', async () => {
    const imitation = open()
    const { shop, asked, facts } = imitation
    const levels = (await readAll(inventory, shop)).map((raw) => inventory.translate(raw, facts))
    expect(new Map(levels.map(({ sku, available }) => [sku, available]))).toEqual(stocked(imitation))
    const wanted = levels.slice(0, 6).map(({ sku }, n) => ({ sku, quantity: n * 3 }))
    asked.length = 0
    const results = await inventory.set?.send(shop, wanted, { id: '1' })
    expect(results?.every(({ ok }) => ok)).toBe(true)
    expect(wanted.map(({ sku }) => stocked(imitation).get(sku))).toEqual([0, 3, 6, 9, 12, 15])
    const calls = asked.map(({ request }) => request.headers?.['x-ebay-api-call-name'])
    expect(calls.filter((call) => call === 'ReviseInventoryStatus')).toHaveLength(2)
  })

  test('that our copy knows are asked for alone', async () => {
    const { shop, asked } = open()
    const page = await products.list(shop, query)
    const [first] = page.items.map((raw) => products.translate(raw, shop))
    const known = { ...shop, productsWith: async () => [first?.remote_id ?? ''] }
    asked.length = 0
    await inventory.set?.send(known, [{ sku: first?.variants[0]?.sku ?? '', quantity: 4 }], { id: '1' })
    expect(asked.map(({ request }) => request.headers?.['x-ebay-api-call-name'])).toEqual([
      'GetItem',
      'ReviseInventoryStatus',
    ])
  })

  test('that are not there, or lie at a place, are refused one by one; the others are set', async () => {
    const imitation = open()
    const [sku = ''] = stocked(imitation).keys()
    const results = await inventory.set?.send(
      imitation.shop,
      [
        { sku: 'no-such', quantity: 1 },
        { sku, quantity: 1, location: 'HARBOUR-1' },
        { sku, quantity: 2 },
      ],
      { id: '1' },
    )
    expect(results?.map(({ ok }) => ok)).toEqual([false, false, true])
    expect(stocked(imitation).get(sku)).toBe(2)
  })

  test('cost what they are told to', async () => {
    const { shop, simulator } = open()
    const page = await products.list(shop, query)
    const [first] = page.items.map((raw) => products.translate(raw, shop))
    const sku = first?.variants[0]?.sku ?? ''
    const wanted = [{ sku, price: '77.70', currency: 'EUR' }]
    expect(await prices.set.send(shop, wanted, { id: '1' })).toMatchObject([{ ok: true }])
    expect(simulator.world.shop.stockroom.bySku(sku)?.price).toBe(7770)
  })

  test('are not told to who has no right: the tokens are called over', async () => {
    const { shop } = open({ credentials: { access_token: 'v^1.1#wrong' } })
    await expect(products.list(shop, query)).rejects.toMatchObject({ message: expect.stringMatching(/credentials/i) })
  })
})
