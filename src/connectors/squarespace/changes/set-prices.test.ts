import { expect, test } from 'vitest'
import { openImitation } from '../../../../test/support/imitation.ts'
import type { PriceSetting } from '../../../commerce/changes/price.ts'
import { squarespace } from '../index.ts'
import type { Credentials, Settings } from '../settings.ts'
import { prices } from './set-prices.ts'

function open() {
  const { shop, asked, simulator } = openImitation<Settings, Credentials>(squarespace)
  const sku = simulator.truthOfInventory()[0]?.sku ?? ''
  const set = async (setting: Partial<PriceSetting> & { price: string }) => {
    asked.splice(0)
    const results = await prices.set.send(shop, [{ sku, currency: 'EUR', ...setting }], { id: 'x' })
    const sent = asked.filter(({ request }) => request.method === 'POST').map(({ request }) => request)
    return { results, sent }
  }
  return { set }
}
const money = (value: string) => ({ currency: 'EUR', value })

test('a price is the base price, and ends a sale; a reduced one is that of a sale', async () => {
  const { set } = open()
  const steps: readonly [Parameters<typeof set>[0], object][] = [
    [{ price: '40' }, { basePrice: money('40.00'), onSale: false }],
    [
      { price: '30', compare_at_price: '50' },
      { basePrice: money('50.00'), onSale: true, salePrice: money('30.00') },
    ],
    [
      { price: '30', compare_at_price: null },
      { basePrice: money('30.00'), onSale: false },
    ],
  ]
  for (const [setting, pricing] of steps) {
    const { results, sent } = await set(setting)
    expect(results).toMatchObject([{ ok: true, error: null }])
    expect(sent).toMatchObject([{ body: { pricing }, repeatable: true }])
    expect(sent[0]?.path).toMatch(/^\/v2\/commerce\/products\/[0-9a-f]{24}\/variants\/[0-9a-f-]{36}$/)
  }
  expect([prices.compareAt, prices.set.repeatable]).toEqual([true, true])
})

test('what names no article, or another currency, is refused and not sent', async () => {
  const { set } = open()
  const refused = [await set({ price: '40', sku: 'no such' }), await set({ price: '40', currency: 'USD' })]
  expect(refused.map(({ results, sent }) => [results[0]?.error, sent.length])).toEqual([
    ['The shop has no such article.', 0],
    ['Prices in this shop are in EUR.', 0],
  ])
})
