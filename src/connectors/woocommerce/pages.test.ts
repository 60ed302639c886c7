import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { woocommerce } from './index.ts'
import { changedAt, findOne, isUnknownId, isUnknownRoute, listAll, listChanged, readSetting } from './pages.ts'
import type { Credentials, Settings } from './settings.ts'

const known = {
  facts: { shop: 'tea.example', settings: {} },
  credentials: { consumer_key: 'ck', consumer_secret: 'cs' },
}
const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(woocommerce, known, answers)
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, n) => ({ id: from + n }))
const changed = (id: number, time: string) => ({ id, date_modified_gmt: `2026-10-01T${time}` })
const queriesOf = (asked: ReturnType<typeof scripted>['asked']) =>
  asked.map(({ url, request }) => ({ ...Object.fromEntries(new URL(url).searchParams), ...request.query }))

describe('short lists', () => {
  test('are read to their end', async () => {
    const { shop, asked } = scripted({ body: numbered(1, 100) }, { body: numbered(101, 1) })
    const rows = await listAll(shop, '/products/1/variations', { status: 'any' })
    expect(rows.map(({ id }) => id)).toEqual(numbered(1, 101).map(({ id }) => id))
    expect(queriesOf(asked)).toMatchObject([
      { page: 1, per_page: 100, status: 'any' },
      { page: 2, per_page: 100, status: 'any' },
    ])
  })

  test('that end with a page are asked for one more', async () => {
    const { shop, asked } = scripted({ body: numbered(1, 100) }, { body: [] })
    expect(await listAll(shop, '/webhooks')).toHaveLength(100)
    expect(asked).toHaveLength(2)
  })
})

describe('by the time of the last change', () => {
  const page = { updatedSince: null, cursor: null, limit: 2 }

  test('each page begins where the one before ended', async () => {
    const { shop, asked } = scripted(
      { body: [changed(1, '10:00:00'), changed(2, '10:00:05')], headers: { 'x-wp-total': '3' } },
      { body: [changed(2, '10:00:05'), changed(3, '10:00:07')] },
    )
    const first = await listChanged(shop, '/orders', { ...page, updatedSince: '2026-10-01T10:00:00.000000Z' })
    expect(first).toMatchObject({ items: [{ id: 1 }, { id: 2 }], total: 3 })
    const second = await listChanged(shop, '/orders', { ...page, cursor: first.next })
    expect(second.items).toMatchObject([{ id: 3 }])
    expect(queriesOf(asked).slice(0, 2)).toMatchObject([
      // Both ends are exclusive there.
      { orderby: 'modified', order: 'asc', dates_are_gmt: true, modified_after: '2026-10-01T09:59:59', per_page: 2 },
      { modified_after: '2026-10-01T10:00:04' },
    ])
  })

  test('no more than a hundred at once', async () => {
    const { shop, asked } = scripted({ body: [] })
    expect(await listChanged(shop, '/orders', { ...page, limit: 1000 })).toEqual({ items: [], next: null, total: null })
    expect(queriesOf(asked)).toMatchObject([{ per_page: 100 }])
  })
})

describe('sites that are too old to sort by it', () => {
  const refusal = { status: 400, body: { data: { params: { orderby: 'orderby is not one of …' } } } }
  const page = { updatedSince: null, cursor: null, limit: 2 }

  test('are walked through by id, each page from the last record of the one before', async () => {
    const { shop, asked } = scripted(
      refusal,
      { body: numbered(1, 2) },
      { body: numbered(2, 2) },
      { body: numbered(3, 1) },
    )
    const first = await listChanged(shop, '/orders', page)
    expect(first).toEqual({ items: numbered(1, 2), next: 'i|2|2', total: null })
    const second = await listChanged(shop, '/orders', { ...page, cursor: first.next })
    expect(second).toEqual({ items: numbered(3, 1), next: 'i|3|3', total: null })
    expect(await listChanged(shop, '/orders', { ...page, cursor: second.next })).toEqual({
      items: [],
      next: null,
      total: null,
    })
    expect(queriesOf(asked).slice(1)).toMatchObject([
      { orderby: 'id', order: 'asc', per_page: 2, offset: 0 },
      { offset: 1 },
      { offset: 2 },
    ])
  })

  test('are gone back in where something was deleted', async () => {
    const { shop, asked } = scripted({ body: [{ id: 9 }, { id: 10 }] }, { body: [{ id: 6 }, { id: 8 }] })
    const read = await listChanged(shop, '/orders', { ...page, cursor: 'i|5|7' })
    expect(read).toEqual({ items: [{ id: 8 }], next: 'i|4|8', total: null })
    expect(queriesOf(asked)).toMatchObject([{ offset: 4 }, { offset: 2 }])
  })

  test('are gone back in to the beginning where everything behind is gone', async () => {
    const { shop, asked } = scripted({ body: [] }, { body: [{ id: 8 }] })
    expect(await listChanged(shop, '/orders', { ...page, cursor: 'i|2|7' })).toMatchObject({ items: [{ id: 8 }] })
    expect(queriesOf(asked)).toMatchObject([{ offset: 1 }, { offset: 0 }])
  })

  test('report what has not changed since as well, which is left out', async () => {
    const since = '2026-10-01T10:00:00.000000Z'
    const rows = [changed(1, '09:59:59'), changed(2, '10:00:00')]
    const { shop } = scripted({ body: rows }, { body: rows })
    const read = await listChanged(shop, '/orders', { ...page, updatedSince: since })
    expect(read).toEqual({ items: [changed(2, '10:00:00')], next: 'i|2|2', total: null })
  })

  test('another refusal is one', async () => {
    const { shop } = scripted({ status: 400, body: { message: 'No.', data: { params: { page: 'x' } } } })
    await expect(listChanged(shop, '/orders', page)).rejects.toMatchObject({ kind: 'upstream_refused', message: 'No.' })
  })
})

describe('single records', () => {
  const unknown = { status: 404, body: { code: 'woocommerce_rest_shop_order_invalid_id' } }

  test('are there, or are not', async () => {
    const { shop, asked } = scripted({ body: { id: 7 } }, unknown)
    expect(await findOne(shop, '/orders', '7')).toEqual({ id: 7 })
    expect(await findOne(shop, '/orders', '8')).toBeNull()
    expect(await findOne(shop, '/orders', '../8')).toBeNull()
    expect(asked.map(({ url }) => new URL(url).pathname.split('/').slice(-2))).toEqual([
      ['orders', '7'],
      ['orders', '8'],
    ])
  })

  test('are not gone because the whole site is', async () => {
    const { shop } = scripted({ status: 404, body: { code: 'rest_no_route' } })
    await expect(findOne(shop, '/orders', '7')).rejects.toMatchObject({ kind: 'upstream_refused' })
  })

  test('only the platform’s own word counts', () => {
    const answer = (status: number, body: unknown): RemoteAnswer => ({ status, headers: {}, body })
    expect(isUnknownId({ headers: {}, ...unknown })).toBe(true)
    expect(isUnknownId(answer(400, unknown.body))).toBe(false)
    expect(isUnknownId(answer(404, 'gone'))).toBe(false)
    expect(isUnknownId(answer(404, { code: 'an_invalid_id_of_something' }))).toBe(false)
    expect(isUnknownRoute(answer(404, { code: 'rest_no_route' }))).toBe(true)
    expect(isUnknownRoute(answer(200, { code: 'rest_no_route' }))).toBe(false)
    expect(isUnknownRoute(answer(404, { code: 7 }))).toBe(false)
  })
})

test('settings are text', async () => {
  const { shop } = scripted({ body: { value: 'EUR' } }, { body: { value: null } })
  expect(await readSetting(shop, '/settings/general/woocommerce_currency')).toBe('EUR')
  expect(await readSetting(shop, '/settings/general/woocommerce_currency')).toBe('')
})

test('what was never changed counts from when it was made', () => {
  const made = { date_created_gmt: '2026-10-01T10:00:00' }
  expect(changedAt({ ...made, date_modified_gmt: null })).toBe('2026-10-01T10:00:00.000000Z')
  expect(changedAt({ ...made, date_modified_gmt: '2026-10-02T10:00:00' })).toBe('2026-10-02T10:00:00.000000Z')
  expect(() => changedAt({})).toThrow('is no time')
})
