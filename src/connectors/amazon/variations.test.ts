import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { openImitation } from '../../../test/support/imitation.ts'
import type { ReadQuery } from '../../commerce/connector/reads.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { inMicroseconds, toSecond } from '../../simulator/clock.ts'
import { amazon } from './index.ts'
import { products } from './products.ts'
import type { Credentials, Settings } from './settings.ts'

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

async function readAll(shop: Shop<Settings, Credentials>, asked: Partial<ReadQuery> = {}) {
  const all = []
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof products.list>> = await products.list(shop, { ...query, ...asked, cursor })
    all.push(...page.items.map((raw) => products.translate(raw, shop)))
    cursor = page.next
    if (cursor === null) return all
  }
}

function open() {
  const opened = openImitation<Settings, Credentials>(amazon)
  const { stockroom } = opened.simulator.world.shop
  const product = stockroom.byChange().find(({ status, variants }) => status === 'active' && variants.length > 2)
  if (!product) throw new Error('Nothing comes in several kinds.')
  const head = opened.simulator.truthOfProducts()[product.index]?.remote_id ?? ''
  return { ...opened, stockroom, product, head }
}

/** A listing as Amazon reports it. */
const listing = (sku: string, related: object, lastUpdatedDate = '2026-10-01T00:00:00Z') => ({
  sku,
  summaries: [
    {
      ...{ marketplaceId: 'A1PA6795UKMFR9', productType: 'LUGGAGE', status: ['BUYABLE'] },
      ...{ createdDate: '2026-10-01T00:00:00Z', lastUpdatedDate },
    },
  ],
  relationships: [{ marketplaceId: 'A1PA6795UKMFR9', relationships: [{ type: 'VARIATION', ...related }] }],
})

const scripted = (answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(
    amazon,
    { facts: { shop: 'a2seller0001', settings: { marketplace: 'DE' } }, credentials: { refresh_token: 'r' } },
    answers,
  ).shop

describe('what comes in several kinds', () => {
  test('is one product with a variant for each, and is active if any of them may be bought', async () => {
    const { shop, stockroom, product, head } = open()
    const many = Array.from({ length: 21 }, (_, n) => ({ sku: `MANY-${n}`, title: `${n}`, price: 990, stock: n }))
    const large = stockroom.add({ title: 'Many', html: '', status: 'active', images: [], variants: many })
    const all = await readAll(shop, { limit: 6 })
    const colours = product.variants.map(({ options: [option] }) => option?.value)
    expect(all.find(({ remote_id: id }) => id === head)).toMatchObject({
      title: product.title,
      status: 'active',
      options: [{ name: 'color', values: colours }],
      variants: product.variants.map(({ sku, price, stock }, n) => ({
        ...{ sku, title: colours[n], options: [{ name: 'color', value: colours[n] }], quantity: stock[0] },
        price: { amount: (price / 100).toFixed(2), currency: 'EUR' },
      })),
    })
    const kinds = product.variants.map(({ sku }) => sku)
    expect(all.filter(({ remote_id: id }) => kinds.includes(id))).toEqual([])
    // More kinds than come on one page.
    expect(all.find(({ title }) => title === large.title)?.variants).toHaveLength(21)
  })

  test('is reported once, with whichever changed last; a change of one kind is a change of the product', async () => {
    const { shop, stockroom, product, head } = open()
    const before = (await readAll(shop)).find(({ remote_id: id }) => id === head)
    const [first] = product.variants
    if (first) stockroom.setStock(first, 0, 5555)
    const changed = inMicroseconds(toSecond(product.updatedAt))
    const received = await readAll(shop, { updatedSince: changed })
    expect(received.map(({ remote_id: id, remote_version: version }) => [id, version])).toEqual([[head, changed]])
    expect(String(before?.remote_version) < changed).toBe(true)
  })

  test('comes with the kind that changed after all others', async () => {
    const parent = listing('HEAD', { childSkus: ['A', 'B'] })
    const kinds = [
      listing('A', { parentSkus: ['HEAD'] }, '2026-12-01T00:00:00Z'),
      listing('B', { parentSkus: ['HEAD'] }),
    ]
    const family = [{ body: parent }, { body: { numberOfResults: 2, items: kinds } }]
    const page = { body: { numberOfResults: 3, items: [parent, kinds[1], kinds[0]] } }
    const shop = scripted([page, ...family])
    expect(await readAll(shop)).toMatchObject([
      { remote_id: 'HEAD', remote_version: '2026-12-01T00:00:00.000000Z', variants: [{ sku: 'A' }, { sku: 'B' }] },
    ])
  })

  test('is found by the number of the whole, and not by that of a kind', async () => {
    const { shop, product, head } = open()
    expect(products.translate(await products.get?.(shop, head), shop).variants).toHaveLength(product.variants.length)
    expect(await products.get?.(shop, product.variants[0]?.sku ?? '')).toBeNull()
  })

  test('of a listing that the seller does not have stands by itself', async () => {
    const orphan = listing('ALONE', { parentSkus: ['NOT-MINE'] })
    const none = { status: 404, body: { errors: [{ code: 'NOT_FOUND', message: 'SKU not found.' }] } }
    const all = await readAll(scripted([{ body: { numberOfResults: 1, items: [orphan] } }, none]))
    expect(all).toMatchObject([{ remote_id: 'ALONE', variants: [{ sku: 'ALONE' }] }])
    expect(await products.get?.(scripted([{ body: orphan }, none]), 'ALONE')).not.toBeNull()
  })
})
