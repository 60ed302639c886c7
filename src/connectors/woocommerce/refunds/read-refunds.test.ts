import { expect, test } from 'vitest'
import { openImitation } from '../../../../test/support/imitation.ts'
import { woocommerce } from '../index.ts'

const query = { updatedSince: null, statuses: [], cursor: null, limit: 100 }

/** The refunds of the first page, and the paths that were asked for them. */
async function readRefunds(age: 'new' | 'refuses') {
  const { shop, asked } = openImitation(woocommerce, { orders: 100, variant: { age, tracking: 'none' } })
  const page = await woocommerce.orders?.list(shop, query)
  const orders = (page?.items ?? []).map((raw) => woocommerce.orders?.translate(raw, shop))
  const paths = asked.map(({ url }) => new URL(url).pathname).filter((path) => path.endsWith('/refunds'))
  return { refunds: orders.flatMap((order) => order?.refunds ?? []), paths }
}

test('the refunds of all orders of a page are one request', async () => {
  const { refunds, paths } = await readRefunds('new')
  expect(refunds.length).toBeGreaterThan(5)
  expect(refunds.some(({ lines }) => lines.length > 0)).toBe(true)
  expect(paths).toEqual(['/wp-json/wc/v3/refunds'])
})

test('shops that do not list them are asked order by order, and say the same', async () => {
  const [now, before] = [await readRefunds('new'), await readRefunds('refuses')]
  expect(before.refunds).toEqual(now.refunds)
  expect(before.paths.length).toBeGreaterThan(5)
})
