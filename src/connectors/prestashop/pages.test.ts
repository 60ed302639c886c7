import { expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { prestashop } from './index.ts'
import { listChanged } from './pages.ts'
import type { Credentials, Settings } from './settings.ts'

const known = {
  facts: { shop: 'soap.example', settings: { timezone: 'Europe/Paris' } },
  credentials: { key: 'K'.repeat(32) },
}
const scripted = (...pages: readonly (readonly object[])[]) =>
  scriptedShop<Settings, Credentials>(
    prestashop,
    known,
    pages.map((orders): Partial<RemoteAnswer> => ({ body: orders.length === 0 ? [] : { orders } })),
  )
const row = (id: number, time: string) => ({ id, date_upd: `2026-10-01 ${time}` })
const asked = (calls: ReturnType<typeof scripted>['asked']) =>
  calls.map(({ url, request }) => {
    const query: Record<string, unknown> = { ...Object.fromEntries(new URL(url).searchParams), ...request.query }
    return [query['filter[date_upd]'] ?? null, query['filter[id]'] ?? null, query['sort'], query['limit']]
  })
const sort = '[date_upd_ASC,id_ASC]'
const page = { updatedSince: null, cursor: null, limit: 2 }

test('times are asked for by the clock of the shop', async () => {
  const { shop, asked: calls } = scripted([])
  const read = await listChanged(shop, 'orders', { ...page, updatedSince: '2026-10-01T08:00:00.000000Z' })
  expect(read).toEqual({ items: [], next: null, total: null })
  expect(asked(calls)).toEqual([['[2026-10-01 10:00:00,2099-12-31 23:59:59]', null, sort, '0,2']])
})

test('no more than fifty at once, and only what is wanted of them', async () => {
  const { shop, asked: calls } = scripted([])
  await listChanged(shop, 'orders', { ...page, limit: 1000, display: '[id,date_upd]' })
  expect(asked(calls)).toEqual([[null, null, sort, '0,50']])
  const [call] = calls
  expect(call?.request.query?.['display'] ?? new URL(call?.url ?? '').searchParams.get('display')).toBe('[id,date_upd]')
})

test('a second with more than a page is read alone, each record once, and then what follows', async () => {
  const second = [row(1, '10:00:00'), row(2, '10:00:00'), row(3, '10:00:00')]
  const next = row(4, '10:00:01')
  const { shop, asked: calls } = scripted(second.slice(0, 2), second.slice(0, 2), second.slice(2), [next])
  const items: unknown[] = []
  let cursor: string | null = null
  do {
    const read = await listChanged(shop, 'orders', { ...page, cursor })
    items.push(...read.items)
    cursor = read.next
  } while (cursor !== null)
  expect(items).toEqual([...second, next])
  expect(asked(calls)).toEqual([
    [null, null, sort, '0,2'],
    // Both ends are inclusive there: the second that follows is not asked for along with it.
    ['[2026-10-01 10:00:00,2026-10-01 10:00:00]', null, sort, '0,2'],
    ['[2026-10-01 10:00:00,2026-10-01 10:00:00]', '[3,2147483647]', sort, '0,2'],
    ['[2026-10-01 10:00:01,2099-12-31 23:59:59]', null, sort, '0,2'],
  ])
})
