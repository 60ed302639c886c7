import { describe, expect, test } from 'vitest'
import { openStand } from '../../../../test/support/connector-shop.ts'
import type { ReadQuery } from '../../../commerce/connector.ts'
import { shopify } from '../index.ts'
import { orders } from '../orders.ts'
import { products } from '../products.ts'
import type { Credentials, Settings } from '../settings.ts'
import { makeShop } from '../stand.ts'
import { toOrder } from '../translate-order.ts'
import { toProduct } from '../translate-product.ts'

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }

function open(options: Parameters<typeof makeShop>[0] = {}) {
  const stand = makeShop(options)
  return { stand, shop: openStand<Settings, Credentials>(shopify, stand).shop }
}

describe('large shops', () => {
  const large = { ...query, limit: 300 }

  test('are read in bulk by a sync, and by nobody else', async () => {
    const { stand, shop: opened } = open({ claims: 6000 })
    expect((await orders.list(opened, query)).items.length).toBeGreaterThan(0)
    expect((await orders.list(opened, { ...large, updatedSince: '2026-01-01T00:00:00.000000Z' })).items).not.toEqual([])
    expect(stand.bulk.begun).toBe(0)
    const page = await orders.list(opened, large)
    expect(page).toMatchObject({ items: [], total: 6000 })
    expect(stand.bulk.begun).toBe(1)
  })

  test('are waited for, then told piece by piece, each order once and as it is told by itself', async () => {
    const { stand, shop: opened } = open({ claims: 6000 })
    const { next } = await orders.list(opened, large)
    await expect(orders.list(opened, { ...large, cursor: next })).rejects.toMatchObject({
      kind: 'upstream_retryable',
      retryAfterSeconds: 20,
    })
    stand.bulk.status = 'COMPLETED'
    const all: unknown[] = []
    let pages = 0
    for (let cursor = next; cursor !== null; pages++) {
      const page = await orders.list(opened, { ...large, limit: 7, cursor })
      expect(page.items.length).toBeLessThanOrEqual(7)
      all.push(...page.items)
      cursor = page.next
    }
    expect(pages).toBeGreaterThan(8)
    expect(stand.bulk.begun).toBe(1)
    const told = all.map((raw) => toOrder(raw))
    expect(told.map((order) => order.remote_id).sort()).toEqual(stand.books.orders.map(({ id }) => id).sort())
    for (const { raw: _, ...order } of told) {
      const { raw: __, ...alone } = toOrder(await orders.get(opened, order.remote_id))
      expect(order).toEqual(alone)
    }
  })

  test.each(['FAILED', 'CANCELED', 'EXPIRED'])('are read page by page where it ends as %s', async (status) => {
    const { stand, shop: opened } = open({ claims: 6000 })
    const { next } = await orders.list(opened, large)
    stand.bulk.status = status
    const page = await orders.list(opened, { ...large, cursor: next })
    expect(page.items).toEqual([])
    expect((await orders.list(opened, { ...large, cursor: page.next })).items).not.toEqual([])
    expect(stand.bulk.begun).toBe(1)
  })

  test('products are read in bulk by a sync too, with all variants and pictures, as they are told by themselves', async () => {
    const { stand, shop: opened } = open({ claims: 6000 })
    expect((await products.list(opened, query)).items.length).toBeGreaterThan(0)
    expect(stand.bulk.begun).toBe(0)
    const { items, next, total } = await products.list(opened, large)
    expect({ items, total, begun: stand.bulk.begun }).toEqual({ items: [], total: 6000, begun: 1 })
    await expect(products.list(opened, { ...large, cursor: next })).rejects.toMatchObject({ retryAfterSeconds: 20 })
    // The product with the most variants has to fit into one piece.
    Object.assign(stand.bulk, { status: 'COMPLETED', mostBytes: 30_000 })
    const all: unknown[] = []
    for (let cursor = next; cursor !== null; ) {
      const page = await products.list(opened, { ...large, limit: 4, cursor })
      expect(page.items.length).toBeLessThanOrEqual(4)
      all.push(...page.items)
      cursor = page.next
    }
    const told = all.map((raw) => toProduct(raw))
    expect(told.map((one) => one.remote_id).sort()).toEqual(stand.books.products.map(({ id }) => id).sort())
    expect(Math.max(...told.map(({ variants }) => variants.length))).toBe(45)
    for (const { raw: _, ...product } of told) {
      const { raw: __, ...alone } = toProduct(await products.get?.(opened, product.remote_id))
      expect(product).toEqual(alone)
    }
  })

  test('products are read page by page where the platform lays nothing down', async () => {
    const { stand, shop: opened } = open({ claims: 6000 })
    const { next } = await products.list(opened, large)
    stand.bulk.status = 'FAILED'
    const page = await products.list(opened, { ...large, cursor: next })
    expect(page.items).toEqual([])
    expect((await products.list(opened, { ...large, cursor: page.next })).items.length).toBeGreaterThan(0)
  })

  test('cursors of somebody else are refused', async () => {
    const { shop: opened } = open()
    for (const cursor of ['x', '{}x', '[]', '{"first":0,"after":null}', '{"operation":1,"offset":0}', 'null']) {
      await expect(orders.list(opened, { ...query, cursor })).rejects.toMatchObject({ kind: 'upstream_refused' })
    }
  })
})
