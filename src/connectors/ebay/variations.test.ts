import { describe, expect, test } from 'vitest'
import { openStand } from '../../../test/support/connector-shop.ts'
import type { RawPage } from '../../commerce/connector.ts'
import { ebay } from './index.ts'
import { products } from './products.ts'
import type { Credentials, Settings } from './settings.ts'
import { makeStand } from './stand.ts'

function open() {
  const stand = makeStand()
  const { shop, asked } = openStand<Settings, Credentials>(ebay, stand)
  const read = async () => {
    const all = []
    for (let cursor: string | null = null; ; ) {
      const page: RawPage = await products.list(shop, { updatedSince: null, statuses: [], cursor, limit: 7 })
      all.push(...page.items.map((raw) => products.translate(raw, shop)))
      cursor = page.next
      if (cursor === null) return all
    }
  }
  return { stand, shop, asked, read }
}

describe('articles of a group', () => {
  test('are the variants of one product, by what they differ in', async () => {
    const all = await open().read()
    expect(all.find(({ remote_id: id }) => id === 'group:SKU-9')).toMatchObject({
      title: 'Group SKU-9',
      description_html: '<p>In many colours.</p>',
      status: 'active',
      brand: 'Dockside',
      images: [{ url: 'https://i.ebayimg.com/group.jpg' }],
      options: [{ name: 'Colour', values: ['blue', 'red', 'green'] }],
      variants: [
        { remote_id: 'SKU-11', title: 'green', options: [{ name: 'Colour', value: 'green' }], price: null },
        { remote_id: 'SKU-20', title: 'green', price: { amount: '30.50' } },
        { remote_id: 'SKU-3', title: 'blue', price: { amount: '13.50' }, quantity: 3 },
      ],
    })
    expect(all.find(({ remote_id: id }) => id === 'group:BOXES')?.variants).toHaveLength(27)
    const ids = all.map(({ remote_id: id }) => id)
    expect(ids.filter((id) => ['SKU-3', 'SKU-11', 'SKU-20'].includes(id) || id.startsWith('BOX-'))).toEqual([])
    // An article may be called what a group is called.
    expect(ids).toContain('SKU-9')
  })

  test('are found as what they are: the group by its key, and none of them alone', async () => {
    const { shop } = open()
    const group = products.translate(await products.get?.(shop, 'group:SKU-9'), shop)
    expect(group.variants.map(({ sku }) => sku)).toEqual(['SKU-11', 'SKU-20', 'SKU-3'])
    expect(await products.get?.(shop, 'SKU-11')).toBeNull()
    expect(products.translate(await products.get?.(shop, 'SKU-9'), shop).variants).toHaveLength(1)
    expect(await products.get?.(shop, 'group:none')).toBeNull()
  })

  test('stand by themselves once the group is gone, and the group is gone with the last of them', async () => {
    const { stand, shop, read } = open()
    const group = stand.books.groups.get('SKU-9')
    if (group) group.skus = ['GONE']
    const ids = (await read()).map(({ remote_id: id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['SKU-3', 'SKU-11', 'SKU-20']))
    expect(ids).not.toContain('group:SKU-9')
    expect(await products.get?.(shop, 'group:SKU-9')).toBeNull()
  })
})
