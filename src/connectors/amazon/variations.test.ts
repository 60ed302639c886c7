import { describe, expect, test } from 'vitest'
import { openStand } from '../../../test/support/connector-shop.ts'
import type { ReadQuery } from '../../commerce/connector.ts'
import { amazon } from './index.ts'
import { products } from './products.ts'
import type { Credentials, Settings } from './settings.ts'
import { makeStand } from './stand.ts'

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

function open() {
  const stand = makeStand()
  const opened = openStand<Settings, Credentials>(amazon, stand)
  const skuOf = (n: number) => stand.books.listings[n]?.sku ?? ''
  const read = async (asked: Partial<ReadQuery> = {}) => {
    const all = []
    for (let cursor: string | null = null; ; ) {
      const page: Awaited<ReturnType<typeof products.list>> = await products.list(opened.shop, {
        ...query,
        ...asked,
        cursor,
      })
      all.push(...page.items.map((raw) => products.translate(raw, opened.shop)))
      cursor = page.next
      if (cursor === null) return all
    }
  }
  return { stand, ...opened, skuOf, read }
}

describe('what comes in several kinds', () => {
  test('is one product with a variant for each, and is active if any of them may be bought', async () => {
    const { skuOf, read } = open()
    const all = await read({ limit: 6 })
    const family = all.find(({ remote_id: id }) => id === skuOf(45))
    expect(family).toMatchObject({
      title: 'Case number 45',
      status: 'active',
      options: [{ name: 'color', values: ['blue', 'red', 'green'] }],
      variants: [
        { sku: skuOf(41), title: 'blue', options: [{ name: 'color', value: 'blue' }], price: { amount: '39.90' } },
        { sku: skuOf(42), title: 'red', quantity: 42 },
        { sku: skuOf(54), title: 'green' },
      ],
    })
    expect(all.filter(({ remote_id: id }) => [41, 42, 54].map(skuOf).includes(id))).toEqual([])
    expect(all.find(({ remote_id: id }) => id === skuOf(50))?.variants).toHaveLength(21)
  })

  test('is told once, with whichever changed last; a change of one kind is a change of the product', async () => {
    const { stand, skuOf, read } = open()
    const before = (await read()).find(({ remote_id: id }) => id === skuOf(45))
    const [summary] = stand.books.listings[41]?.summaries ?? []
    if (summary) summary.lastUpdatedDate = '2026-12-01T00:00:00Z'
    const changed = await read({ updatedSince: '2026-11-30T00:00:00.000000Z' })
    expect(changed.map(({ remote_id: id, remote_version: version }) => [id, version])).toEqual([
      [skuOf(45), '2026-12-01T00:00:00.000000Z'],
    ])
    expect(String(before?.remote_version) < '2026-12-01').toBe(true)
  })

  test('is found by the number of the whole, and not by that of a kind', async () => {
    const { shop, skuOf } = open()
    expect(products.translate(await products.get?.(shop, skuOf(45)), shop).variants).toHaveLength(3)
    expect(await products.get?.(shop, skuOf(41))).toBeNull()
  })

  test('of a listing that the seller does not have stands by itself', async () => {
    const { shop, skuOf, read } = open()
    const all = await read()
    expect(all.find(({ remote_id: id }) => id === skuOf(47))?.variants).toMatchObject([{ sku: skuOf(47) }])
    expect(await products.get?.(shop, skuOf(47))).not.toBeNull()
  })
})
