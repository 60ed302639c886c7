import { describe, expect, test } from 'vitest'
import { envelope, open, refusal, scripted } from '../../../test/support/tiktok-shop.ts'
import { type Fields, fieldsOf, textIn } from '../../commerce/reading.ts'
import { inventory } from './inventory.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import type { TikTokShop } from './settings.ts'

const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }
const operation = { id: 'operation-1' }

const readAll = async (shop: TikTokShop, limit: number) => {
  const found: Fields[] = []
  for (let cursor: string | null = null, pages = 0; pages < 200; pages++) {
    const page = await orders.list(shop, { ...query, limit, cursor })
    found.push(...page.items.map(fieldsOf))
    cursor = page.next
    if (cursor === null) return found
  }
  throw new Error('The list has no end.')
}

describe('the list of orders', () => {
  test('is asked for by the time of change, and never by a page that could shift', async () => {
    const { shop, asked } = open()
    await orders.list(shop, { ...query, updatedSince: '2026-03-01T10:00:00.123456Z' })
    expect(asked[0]?.request).toMatchObject({
      query: { page_size: '21', sort_field: 'update_time', sort_order: 'ASC' },
      body: JSON.stringify({ update_time_ge: 1_772_359_200 }),
    })
    expect(asked[0]?.request.query).not.toHaveProperty('page_token')
  })

  test('holds every order once, also where a second holds more than a page', async () => {
    const { shop, simulator, book } = open({ orders: 90 })
    const at = simulator.world.clock.tick()
    for (let index = 0; index < 37; index++) book.change(index, { editNote: true }, at + index)
    const ids = (await readAll(shop, 5)).map((order) => textIn(order, 'id'))
    expect([ids.length, new Set(ids).size]).toEqual([90, 90])
  })

  test('loses none when one that was read moves to the end', async () => {
    const { shop, book, simulator } = open({ orders: 60 })
    const first = await orders.list(shop, { ...query, limit: 10 })
    for (const index of book.byChange().slice(0, 5)) book.change(index, { editNote: true })
    const found = new Set(first.items.map((raw) => textIn(fieldsOf(raw), 'id')))
    for (let cursor = first.next; cursor !== null; ) {
      const page = await orders.list(shop, { ...query, limit: 10, cursor })
      for (const raw of page.items) found.add(textIn(fieldsOf(raw), 'id'))
      cursor = page.next
    }
    expect(found.size).toBe(simulator.truth().length)
  })

  test('goes on behind the last order but one, if the last has changed while it was searched for', async () => {
    const row = (id: string, update_time: number) => ({ id, update_time })
    const rows = [row('1000001', 100), row('1000002', 101), row('1000003', 9_999_999)]
    const { shop, asked } = scripted(
      envelope({ orders: rows, total_count: 50, next_page_token: 'x' }),
      envelope({ total_count: 0 }),
    )
    const page = await orders.list(shop, { ...query, limit: 2 })
    expect(page.items).toEqual(rows.slice(0, 2))
    await orders.list(shop, { ...query, limit: 2, cursor: page.next })
    expect(JSON.parse(String(asked[1]?.request.body))).toEqual({ update_time_ge: 101 })
  })

  test('ends where there is none, and takes no cursor that would have no end', async () => {
    const { shop } = scripted(envelope({}), envelope(null))
    expect(await orders.list(shop, query)).toMatchObject({ items: [], next: null })
    const cursor = 'w|2026-01-01T00:00:00|999999|5|'
    await expect(orders.list(shop, { ...query, cursor })).rejects.toMatchObject({ kind: 'upstream_refused' })
  })

  test('several orders are asked for at once, those that are not there left out', async () => {
    const { shop, simulator, asked } = open({ orders: 60 })
    const ids = simulator.truth().map(({ remote_id: id }) => id)
    const found = await orders.getSeveral?.(shop, [...ids, '576499999999999999', 'none'])
    expect([found?.length, asked.length]).toEqual([60, 2])
  })
})

describe('answers', () => {
  test('are refusals by their code, with status 200 as well, in the platform’s words', async () => {
    const failing = scripted(refusal(21_001_001, 'The parameter is wrong.')).shop
    await expect(orders.get(failing, '576400000000000001')).rejects.toMatchObject({
      ...{ kind: 'upstream_refused', message: 'The parameter is wrong.' },
    })
    const busy = scripted(refusal(36_009_002, 'Too many requests.')).shop
    await expect(orders.get(busy, '576400000000000001')).rejects.toMatchObject({ kind: 'upstream_retryable' })
  })

  test('that tell of another order than was asked for are not believed', async () => {
    const { shop } = scripted(envelope({ orders: [{ id: '576400000000000009' }] }))
    expect(await orders.get(shop, '576400000000000001')).toBeNull()
  })
})

describe('products', () => {
  test('that are frozen are told as the list has them, those that are deleted not at all', async () => {
    const listed = (id: string, status: string) => ({
      ...{ id, status, title: 'Cup', update_time: 1_794_800_000 },
      skus: [{ id: '1729000001', seller_sku: 'A', price: { currency: 'USD', tax_exclusive_price: '4' } }],
    })
    const rows = [listed('1728000001', 'FREEZE'), listed('1728000002', 'DELETED'), listed('1728000003', 'ACTIVATE')]
    const answers = [envelope({ products: rows, next_page_token: '' }), refusal(12_052_032, 'Product does not exist.')]
    const { shop, asked } = scripted(...answers)
    const { items, next } = await products.list(shop, query)
    expect([items, next, asked.length]).toEqual([[rows[0]], null, 2])
    expect(products.translate(items[0], shop)).toMatchObject({
      ...{ status: 'inactive', variants: [{ sku: 'A', price: { amount: '4.00', currency: 'USD' }, quantity: null }] },
    })
  })

  test('that TikTok Shop tells no more of are as they are listed, and keep out no other', async () => {
    const listed = { id: '1728000001', status: 'PENDING', title: 'Cup', update_time: 1, skus: [{ id: '1729000001' }] }
    const answers = [
      envelope({ products: [listed, { ...listed, id: '1728000002' }], next_page_token: '' }),
      refusal(12_052_999, 'The product is being audited.'),
      envelope({ ...listed, id: '1728000002', description: '<p>All of it</p>' }),
    ]
    const { items } = await products.list(scripted(...answers).shop, query)
    expect(items).toEqual([listed, expect.objectContaining({ id: '1728000002', description: '<p>All of it</p>' })])
    const denied = scripted(answers[0] ?? {}, { status: 401, ...refusal(105_005, 'Access denied.') }).shop
    await expect(products.list(denied, query)).rejects.toMatchObject({ errors: { rights: expect.any(Array) } })
  })

  test('with the same SKU without end are not looked through without end', async () => {
    const listing = { id: '1728000001', status: 'ACTIVATE', skus: [] }
    const endless = Array.from({ length: 30 }, () => envelope({ products: [listing], next_page_token: 'more' }))
    const { shop, asked } = scripted(...endless)
    const failure = await inventory.set
      ?.send(shop, [{ sku: 'A', quantity: 1 }], operation)
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'upstream_refused' })
    expect(asked).toHaveLength(10)
  })
})
