import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actions, actionsOf } from '../src/commerce/action.ts'
import type { ReadQuery } from '../src/commerce/connector/reads.ts'
import type { RemoteOrder } from '../src/commerce/order.ts'
import { isCredentialsRefusal } from '../src/commerce/remote.ts'
import { isRightsMissing } from '../src/commerce/rules/rights.ts'
import type { Shop } from '../src/commerce/shop.ts'
import { messagesAreTrusted } from './conformance/messages.ts'
import { ordersAreUnderstood } from './conformance/orders-read.ts'
import { ordersAreChanged } from './conformance/orders-written.ts'
import { productsAreMade } from './conformance/products-written.ts'
import { type AnyReads, query, readAll, readsOf } from './conformance/reads.ts'
import { recordsAreRead } from './conformance/records.ts'
import { stockIsSet } from './conformance/stock.ts'
import type { Tried } from './conformance/tried.ts'
import { type ConformanceShop, headerlessShopOf, lackingShopsOf, openConformance } from './support/conformance-shops.ts'
import { givenStore, onRealStores } from './support/given-stores.ts'
import { hasSpecifications, noSpecifications } from './support/vendor-specification.ts'

/** What every connector promises (`src/commerce/connector.ts`), on every shop that it is tried on. */

const all = await openConformance()
const tried = onRealStores ? all.filter(({ stands }) => Object.keys(stands).length > 0) : all

describe.each(tried)('the connector $type', ({ connector, stands }) => {
  /** In a real store only where its owner has said that it may be changed. */
  const writing = test.runIf(!onRealStores || givenStore(connector)?.writes)

  test('describes itself', () => {
    expect(connector.settings.type).toBe('object')
    expect(connector.auth.credentials.type).toBe('object')
    expect(Object.keys(stands)).not.toEqual([])
    for (const { capacity, perSecond } of Object.values(connector.remote.budgets)) {
      expect(Math.min(capacity, perSecond)).toBeGreaterThan(0)
    }
    for (const prefix of connector.proxy?.prefixes ?? []) expect(prefix).toMatch(/^\/[^/]/)
    for (const name of actionsOf(connector)) expect(actions[name].offeredBy(connector)).toBe(true)
  })

  test('credentials reach a shop whose host drops the header where the platform has another way; else that is said', async () => {
    const headerless = await headerlessShopOf(connector)
    if (!headerless) return
    const opened = await headerless.install().catch((error: unknown) => error)
    if (headerless.learns !== 'said') return expect(opened).toMatchObject({ settings: headerless.learns })
    expect([isCredentialsRefusal(opened), opened]).toMatchObject([true, { errors: expect.anything() }])
    expect(JSON.stringify(opened)).toContain('drops the Authorization header')
  })

  test('credentials that lack rights are not let in, and are not called wrong, then or later', async () => {
    const lacking = await lackingShopsOf(connector)
    expect(lacking.length).toBeGreaterThan(0)
    for (const { right, shop, install } of lacking) {
      const failure = await install().catch((error: unknown) => error)
      expect([isRightsMissing(failure), isCredentialsRefusal(failure)]).toEqual([true, false])
      expect(failure).toMatchObject({ message: expect.stringMatching(right) })
      for (const { reads } of readsOf(connector)) {
        const later = await reads.list(shop, query).catch((error: unknown) => error)
        expect(isCredentialsRefusal(later)).toBe(false)
      }
    }
  })

  describe.each(Object.entries(stands))('on %s', (_, build) => {
    let stand: ConformanceShop
    let shop: Shop
    beforeAll(async () => {
      stand = await build()
      shop = stand.shop
    })
    afterAll(() => stand.close())

    /** What the shop lists stays as it is until the first test that writes: those before it read the same list once. */
    const lists = new Map<string, Promise<unknown[]>>()
    const listed = (orders: AnyReads, asked: Partial<ReadQuery>): Promise<unknown[]> => {
      const key = JSON.stringify({ ...query, ...asked })
      const list = lists.get(key) ?? readAll(orders, shop, asked)
      lists.set(key, list)
      return list
    }
    /** The same in our model. Translating is pure, as a test below holds: what was read once is translated once. */
    const ours = new Map<string, Promise<RemoteOrder[]>>()
    const translated = (orders: AnyReads, asked: Partial<ReadQuery>): Promise<RemoteOrder[]> => {
      const key = JSON.stringify({ ...query, ...asked })
      const list =
        ours.get(key) ??
        listed(orders, asked).then((raws) => raws.map((raw) => orders.translate(raw, shop) as RemoteOrder))
      ours.set(key, list)
      return list
    }

    test('takes the right credentials, refuses others, and has one origin', async () => {
      await connector.auth.checkAccess(shop)
      const refusal = await stand.openWith(stand.wrong).catch((error: unknown) => error)
      expect(isCredentialsRefusal(refusal)).toBe(true)
      const origin = new URL(connector.remote.origin(shop))
      expect([origin.username, origin.search, origin.hash]).toEqual(['', '', ''])
    })

    const here: Tried = { connector, writing, at: () => ({ stand, shop }), listed, translated }
    recordsAreRead(here)
    ordersAreUnderstood(here)
    ordersAreChanged(here)
    stockIsSet(here)
    messagesAreTrusted(here)
    productsAreMade(here)

    // The last one: it judges every exchange of those above.
    test('nothing was said that the official specification does not know', (context) => {
      if (!stand.violations) return
      if (!hasSpecifications) return context.skip(noSpecifications)
      expect([...new Set(stand.violations())]).toEqual([])
    })
  })
})
