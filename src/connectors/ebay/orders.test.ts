import { expect, test } from 'vitest'
import { openImitation } from '../../../test/support/imitation.ts'
import type { IndexPage } from '../../commerce/connector/reads.ts'
import { ebay } from './index.ts'
import { orders } from './orders.ts'
import type { Credentials, Settings } from './settings.ts'
import { toOrder } from './translate-order.ts'

const window = { from: '1970-01-01T00:00:00.000000Z', to: '2100-01-01T00:00:00.000000Z' }

test('an index names every order and its version by lists alone: no order is asked for by itself', async () => {
  const { shop, asked, simulator } = openImitation<Settings, Credentials>(ebay, { orders: 500 })
  const found = new Map<string, string>()
  for (let cursor: string | null | undefined = null; cursor !== undefined; ) {
    const page: IndexPage | undefined = await orders.index?.(shop, { ...window, cursor })
    for (const { remoteId, version } of page?.items ?? []) found.set(remoteId, version)
    cursor = page?.next ?? undefined
  }
  expect([...found.keys()].sort()).toEqual(
    simulator
      .truth()
      .map(({ remote_id: id }) => id)
      .sort(),
  )
  expect(new Set(asked.map(({ url }) => url))).toEqual(new Set(['https://api.ebay.com/sell/fulfillment/v1/order']))
  // Two hundred to a page, and some more to find out how long a page is.
  expect(asked.length).toBeLessThan(20)
  const [id = ''] = found.keys()
  expect(toOrder(await orders.get(shop, id)).remote_version).toBe(found.get(id))
})

test('an index of a time has nothing older, and nothing newer', async () => {
  const { shop, simulator } = openImitation<Settings, Credentials>(ebay, {})
  const all = await orders.index?.(shop, { ...window, cursor: null })
  const versions = (all?.items ?? []).map(({ version }) => version).sort()
  const [from = '', to = ''] = [versions[20], versions[40]]
  const some = await orders.index?.(shop, { from, to, cursor: null })
  expect(some?.items.map(({ version }) => version).sort()).toEqual(versions.slice(20, 41))
  expect(simulator.truth()).toHaveLength(versions.length)
})

test('orders that are older than eBay tells, two years, are not expected', () => {
  expect(ebay.orders?.horizon?.({ shop: 'ada-antiques.ebay.com', settings: {} })).toBe(729)
})
