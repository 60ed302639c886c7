import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { bodyIn, criteria, isId, isUnknown, isUnknownRoute, reasonIn, search, searchAny } from './ask.ts'
import { magento } from './index.ts'
import type { Credentials, Settings } from './settings.ts'

const known = {
  facts: { shop: 'bikes.example', settings: {} },
  credentials: { access_token: 'token' },
}
const scripted = (...answers: Partial<RemoteAnswer>[]) => scriptedShop<Settings, Credentials>(magento, known, answers)
const items = (from: number, count: number) => Array.from({ length: count }, (_, n) => ({ sku: `S${from + n}` }))
const asked = (calls: ReturnType<typeof scripted>['asked'], name: string) =>
  calls.map(({ url, request }) => {
    const own = request.query?.[`searchCriteria${name}`]
    return own === undefined ? new URL(url).searchParams.get(`searchCriteria${name}`) : String(own)
  })

test('what is asked for is written as the platform reads it', () => {
  expect(
    criteria({
      filters: [
        ['updated_at', 'gteq', '2026-10-01 10:00:00'],
        ['entity_id', 'gt', 7],
      ],
      sort: ['updated_at', 'entity_id'],
      size: 50,
      page: 2,
      fields: 'items[sku],total_count',
    }),
  ).toEqual({
    'searchCriteria[filterGroups][0][filters][0][field]': 'updated_at',
    'searchCriteria[filterGroups][0][filters][0][value]': '2026-10-01 10:00:00',
    'searchCriteria[filterGroups][0][filters][0][conditionType]': 'gteq',
    'searchCriteria[filterGroups][1][filters][0][field]': 'entity_id',
    'searchCriteria[filterGroups][1][filters][0][value]': 7,
    'searchCriteria[filterGroups][1][filters][0][conditionType]': 'gt',
    'searchCriteria[sortOrders][0][field]': 'updated_at',
    'searchCriteria[sortOrders][0][direction]': 'ASC',
    'searchCriteria[sortOrders][1][field]': 'entity_id',
    'searchCriteria[sortOrders][1][direction]': 'ASC',
    'searchCriteria[pageSize]': 50,
    'searchCriteria[currentPage]': 2,
    fields: 'items[sku],total_count',
  })
  expect(criteria({ size: 1 })).toEqual({ 'searchCriteria[pageSize]': 1, 'searchCriteria[currentPage]': 1 })
})

test('no items come as null', async () => {
  const { shop } = scripted({ body: { items: null, total_count: 0 } }, { body: { items: items(1, 2), total_count: 9 } })
  expect(await search(shop, '/products', { size: 2 })).toEqual({ rows: [], total: 0 })
  expect(await search(shop, '/products', { size: 2 })).toEqual({ rows: items(1, 2), total: 9 })
})

describe('all that match', () => {
  test.each([
    [101, 2],
    [200, 2],
    [201, 3],
    [100, 1],
  ])('%i are read in %i pages', async (total, pages) => {
    const answers = Array.from({ length: pages }, (_, n) => ({
      body: { items: items(n * 100, Math.min(100, total - n * 100)), total_count: total },
    }))
    const { shop, asked: calls } = scripted(...answers)
    const found = await searchAny(shop, '/products', { field: 'sku', values: ['S'] })
    expect(found.map(({ sku }) => sku)).toEqual(items(0, total).map(({ sku }) => sku))
    expect(asked(calls, '[currentPage]')).toEqual(Array.from({ length: pages }, (_, n) => String(n + 1)))
  })

  test('a shop that promises more than it has comes to an end', async () => {
    const { shop } = scripted(
      { body: { items: items(0, 100), total_count: 500 } },
      { body: { items: [], total_count: 500 } },
    )
    expect(await searchAny(shop, '/products', { field: 'sku', values: ['S'] })).toHaveLength(100)
  })

  test('values are asked for together, each once, but those with a comma by themselves', async () => {
    const empty = { body: { items: [], total_count: 0 } }
    const { shop, asked: calls } = scripted(empty, empty, empty)
    const many = Array.from({ length: 101 }, (_, n) => `S${n}`)
    await searchAny(shop, '/products', { field: 'sku', values: [...many, 'S1', 'a,b'], fields: 'items[sku]' })
    expect(asked(calls, '[filterGroups][0][filters][0][value]')).toEqual(['a,b', many.slice(0, 100).join(','), 'S100'])
    expect(asked(calls, '[filterGroups][0][filters][0][conditionType]')).toEqual(['eq', 'in', 'in'])
    expect(
      calls.map(({ url, request }) => request.query?.['fields'] ?? new URL(url).searchParams.get('fields')),
    ).toEqual(Array(3).fill('items[sku]'))
  })
})

describe('answers', () => {
  test('are bodies, or reasons with their gaps filled in', () => {
    expect(bodyIn({ status: 299, headers: {}, body: { a: 1 } })).toEqual({ a: 1 })
    const refusal = { message: 'No %1 in %2.', parameters: ['such product', 'stock'] }
    expect(() => bodyIn({ status: 300, headers: {}, body: refusal })).toThrow('No such product in stock.')
    expect(reasonIn({ message: 'No %field.', parameters: { field: 'name' } })).toBe('No name.')
    expect(reasonIn({ message: 'No.', parameters: null })).toBe('No.')
    for (const body of [null, 'text', {}, { message: '' }, { message: 7 }]) {
      expect(reasonIn(body)).toBe('The shop rejected the request.')
    }
  })

  test('only the platform’s own word counts for "gone"', () => {
    const answer = (status: number, message: string): RemoteAnswer => ({ status, headers: {}, body: { message } })
    const noRoute = 'Request does not match any route.'
    expect([isUnknown(answer(404, 'Not there.')), isUnknownRoute(answer(404, 'Not there.'))]).toEqual([true, false])
    expect([isUnknown(answer(404, noRoute)), isUnknownRoute(answer(404, noRoute))]).toEqual([false, true])
    expect([isUnknown(answer(400, 'Not there.')), isUnknownRoute(answer(400, noRoute))]).toEqual([false, false])
  })

  test('ids are numbers', () => {
    expect(['7', '123456789012345'].map(isId)).toEqual([true, true])
    expect(['', '7a', 'a7', '1234567890123456', '-7'].map(isId)).toEqual([false, false, false, false, false])
  })
})
