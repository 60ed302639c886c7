import { describe, expect, test } from 'vitest'
import { faultOf } from '../../../../test/support/identity.ts'
import { type ImitationOptions, openImitation } from '../../../../test/support/imitation.ts'
import type { InventorySetting } from '../../../commerce/inventory.ts'
import { walmart } from '../index.ts'
import { inventory } from '../inventory.ts'
import type { Credentials, Settings } from '../settings.ts'

function open(options: ImitationOptions = {}) {
  const imitation = openImitation<Settings, Credentials>(walmart, { products: 80, ...options })
  const { shop, asked, simulator } = imitation
  const kept: string[] = []
  const set = async (settings: readonly InventorySetting[], receipt: string | null = null) =>
    (await inventory.set?.send(shop, settings, {
      id: 'levels-1',
      receipt,
      keep: async (given) => void kept.push(given),
    })) ?? []
  const skus = simulator.world.shop.stockroom.variantsByChange().map(({ sku }) => sku)
  const stockOf = (sku: string) => simulator.world.shop.stockroom.bySku(sku)?.stock
  const sent = (method: string) => asked.filter(({ request }) => request.method === method).map(({ url }) => url)
  return { ...imitation, kept, set, skus, stockOf, sent }
}

const levels = (skus: readonly string[], location?: string): InventorySetting[] =>
  skus.map((sku, n) => ({ sku, quantity: n + 1, ...(location && { location }) }))

describe('more than a hundred levels', () => {
  test('go as one file, or one more for places; what Walmart does not take is told of its article', async () => {
    const { set, skus, stockOf, sent, shop } = open()
    const { items } = await inventory.list(shop, { updatedSince: null, statuses: [], cursor: null, limit: 1 })
    const second = items.map((raw) => inventory.translate(raw, shop).location_remote_id).at(1) ?? ''
    const some = skus.slice(0, 101)
    expect(some).toHaveLength(101)
    const results = await set([...levels(some), { sku: 'NONE', quantity: 1 }, ...levels(some.slice(0, 3), second)])
    expect(results.filter(({ ok }) => !ok)).toEqual([
      { sku: 'NONE', location: null, ok: false, error: 'The SKU does not exist.' },
    ])
    expect(results.map(({ sku }) => sku)).toEqual([...some, 'NONE', ...some.slice(0, 3)])
    expect(stockOf(some[2] ?? '')?.slice(0, 2)).toEqual([3, 3])
    expect([sent('PUT'), sent('POST').filter((url) => url.endsWith('/feeds')).length]).toEqual([[], 2])
  })

  test('are asked after while Walmart works on them, and not sent again', async () => {
    const { set, skus, kept, simulator, sent } = open({ variant: { feed_delay: 'yes' } })
    const many = levels(skus.slice(0, 120))
    expect(await faultOf(set(many))).toMatchObject({ kind: 'upstream_retryable', retryAfterSeconds: 60 })
    const [receipt = ''] = kept
    expect(receipt).toBe('inventory F1@AU8BAQA')
    expect(await faultOf(set(many, receipt))).toMatchObject({ kind: 'upstream_retryable' })
    simulator.advance(700)
    expect((await set(many, receipt)).every(({ ok }) => ok)).toBe(true)
    expect(sent('POST').filter((url) => url.endsWith('/feeds'))).toHaveLength(1)
  })

  test('of a file that Walmart cannot read are all refused', async () => {
    const body = {
      feedStatus: 'ERROR',
      ingestionErrors: { ingestionError: [{ type: 'DATA_ERROR', code: '1', description: 'No header.' }] },
    }
    const { set, skus } = open({
      before: ({ request: { method }, url }) =>
        method === 'GET' && url.includes('/v3/feeds/') ? { status: 200, headers: {}, body } : null,
    })
    const results = await set(levels(skus.slice(0, 101)))
    expect(results.every(({ ok, error }) => !ok && error === 'No header.')).toBe(true)
  })
})

test('up to a hundred go one by one, at once', async () => {
  const { set, skus, sent } = open()
  expect((await set(levels(skus.slice(0, 30)))).every(({ ok }) => ok)).toBe(true)
  expect([sent('PUT').length, sent('POST').length]).toEqual([30, 0])
})
