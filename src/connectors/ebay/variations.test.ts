import { describe, expect, test } from 'vitest'
import { type ImitationOptions, openImitation } from '../../../test/support/imitation.ts'
import type { RawPage } from '../../commerce/connector/reads.ts'
import { ebay } from './index.ts'
import { products } from './products.ts'
import type { Credentials, Settings } from './settings.ts'

function open(options: ImitationOptions = {}) {
  const { shop, simulator } = openImitation<Settings, Credentials>(ebay, options)
  const { stockroom } = simulator.world.shop
  const read = async () => {
    const all = []
    for (let cursor: string | null = null; ; ) {
      const page: RawPage = await products.list(shop, { updatedSince: null, statuses: [], cursor, limit: 7 })
      all.push(...page.items.map((raw) => products.translate(raw, shop)))
      cursor = page.next
      if (cursor === null) return all
    }
  }
  /** A thing in so many kinds, or in one. */
  const put = (skus: readonly string[]) =>
    stockroom.add({
      ...{ title: `Thing ${skus[0]}`, html: '<p>Fine.</p>', status: 'active', vendor: 'Dockside' },
      images: [{ url: 'https://i.ebayimg.com/thing.jpg', alt: null }],
      variants: skus.map((sku, n) => ({
        sku,
        title: skus.length > 1 ? `kind ${n}` : 'Default Title',
        price: 1350,
        stock: n,
      })),
    })
  return { shop, read, put }
}

describe('articles of a group', () => {
  const three = ['PAN-3', 'PAN-20', 'PAN-11']
  const many = Array.from({ length: 27 }, (_, n) => `BOX-${n + 10}`)
  /** The thirty products of the shop come before it. */
  const key = 'GROUP-00031'

  test('are the variants of one product, by what they differ in', async () => {
    const { put, read } = open()
    put(three)
    put(many)
    put([key])
    const all = await read()
    expect(all.find(({ remote_id: id }) => id === `group:${key}`)).toMatchObject({
      title: 'Thing PAN-3',
      description_html: '<p>Fine.</p>',
      status: 'active',
      brand: 'Dockside',
      images: [{ url: 'https://i.ebayimg.com/thing.jpg' }],
      options: [{ name: 'Colour', values: ['kind 0', 'kind 1', 'kind 2'] }],
      variants: [
        { remote_id: 'PAN-11', title: 'kind 2', options: [{ name: 'Colour', value: 'kind 2' }] },
        { remote_id: 'PAN-20', title: 'kind 1', price: { amount: '13.50' } },
        { remote_id: 'PAN-3', title: 'kind 0', quantity: 0 },
      ],
    })
    // More than are reported at once.
    expect(all.find(({ title }) => title === 'Thing BOX-10')?.variants).toHaveLength(27)
    const ids = all.map(({ remote_id: id }) => id)
    expect(ids.filter((id) => three.includes(id) || id.startsWith('BOX-'))).toEqual([])
    // An article may be called what a group is called.
    expect(ids).toContain(key)
  })

  test('are found as what they are: the group by its key, and none of them alone', async () => {
    const { put, shop } = open()
    put(three)
    put([key])
    const group = products.translate(await products.get?.(shop, `group:${key}`), shop)
    expect(group.variants.map(({ sku }) => sku)).toEqual(['PAN-11', 'PAN-20', 'PAN-3'])
    expect(await products.get?.(shop, 'PAN-11')).toBeNull()
    expect(products.translate(await products.get?.(shop, key), shop).variants).toHaveLength(1)
    expect(await products.get?.(shop, 'group:none')).toBeNull()
  })

  test('stand by themselves once the group is gone, and the group is gone with the last of them', async () => {
    const { put, shop, read } = open({
      before: ({ url }) =>
        url.endsWith(`/inventory_item_group/${key}`)
          ? { status: 200, headers: {}, body: { title: 'Left', variantSKUs: ['GONE'] } }
          : null,
    })
    put(three)
    const ids = (await read()).map(({ remote_id: id }) => id)
    expect(ids).toEqual(expect.arrayContaining(three))
    expect(ids).not.toContain(`group:${key}`)
    expect(await products.get?.(shop, `group:${key}`)).toBeNull()
  })
})
