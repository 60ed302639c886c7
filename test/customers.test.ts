import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capabilitiesOf } from '../src/commerce/capabilities.ts'
import type { RawPage, ReadQuery } from '../src/commerce/connector/reads.ts'
import { remoteCustomerSchema } from '../src/commerce/customer.ts'
import type { Shop } from '../src/commerce/shop.ts'
import { type ConformanceShop, openConformance } from './support/conformance-shops.ts'
import { onRealStores } from './support/given-stores.ts'
import { hasSpecifications, noSpecifications } from './support/vendor-specification.ts'

/** Who has an account, on every connector: read from the shop, or said that its platform does not tell. */

const tried = await openConformance()

const can = /^(bigcommerce|magento|medusa|sandbox|shopify|vendure|woocommerce)$/

describe.each(tried)('the connector $type', ({ type, connector, stands }) => {
  const { customers } = connector

  test('says in its capabilities what the platform can do', () => {
    const { actions } = capabilitiesOf(connector)
    for (const name of ['get_customers', 'get_customer'] as const) expect(actions.includes(name)).toBe(can.test(type))
  })
  if (!customers || onRealStores) return

  describe.each(Object.entries(stands))('on %s', (_, build) => {
    let stand: ConformanceShop
    let shop: Shop
    let all: readonly unknown[]
    beforeAll(async () => {
      stand = await build()
      shop = stand.shop
      all = await readAll({})
    })
    afterAll(() => stand.close())

    async function readAll(asked: Partial<ReadQuery>): Promise<unknown[]> {
      const found: unknown[] = []
      for (let cursor: string | null = null, pages = 0; pages < 100; pages++) {
        const query: ReadQuery = { updatedSince: null, statuses: [], limit: 10, ...asked, cursor }
        const page: RawPage | undefined = await customers?.list(shop, query)
        found.push(...(page?.items ?? []))
        cursor = page?.next ?? null
        if (cursor === null) return found
      }
      throw new Error('The list has no end.')
    }

    test('customers are listed page by page, each once, and translated into the model, purely', () => {
      const translated = all.map((raw) => customers.translate(raw, shop))
      expect(translated.length).toBeGreaterThan(10)
      expect(new Set(translated.map((one) => one.remote_id)).size).toBe(translated.length)
      for (const [n, one] of translated.entries()) {
        expect([...Value.Errors(remoteCustomerSchema, one)]).toEqual([])
        expect(customers.translate(structuredClone(all[n]), shop)).toEqual(one)
      }
      expect(translated.some((one) => one.email?.includes('@') && one.addresses.length > 0)).toBe(true)
      for (const raw of [null, [], {}, 'text']) expect(() => customers.translate(raw, shop)).toThrow(TypeError)
    })

    test('those that changed since a time are found, and one by its id', async () => {
      const times = all.map((raw) => customers.translate(raw, shop).remote_updated_at ?? '').sort()
      const since = times[Math.floor(times.length * 0.6)] ?? ''
      expect(await readAll({ updatedSince: since })).toHaveLength(times.filter((time) => time >= since).length)
      const [first] = all.map((raw) => customers.translate(raw, shop))
      const found = customers.translate(await customers.get(shop, first?.remote_id ?? ''), shop)
      expect({ ...found, raw: null }).toEqual({ ...first, raw: null })
      expect(await customers.get(shop, 'no-such-id')).toBeNull()
    })

    test('the buyer of an order is one of them', async () => {
      const ids = new Set(all.map((raw) => customers.translate(raw, shop).remote_id))
      const page = await connector.orders?.list(shop, { updatedSince: null, statuses: [], cursor: null, limit: 20 })
      const buyers = (page?.items ?? []).flatMap((raw) => connector.orders?.translate(raw, shop).customer ?? [])
      const known = buyers.filter(({ is_guest: guest, remote_id: id }) => !guest && id !== null)
      expect(known.length).toBeGreaterThan(0)
      for (const { remote_id: id } of known) expect(ids.has(id ?? '')).toBe(true)
    })

    // The last one: it judges every exchange of those above.
    test('nothing was said that the official specification does not know', (context) => {
      if (!stand.platform) return
      if (!hasSpecifications) return context.skip(noSpecifications)
      expect([...new Set(stand.violations?.())]).toEqual([])
    })
  })
})
