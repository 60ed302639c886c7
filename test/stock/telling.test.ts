import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Simulator } from '../../src/simulator/start.ts'
import { data, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { installOn, simulatedShops } from '../support/simulated.ts'
import { until } from '../support/until.ts'

/** Real connectors over sockets: three shops on three platforms that sell the same goods, in one pool. */
const shops = simulatedShops()
let server: TestServer
let merchant: Merchant
const opened: { simulator: Simulator; id: number; place: string | null }[] = []
let sku: string
let article: number

const platforms = ['woocommerce', 'bigcommerce', 'shopify'] as const

beforeAll(async () => {
  for (const platform of platforms) {
    const simulator = await shops.open({ platform, orders: 3, products: 5, seed: 'one stock' })
    opened.push({ simulator, id: 0, place: null })
  }
  server = await startTestServer({ works: true, egressRoutes: shops.routes, egressAllow: ['127.0.0.1'] })
  merchant = await makeMerchant(server)
  for (const shop of opened) {
    shop.id = Number(data(await installOn(merchant, shop.simulator))['id'])
    const level = () => merchant.asAccount('GET', `/inventory?integration_id=${shop.id}&per_page=100`)
    await until(async () => rows(await level()).length > 0)
    shop.place = (rows(await level())[0]?.['location'] as string | null | undefined) ?? null
  }
  sku = String(opened[0]?.simulator.truthOfInventory()[0]?.sku)
  data(await merchant.asAccount('PUT', '/stock', {}))
  for (const { id, simulator } of opened) {
    const first = simulator.truthOfInventory()[0]?.location_remote_id ?? null
    data(await merchant.asAccount('PUT', `/stock/shops/${id}`, { location: first }))
  }
  await until(async () => (await match(true)).links >= 3)
  await match(false)
  article = Number(rows(await merchant.asAccount('GET', `/stock/articles?filter[sku]=${sku}`))[0]?.['id'])
  data(
    await merchant.asAccount('POST', '/stock/movements', {
      movements: [{ key: 'opening', kind: 'count', sku, quantity: 20 }],
    }),
  )
})
afterAll(async () => {
  await server.close()
  await shops.close()
})

const match = async (dry: boolean) =>
  data(await merchant.asAccount('POST', '/stock/articles/match', { create: true, dry })) as unknown as { links: number }
const shownBy = ({ simulator }: (typeof opened)[number]) =>
  simulator.truthOfInventory().find((level) => level.sku === sku)?.available
const shown = () => opened.map(shownBy)
const show = (quantity: number) => until(() => shown().every((one) => one === quantity))
const stock = async () => data(await merchant.asAccount('GET', `/stock/articles/${article}`))
/** We have seen all of them show it, too. */
const confirmed = (quantity: number) =>
  until(async () => {
    const links = (await stock())['links'] as { shows: number; confirmed_at: string | null }[]
    return links.every(({ shows, confirmed_at: at }) => shows === quantity && at !== null)
  })
const sync = async (id: number, resource: string) => {
  const run = data(await merchant.asApp('POST', `/integrations/${id}/action`, { resource }))
  await until(
    async () => data(await merchant.asApp('GET', `/integrations/${id}/runs/${run['id']}`))['status'] === 'completed',
  )
}

describe('one stock over three platforms', () => {
  test('dry, it says what it would tell and tells nobody', async () => {
    const before = shown()
    const links = (await stock())['links'] as { wanted: number; shows: number; due_at: string | null }[]
    expect(links.map(({ wanted }) => wanted)).toEqual([20, 20, 20])
    expect(links.map(({ shows }) => shows)).toEqual(before)
    expect(data(await merchant.asAccount('GET', '/stock'))).toMatchObject({ mode: 'dry' })
    expect(shown()).toEqual(before)
  })

  test('switched on, every shop shows what is there', async () => {
    data(await merchant.asAccount('PUT', '/stock', { mode: 'on' }))
    await show(20)
    await confirmed(20)
  })

  test('a sale in one is taken off in the others', async () => {
    const [first] = opened
    expect(first?.simulator.buy({ sku, quantity: 3, place: 0 })).toMatchObject({ sold: true, shown: 17 })
    await sync(first?.id ?? 0, 'sync_orders')
    await show(17)
    expect(await stock()).toMatchObject({ on_hand: 20, reserved: 3, available: 17 })
  })

  test('the last piece is sold once: the others show none, and say so to whoever wants it', async () => {
    const [, second, third] = opened
    expect(second?.simulator.buy({ sku, quantity: 17, place: 0 })).toMatchObject({ sold: true })
    await sync(second?.id ?? 0, 'sync_orders')
    await show(0)
    expect(third?.simulator.buy({ sku, quantity: 1, place: 0 })).toMatchObject({ sold: false })
  })

  test('what comes in is shown everywhere, and the passport says why it is what it is', async () => {
    const movements = [{ key: 'delivery', kind: 'purchase', sku, quantity: 7 }]
    data(await merchant.asAccount('POST', '/stock/movements', { movements }))
    await show(7)
    const passport = data(await merchant.asAccount('GET', `/stock/articles/${article}/passport`)) as unknown as {
      movements: { kind: string; available: number }[]
      shops: { tellings: { quantity: number; confirmed_at: string | null }[]; history: { told: number }[] }[]
    }
    expect(passport.movements.map(({ kind, available }) => [kind, available])).toEqual([
      ['purchase', 7],
      ['reservation', 0],
      ['reservation', 17],
      ['count', 20],
    ])
    for (const { tellings, history } of passport.shops) {
      expect(tellings[0]).toMatchObject({ quantity: 7 })
      expect(history.at(-1)).toMatchObject({ told: 7 })
    }
  })

  test('what a shop has sold and nobody told us of yet is not overwritten', async () => {
    const [first, second, third] = opened
    for (const shop of [first, third])
      expect(shop?.simulator.buy({ sku, quantity: 2, place: 0 })).toMatchObject({ shown: 5 })
    const movements = [{ key: 'second delivery', kind: 'purchase', sku, quantity: 3 }]
    data(await merchant.asAccount('POST', '/stock/movements', { movements }))
    const links = async () => (await stock())['links'] as { shows: number | null; seen: number | null }[]
    await until(async () => (await links()).every(({ shows }) => shows === 10))
    expect(shown()).toEqual([8, 10, 8])
    expect((await links()).map(({ seen }) => seen)).toEqual([8, null, 8])
    for (const shop of [first, third]) await sync(shop?.id ?? 0, 'sync_orders')
    await show(6)
    expect(await stock()).toMatchObject({ available: 6 })
    await until(async () => (await links()).every(({ shows, seen }) => shows === 6 && seen === null))
    expect(second?.simulator.buy({ sku, quantity: 1, place: 0 })).toMatchObject({ shown: 5 })
    await sync(second?.id ?? 0, 'sync_orders')
    await show(5)
    const back = [{ key: 'third delivery', kind: 'purchase', sku, quantity: 2 }]
    data(await merchant.asAccount('POST', '/stock/movements', { movements: back }))
    await show(7)
  })

  test('a shop that was changed by hand is told again', async () => {
    const [first] = opened
    // Seen before that, it would be put right at once, as what was told and has not arrived.
    await confirmed(7)
    first?.simulator.setStock({ sku, quantity: 99, place: 0 })
    await sync(first?.id ?? 0, 'sync_inventory')
    await sync(first?.id ?? 0, 'sync_orders')
    await sync(first?.id ?? 0, 'sync_inventory')
    await show(7)
    const { shops: passports } = data(await merchant.asAccount('GET', `/stock/articles/${article}/passport`)) as {
      shops: { integration_id: number; history: { told: number; shows: number; drift: string | null }[] }[]
    }
    const history = passports.find(({ integration_id: id }) => id === first?.id)?.history ?? []
    // Seen, settled, told again.
    const hand = history.findIndex(({ shows }) => shows === 99)
    expect(history.slice(hand, hand + 2)).toMatchObject([
      { told: 7, shows: 99, drift: null },
      { told: 7, shows: 99, drift: 'corrected' },
    ])
  })

  test('the last pieces are dealt out: each is offered in one shop, and who sells his own tells nobody', async () => {
    const sum = () => shown().reduce<number>((all, one) => all + (one ?? 0), 0)
    data(await merchant.asAccount('PUT', '/stock', { deal_below: 8 }))
    expect(data(await merchant.asAccount('GET', '/stock'))).toMatchObject({ mode: 'on', deal_below: 8 })
    await until(() => sum() === 7)
    expect(shown().toSorted()).toEqual([2, 2, 3])
    const [, second] = opened
    const others = () => shown().filter((_, n) => n !== 1)
    const before = others()
    expect(second?.simulator.buy({ sku, quantity: 1, place: 0 })).toMatchObject({ sold: true })
    await sync(second?.id ?? 0, 'sync_orders')
    await until(async () => (await stock())['available'] === 6)
    await until(() => sum() === 6)
    expect(others().every((one, n) => (one ?? 0) <= (before[n] ?? 0))).toBe(true)
    data(await merchant.asAccount('PUT', '/stock', { deal_below: 0 }))
    await show(6)
    const back = [{ key: 'fourth delivery', kind: 'purchase', sku, quantity: 1 }]
    data(await merchant.asAccount('POST', '/stock/movements', { movements: back }))
    await show(7)
  })

  test('switched off, shops keep what they show', async () => {
    data(await merchant.asAccount('PUT', '/stock', { mode: 'off' }))
    const movements = [{ key: 'lost', kind: 'correction', sku, quantity: -5 }]
    data(await merchant.asAccount('POST', '/stock/movements', { movements }))
    expect(await stock()).toMatchObject({ available: 2 })
    expect(shown()).toEqual([7, 7, 7])
  })
})
