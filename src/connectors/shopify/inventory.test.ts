import { describe, expect, test } from 'vitest'
import { openShopify } from '../../../test/support/shopify-shop.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { Fields } from '../../commerce/reading.ts'
import { inventory } from './inventory.ts'
import { toInventoryLevel } from './translate-product.ts'

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }

const location = (n: number) => `gid://shopify/Location/${6_000_000_001 + n}`

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
