import { expect, test } from 'vitest'
import { type ImitationOptions, openImitation } from '../../../../test/support/imitation.ts'
import type { ReadQuery } from '../../../commerce/connector/reads.ts'
import { bigcommerce } from '../index.ts'
import { orders } from '../orders.ts'
import { readAnswer } from '../read-answer.ts'
import type { Credentials, Settings } from '../settings.ts'

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 20 }
const open = (options: ImitationOptions = {}) => openImitation<Settings, Credentials>(bigcommerce, options)

test('orders say which storefront they came from by its name, for one question', async () => {
  const { shop, asked } = open()
  const first = await orders.list(shop, query)
  const second = await orders.list(shop, { ...query, cursor: first.next })
  const sold = [...first.items, ...second.items].map((raw) => orders.translate(raw, shop))
  expect(new Set(sold.map((order) => order.sales_channel))).toEqual(new Set(['Harbour', 'Harbour Outlet']))
  expect(asked.filter(({ url }) => url.endsWith('/v3/channels'))).toHaveLength(1)

  for (const order of sold.slice(0, 4)) {
    const one = orders.translate(await orders.get(shop, order.remote_id), shop)
    expect(one.sales_channel).toBe(order.sales_channel)
  }
})

test('orders that we make come to the first storefront, and say so', async () => {
  const { shop } = open()
  const lines = [{ sku: 'NEW', title: 'New thing', quantity: 1, unit_price: '4.00' }]
  const made = await orders.create?.send(shop, { reference: 'R-1', currency: 'EUR', lines }, { id: 'a' })
  expect(made?.sales_channel).toBe('Harbour')
})

test('without the right to see channels, orders are read with their numbers, and the log says what is missing', async () => {
  const { shop, asked } = open({ variant: { lacks: 'channels' } })
  const { items } = await orders.list(shop, query)
  const sold = items.map((raw) => orders.translate(raw, shop).sales_channel)
  expect(new Set(sold)).toEqual(new Set(['www:1', 'www:664179']))
  expect(asked.filter(({ url }) => url.endsWith('/v3/channels'))).toHaveLength(1)
  expect(readAnswer({ status: 403, headers: {}, body: null }, { path: '/v3/channels' })).toMatchObject({
    withheld: { name: 'Channel settings (read-only)' },
  })
})

test('what cannot be asked just now is no reason to forget a name: the order is read later', async () => {
  const { shop } = open({
    before: ({ url }) => (url.endsWith('/v3/channels') ? { status: 503, headers: {}, body: null } : null),
  })
  await expect(orders.list(shop, query)).rejects.toMatchObject({ kind: 'upstream_retryable' })
})
