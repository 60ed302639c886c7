import { expect, onTestFinished } from 'vitest'
import { actionsOf } from '../../src/commerce/action.ts'
import { capabilitiesOf } from '../../src/commerce/capabilities.ts'
import { productChoices } from '../../src/commerce/product.ts'
import { productErrors } from '../../src/commerce/rules/product-draft.ts'
import { doublesIn, type Tried } from './tried.ts'

/** Products that we make and change. */
export function productsAreMade({ connector, at, writing }: Tried): void {
  writing('products are made, then changed', async () => {
    const { shop, stand } = at()
    const { products } = connector
    if (!products?.export) return expect(actionsOf(connector)).not.toContain('export_products')
    const draft = { sku: 'CONFORM-SKU', title: 'First', price: '9.90', currency: 'EUR', quantity: 5 }
    const made = await products.export.send(shop, draft, { id: 'conformance-new' })
    onTestFinished(() => stand.remove('product', made.remote_id))
    expect(made).toMatchObject({ title: 'First', variants: [{ sku: 'CONFORM-SKU', price: { amount: '9.90' } }] })
    for (const _ of [1, 2]) {
      const changed = await products.export.send(shop, { ...draft, title: 'Second' }, { id: 'conformance-change' })
      expect(changed).toMatchObject({ remote_id: made.remote_id, title: 'Second' })
    }
    expect(doublesIn(stand)).toEqual([])
  })

  writing('what an export does not name stays in the shop as it is', async () => {
    const { shop, stand } = at()
    const { products } = connector
    if (!products?.export) return expect(actionsOf(connector)).not.toContain('export_products')
    const draft = { sku: 'CONFORM-KEPT', title: 'Kept', price: '9.90', currency: 'EUR' }
    const whole = { ...draft, description_html: '<p>By hand.</p>', status: 'draft' as const }
    const made = await products.export.send(shop, whole, { id: 'conformance-kept' })
    onTestFinished(() => stand.remove('product', made.remote_id))
    const changed = await products.export.send(
      shop,
      { ...draft, title: 'Still kept' },
      { id: 'conformance-kept-change' },
    )
    const { description_html, status } = made
    expect(changed).toMatchObject({ remote_id: made.remote_id, title: 'Still kept', description_html, status })
  })

  writing('a product of several variants is made whole and changed, or refused at its field', async () => {
    const { shop, stand } = at()
    const { products } = connector
    if (!products?.export) return expect(capabilitiesOf(connector).product_choices).toEqual([])
    const { export: exported, takes = [] } = products
    const options = (size: string, colour: string) => [
      { name: 'Size', value: size },
      { name: 'Colour', value: colour },
    ]
    const large = { sku: 'CONFORM-SET-L', options: options('Large', 'Green'), price: '12.50', quantity: 4 }
    const draft = {
      ...{ sku: 'CONFORM-SET', title: 'A set', price: '9.90', currency: 'EUR' },
      images: [{ url: 'https://img.shop.example/set.jpg', alt: 'The set' }],
      variants: [{ sku: 'CONFORM-SET-S', options: options('Small', 'Red'), quantity: 3 }, large],
    }
    const prohibited = productChoices.filter((choice) => !takes.includes(choice))
    expect(Object.keys(productErrors(connector, draft))).toEqual(prohibited)
    if (!takes.includes('variants')) return
    // Real shops fetch pictures, and this one is nowhere.
    const images = takes.includes('images') && stand.simulator ? draft.images : []
    const made = await exported.send(shop, { ...draft, images }, { id: 'conformance-set' })
    onTestFinished(() => stand.remove('product', made.remote_id))
    const soldAs = (product: typeof made) =>
      product.variants
        .map(({ sku, price, options: chosen }) => [sku, price?.amount, chosen.map(({ value }) => value).sort()])
        .sort()
    const small = ['CONFORM-SET-S', '9.90', ['Red', 'Small']]
    expect(soldAs(made)).toEqual([['CONFORM-SET-L', '12.50', ['Green', 'Large']], small])
    expect(made.images).toHaveLength(images.length)
    const cheaper = { ...draft, images, variants: [draft.variants[0] ?? large, { ...large, price: '11.00' }] }
    for (const _ of [1, 2]) {
      const changed = await exported.send(shop, cheaper, { id: 'conformance-set-change' })
      expect(changed.remote_id).toBe(made.remote_id)
      expect(soldAs(changed)).toEqual([['CONFORM-SET-L', '11.00', ['Green', 'Large']], small])
    }
    expect(doublesIn(stand)).toEqual([])
  })
}
