import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../../test/support/connector-shop.ts'
import { addLargeProduct, openShopify, type ShopifyOptions } from '../../../../test/support/shopify-shop.ts'
import type { ReadQuery } from '../../../commerce/connector/reads.ts'
import type { RemoteAnswer } from '../../../commerce/remote.ts'
import { shopify } from '../index.ts'
import { orders } from '../orders.ts'
import { products } from '../products.ts'
import type { Credentials, Settings } from '../settings.ts'
import { toOrder } from '../translate-order.ts'
import { toProduct } from '../translate-product.ts'
import { readBulk } from './bulk.ts'

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }

/** A shop that says it is large. A bulk operation takes its time there, by the shop's own clock. */
function open(variant: ShopifyOptions['variant'] = {}, claims = { count: 6000 }) {
  const opened = openShopify({ variant, claims })
  return { ...opened, begun: () => opened.sentAs('mutation Bulk').length, complete: () => opened.simulator.advance(60) }
}

describe('large shops', () => {
  const large = { ...query, limit: 300 }

  test('are read in bulk by a sync, and by nobody else', async () => {
    const { begun, shop: opened } = open()
    expect((await orders.list(opened, query)).items.length).toBeGreaterThan(0)
    expect((await orders.list(opened, { ...large, updatedSince: '2025-01-01T00:00:00.000000Z' })).items).not.toEqual([])
    expect(begun()).toBe(0)
    const page = await orders.list(opened, large)
    expect(page).toMatchObject({ items: [], total: 6000 })
    expect(begun()).toBe(1)
  })

  test('are waited for, then read chunk by chunk, each order once and as it is read by itself', async () => {
    const { begun, complete, ids, shop: opened } = open()
    const { next } = await orders.list(opened, large)
    await expect(orders.list(opened, { ...large, cursor: next })).rejects.toMatchObject({
      kind: 'upstream_retryable',
      retryAfterSeconds: 20,
    })
    complete()
    const all: unknown[] = []
    let pages = 0
    for (let cursor = next; cursor !== null; pages++) {
      const page = await orders.list(opened, { ...large, limit: 7, cursor })
      expect(page.items.length).toBeLessThanOrEqual(7)
      all.push(...page.items)
      cursor = page.next
    }
    expect(pages).toBeGreaterThan(8)
    expect(begun()).toBe(1)
    const translated = all.map((raw) => toOrder(raw))
    expect(translated.map((order) => order.remote_id).sort()).toEqual(ids().sort())
    // To the letter: else whoever reads one both ways takes it for changed.
    for (const order of translated) expect(order).toEqual(toOrder(await orders.get(opened, order.remote_id)))
  })

  test('have no order that is half of the file and half of what has changed since', async () => {
    const { complete, ids, simulator, shop: opened } = open()
    const each = async () =>
      new Map(await Promise.all(ids().map(async (id) => [id, toOrder(await orders.get(opened, id))] as const)))
    const { next } = await orders.list(opened, large)
    const before = await each()
    complete()
    for (const index of simulator.world.shop.book.byNumber())
      simulator.world.shop.book.change(index, { surcharge: true })
    const after = await each()
    const page = await orders.list(opened, { ...large, cursor: next })
    const read = page.items.map((raw) => toOrder(raw))
    expect(read).toHaveLength(ids().length)
    const latest = read.filter(({ remote_id: id, remote_version }) => remote_version === after.get(id)?.remote_version)
    expect([latest.length > 0, latest.length < read.length]).toEqual([true, true])
    for (const order of read) expect(order).toEqual((latest.includes(order) ? after : before).get(order.remote_id))
  })

  test.each(['FAILED', 'CANCELED', 'EXPIRED'])('are read page by page where it ends as %s', async (status) => {
    const { begun, complete, shop: opened } = open({ bulk: status })
    const { next } = await orders.list(opened, large)
    complete()
    const page = await orders.list(opened, { ...large, cursor: next })
    expect(page.items).toEqual([])
    expect((await orders.list(opened, { ...large, cursor: page.next })).items).not.toEqual([])
    expect(begun()).toBe(1)
  })

  test('products are read in bulk by a sync too, with all variants and pictures, as they are read by themselves', async () => {
    const { begun, complete, simulator, shop: opened } = open()
    addLargeProduct(simulator)
    expect((await products.list(opened, query)).items.length).toBeGreaterThan(0)
    expect(begun()).toBe(0)
    const { items, next, total } = await products.list(opened, large)
    expect({ items, total, begun: begun() }).toEqual({ items: [], total: 6000, begun: 1 })
    await expect(products.list(opened, { ...large, cursor: next })).rejects.toMatchObject({ retryAfterSeconds: 20 })
    complete()
    const all: unknown[] = []
    for (let cursor = next; cursor !== null; ) {
      const page = await products.list(opened, { ...large, limit: 4, cursor })
      expect(page.items.length).toBeLessThanOrEqual(4)
      all.push(...page.items)
      cursor = page.next
    }
    const translated = all.map((raw) => toProduct(raw))
    expect(translated.map((one) => one.remote_id).sort()).toEqual(
      simulator
        .truthOfProducts()
        .map((one) => one.remote_id)
        .sort(),
    )
    expect(Math.max(...translated.map(({ variants }) => variants.length))).toBe(45)
    for (const one of translated) expect(one).toEqual(toProduct(await products.get?.(opened, one.remote_id)))
  })

  test('products are read page by page where the platform lays nothing down', async () => {
    const { complete, shop: opened } = open({ bulk: 'FAILED' })
    const { next } = await products.list(opened, large)
    complete()
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

describe('the file', () => {
  const known = { facts: { shop: 'mugs.myshopify.com', settings: {} }, credentials: { access_token: 'token' } }
  const state = (fields: object | null): Partial<RemoteAnswer> => ({ body: { data: { bulkOperation: fields } } })
  const done = state({ id: 'B1', status: 'COMPLETED', url: 'https://storage.googleapis.com/shop/file.jsonl' })
  const chunk = (text: string, range: string): Partial<RemoteAnswer> => ({
    status: 206,
    headers: { 'content-range': `bytes ${range}` },
    body: text,
  })
  const read = (offset: number, limit: number, ...answers: Partial<RemoteAnswer>[]) => {
    const { shop, asked } = scriptedShop<Settings, Credentials>(shopify, known, answers)
    const result = readBulk(shop, { operation: 'B1', offset }, limit)
    return { result, ranges: () => asked.flatMap(({ request }) => request.headers?.['range'] ?? []) }
  }
  const order = (n: number) => `{"id":"${n}"}\n`
  const lineOf = (n: number, name: string) => `{"name":"${name}","__parentId":"${n}"}\n`

  test('ends where a piece of it has ended', async () => {
    const { result, ranges } = read(10, 5, done, { status: 416, body: '' })
    expect(await result).toEqual({ records: [], next: null })
    expect(ranges()).toEqual([`bytes=10-${10 + 448 * 1024 - 1}`])
  })

  test('is read in whole records, with what belongs to them', async () => {
    const text = `${order(1)}${lineOf(1, 'é')}${order(2)}`
    const { result } = read(0, 5, done, chunk(`${text}{"na`, '0-99/1000'))
    // The second may go on in the next piece.
    const first = { root: { id: '1' }, parts: [{ name: 'é' }] }
    expect(await result).toMatchObject({ records: [first], next: Buffer.byteLength(`${order(1)}${lineOf(1, 'é')}`) })
    const last = read(0, 5, done, chunk(text, `0-${Buffer.byteLength(text) - 1}/${Buffer.byteLength(text)}`))
    expect(await last.result).toMatchObject({ records: [first, { root: { id: '2' }, parts: [] }], next: null })
  })

  test('is read no further than was asked for', async () => {
    const text = [1, 2, 3].map(order).join('')
    const { result } = read(100, 2, done, chunk(text, `100-${99 + text.length}/${100 + text.length}`))
    expect(await result).toMatchObject({
      records: [{ root: { id: '1' } }, { root: { id: '2' } }],
      next: 100 + 2 * order(1).length,
    })
  })

  test('comes in larger pieces where a record does not fit', async () => {
    const { result, ranges } = read(
      0,
      5,
      done,
      chunk(order(1), '0-10/1000'),
      chunk(`${order(1)}${order(2)}`, '0-20/1000'),
    )
    expect(await result).toMatchObject({ records: [{ root: { id: '1' } }], next: order(1).length })
    expect(ranges()).toEqual([`bytes=0-${448 * 1024 - 1}`, `bytes=0-${4 * 448 * 1024 - 1}`])
    const piece = chunk(order(1), '0-10/1000')
    const never = read(0, 5, done, piece, piece, piece)
    expect(await never.result).toBeNull()
  })

  test('comes as a whole from who does not know of pieces', async () => {
    const { result } = read(order(1).length, 5, done, { status: 200, body: `${order(1)}${order(2)}` })
    expect(await result).toMatchObject({ records: [{ root: { id: '2' }, parts: [] }], next: null })
  })

  test('that is not in order, or not to be had, is none', async () => {
    expect(await read(0, 5, done, chunk(lineOf(1, 'a'), '0-30/31')).result).toBeNull()
    expect(await read(0, 5, done, chunk(`${order(1)}${lineOf(2, 'a')}`, '0-30/31')).result).toBeNull()
    expect(await read(0, 5, done, { status: 403, body: 'expired' }).result).toBeNull()
    expect(await read(0, 5, state(null)).result).toBeNull()
    expect(
      await read(0, 5, state({ id: 'B1', status: 'EXPIRED', url: 'https://storage.googleapis.com' })).result,
    ).toBeNull()
  })

  test('is not there where nothing was found, and waited for while it is made', async () => {
    expect(await read(0, 5, state({ id: 'B1', status: 'COMPLETED', url: null })).result).toEqual({
      records: [],
      next: null,
    })
    for (const status of ['CREATED', 'RUNNING']) {
      const { result } = read(0, 5, state({ id: 'B1', status, url: null }))
      await expect(result).rejects.toMatchObject({ kind: 'upstream_retryable', retryAfterSeconds: 20 })
    }
  })
})
