import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capabilitiesOf } from '../src/commerce/capabilities.ts'
import { type PriceSetting, priceErrors } from '../src/commerce/changes/price.ts'
import type { RawPage } from '../src/commerce/connector/reads.ts'
import type { Variant } from '../src/commerce/product.ts'
import type { Shop } from '../src/commerce/shop.ts'
import { type ConformanceShop, openConformance } from './support/conformance-shops.ts'
import { onRealStores } from './support/given-stores.ts'
import { hasSpecifications, noSpecifications } from './support/vendor-specification.ts'

/** Prices, on every connector: what it promises, or says that its platform cannot do. */

const tried = await openConformance()

/** PrestaShop takes a product as a whole only, and empties what it is not sent. Described services have no such call. */
const cannot = /^(prestashop|described-.*)$/
const keepsNoComparison = /^(amazon|ebay|etsy|magento|medusa|tiktok_shop|vendure|walmart|prestashop|described-.*)$/

describe.each(tried)('the connector $type', ({ type, connector, stands }) => {
  const { products } = connector
  const prices = products?.prices

  test('says in its capabilities what the platform can do', () => {
    const capabilities = capabilitiesOf(connector)
    expect(capabilities.actions.includes('set_prices')).toBe(!cannot.test(type))
    expect(capabilities.compare_at_prices).toBe(!keepsNoComparison.test(type))
  })
  if (!products || !prices || onRealStores) return

  describe.each(Object.entries(stands))('on %s', (_, build) => {
    let stand: ConformanceShop
    let shop: Shop
    /** Articles that can be named by their SKU, because no other has the same; two of one product among them. */
    let articles: readonly Variant[]
    beforeAll(async () => {
      stand = await build()
      shop = stand.shop
      const all = (await readAll()).filter(({ sku, price }) => sku && price)
      articles = all.filter(({ sku }) => all.filter((one) => one.sku === sku).length === 1)
      expect(articles.length).toBeGreaterThan(3)
    })
    afterAll(() => stand.close())

    async function readAll(): Promise<Variant[]> {
      const found: Variant[] = []
      for (let cursor: string | null = null, pages = 0; pages < 100; pages++) {
        const page: RawPage | undefined = await products?.list(shop, {
          updatedSince: null,
          statuses: [],
          cursor,
          limit: 50,
        })
        for (const raw of page?.items ?? []) {
          const product = products?.translate(raw, shop)
          if (product?.status === 'active') found.push(...product.variants)
        }
        cursor = page?.next ?? null
        if (cursor === null) break
      }
      return found
    }

    const set = async (items: readonly PriceSetting[]) => {
      expect(priceErrors(items, prices)).toEqual({})
      return await prices.set.send(shop, items, { id: `prices ${crypto.randomUUID()}` })
    }
    const shown = async (sku: string | null) => {
      const found = (await readAll()).find((one) => one.sku === sku)
      return [Number(found?.price?.amount), found?.compare_at_price && Number(found.compare_at_price.amount)]
    }
    const named = (article: Variant | undefined, price: string, more: Partial<PriceSetting> = {}): PriceSetting => ({
      ...{ sku: article?.sku ?? '', price, currency: article?.price?.currency ?? '', ...more },
    })
    const noDoubles = () => expect(stand.doubles?.() ?? stand.simulator?.doubles() ?? []).toEqual([])

    test('several are set at once and read back, and twice does no harm', async () => {
      const [one, two] = articles
      const items = [
        named(one, '40'),
        named(two, '41.25'),
        named(undefined, '5', { sku: 'no such sku', currency: 'EUR' }),
      ]
      for (const _ of [1, 2]) {
        const results = await set(items)
        expect(results.map(({ sku, ok, error }) => [sku, ok, error === null])).toEqual([
          [one?.sku, true, true],
          [two?.sku, true, true],
          ['no such sku', false, false],
        ])
      }
      expect([(await shown(one?.sku ?? null))[0], (await shown(two?.sku ?? null))[0]]).toEqual([40, 41.25])
      noDoubles()
    })

    test('an article is named by the id of its variant as well', async () => {
      // Some ids are given anew with every change.
      const article = (await readAll()).find(({ sku }) => sku === articles[2]?.sku)
      const { sku: _sku, ...setting } = named(article, '42')
      const [result] = await set([{ ...setting, variant_remote_id: article?.remote_id ?? '' }])
      expect(result).toMatchObject({ variant_remote_id: article?.remote_id, ok: true })
      expect((await shown(article?.sku ?? null))[0]).toBe(42)
    })

    test('a price in another currency than the shop’s is refused, and nothing is set', async () => {
      const article = articles[3]
      const before = await shown(article?.sku ?? null)
      const [result] = await set([named(article, '43', { currency: 'XTS' })])
      expect(result).toMatchObject({ ok: false, error: expect.stringContaining(article?.price?.currency ?? '') })
      expect(await shown(article?.sku ?? null)).toEqual(before)
    })

    test('a reduction is shown beside the price, stays when the price moves below it, and ends', async () => {
      const article = articles[1]
      if (!prices.compareAt) {
        const { [`items.0.compare_at_price`]: refusal } = priceErrors(
          [named(article, '1', { compare_at_price: '2' })],
          prices,
        )
        return expect(refusal).toEqual(['This platform keeps no price to compare with.'])
      }
      const steps: readonly [Partial<PriceSetting> & { price: string }, (number | null)[]][] = [
        [{ price: '30', compare_at_price: '50' }, [30, 50]],
        [{ price: '29' }, [29, 50]],
        [{ price: '60' }, [60, null]],
        [{ price: '31', compare_at_price: '51' }, [31, 51]],
        [{ price: '31', compare_at_price: null }, [31, null]],
      ]
      for (const [setting, expected] of steps) {
        expect(await set([named(article, setting.price, setting)])).toMatchObject([{ ok: true, error: null }])
        expect(await shown(article?.sku ?? null)).toEqual(expected)
      }
      noDoubles()
    })

    test('a price that the shop has already is not sent', async () => {
      const article = articles[0]
      await set([named(article, '44')])
      const sent: string[] = []
      const watching = { ...shop, remote: { request: watch(shop, sent) } }
      await prices.set.send(watching, [named(article, '44')], { id: 'again' })
      expect(sent).toEqual([])
    })

    // The last one: it judges every exchange of those above.
    test('nothing was said that the official specification does not know', (context) => {
      if (!stand.platform) return
      if (!hasSpecifications) return context.skip(noSpecifications)
      expect([...new Set(stand.violations?.())]).toEqual([])
    })
  })
})

/** Notes what is sent to change something; GraphQL asks by POST as well, and some search by it. */
const watch =
  ({ remote }: Shop, sent: string[]): Shop['remote']['request'] =>
  async (request) => {
    const asked = (request.body as { query?: unknown } | undefined)?.query ?? ''
    const isQuery = typeof asked === 'object' || /^\s*query/.test(String(asked))
    const isSearch = request.path.endsWith('/search')
    if (request.method !== 'GET' && !isQuery && !isSearch) sent.push(`${request.method} ${request.path}`)
    return await remote.request(request)
  }

describe('prices by themselves', () => {
  const item = { sku: 'CUP', price: '10', currency: 'EUR' }
  test.each([
    [{ price: '10.005' }, ['items.0.price']],
    [{ price: '10.50', currency: 'JPY' }, ['items.0.price']],
    [{ compare_at_price: '10' }, ['items.0.compare_at_price']],
    [{ compare_at_price: '12.005' }, ['items.0.compare_at_price']],
    [{ compare_at_price: '12' }, []],
    [{ compare_at_price: null }, []],
  ])('%j: %j', (more, fields) => {
    expect(Object.keys(priceErrors([{ ...item, ...more }], { compareAt: true }))).toEqual(fields)
  })
})
