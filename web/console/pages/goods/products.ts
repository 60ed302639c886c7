import { html } from 'lit'
import type { paths } from '../../../lib/api-types.gen.ts'
import { define } from '../../../parts/element.ts'
import { badge } from '../../../parts/status.ts'
import { empty } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { api, ask } from '../../api.ts'
import { AcrossPage, type ListColumn, shopColumn } from '../../lists/across-page.ts'
import { money } from '../../money.ts'
import { href } from '../../router.ts'
import { nothingYet } from '../../shops/no-integrations.ts'
import { showAll } from '../../show-all.ts'

type Product =
  paths['/api/2.0/user/apps/{appId}/products']['get']['responses'][200]['content']['application/json']['data'][number]

/** What the shops of an app sell. A SKU leads to where it is in stock. */
class Products extends AcrossPage<Product> {
  override heading = 'Products'
  override file = 'products' as const
  override filters = ['sku']

  override read(query: Readonly<Record<string, string | number>>) {
    const params = { path: { appId: this.app }, query: query as never }
    return ask(api.GET('/api/2.0/user/apps/{appId}/products', { params }))
  }

  override link({ sku }: Product) {
    return href(`/apps/${this.app}/stock?sku=${encodeURIComponent(sku)}`)
  }

  override columns(): readonly ListColumn<Product>[] {
    return [
      { head: 'SKU', cell: ({ sku }) => html`<code>${sku}</code>`, csv: ({ sku }) => sku },
      { head: 'Name', cell: ({ name }) => name, csv: ({ name }) => name },
      shopColumn(),
      {
        head: 'Price',
        cell: ({ price, currency }) => money(price, currency),
        csv: ({ price, currency }) => `${price} ${currency}`,
        number: true,
      },
      {
        head: 'In stock',
        cell: ({ quantity }) => (quantity === null ? '–' : quantity.toLocaleString('en')),
        csv: ({ quantity }) => quantity,
        number: true,
      },
      {
        head: 'Sold',
        cell: ({ active }) => badge(active ? 'positive' : 'neutral', active ? 'Yes' : 'No'),
        csv: ({ active }) => (active ? 'yes' : 'no'),
        wide: true,
      },
      { head: 'Changed', cell: ({ updated_at: at }) => time(at), csv: ({ updated_at: at }) => at, wide: true },
    ]
  }

  override filterFields() {
    return this.sought('SKU', 'sku')
  }

  override nothingHere() {
    if (!this.isFiltered)
      return nothingYet(
        this.app,
        'No products yet',
        'Products appear here as soon as those of a connected shop have been synced.',
      )
    const sku = this.query.get('sku')
    return empty(
      sku ? `No product has the SKU “${sku}”` : 'This shop has no products here',
      'Products come with a sync of products. A SKU is looked for as a whole.',
      showAll({ sku: null, integration: null, after: null }),
    )
  }
}
define('ep-page-products', Products)
