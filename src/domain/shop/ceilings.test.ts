import { expect, test } from 'vitest'
import { woocommerce } from '../../connectors/woocommerce/index.ts'
import { withCeilings } from './ceilings.ts'

const megabyte = 1024 * 1024

test('what belongs to a page is read until there is more of it than anybody has', async () => {
  let asked = 0
  const remote = {
    async request() {
      asked++
      return { status: 200, headers: { 'x-wp-totalpages': '1000' }, body: [{ id: asked }], bytes: 5 * megabyte }
    },
  }
  const { orders } = woocommerce
  if (!orders) throw new Error('WooCommerce has orders.')
  const bounded = withCeilings({
    ...woocommerce,
    orders: {
      ...orders,
      async list(shop) {
        for (let page = 1; page <= 10; page++) await shop.remote.request({ method: 'GET', path: `/${page}` })
        return { items: [], next: null, total: null }
      },
    },
  })
  const shop = { shop: 'a', settings: {}, credentials: {}, remote, productsWith: async () => [], opening: {} }
  const query = { updatedSince: null, statuses: [], cursor: null, limit: 10 }
  const list = async () => await bounded.orders?.list(shop, query)
  await expect(list()).rejects.toThrow('more than 24 MB for one page')
  expect(asked).toBe(5)
  asked = -5
  // Each call has its own.
  await expect(list()).rejects.toThrow('more than 24 MB')
  expect(asked).toBe(0)
})
