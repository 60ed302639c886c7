import { html } from 'lit'
import type { paths } from '../../../lib/api-types.gen.ts'
import { define } from '../../../parts/element.ts'
import { badge } from '../../../parts/status.ts'
import { empty } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { api, ask } from '../../api.ts'
import { AcrossPage, type ListColumn, shopColumn } from '../../lists/across-page.ts'
import { href } from '../../router.ts'
import { nothingYet } from '../../shops/no-integrations.ts'
import { showAll } from '../../show-all.ts'

type Level =
  paths['/api/2.0/user/apps/{appId}/inventory']['get']['responses'][200]['content']['application/json']['data'][number]

/** How much of what lies where, in all shops; what changed last comes first. */
class Stock extends AcrossPage<Level> {
  override heading = 'Stock'
  override file = 'stock' as const
  override filters = ['sku']
  override refreshSeconds = 10

  override read(query: Readonly<Record<string, string | number>>) {
    const params = { path: { appId: this.app }, query: query as never }
    return ask(api.GET('/api/2.0/user/apps/{appId}/inventory', { params }))
  }

  override link({ integration }: Level) {
    return href(`/apps/${this.app}/integrations/${integration.id}`)
  }

  override nameOf({ sku, location }: Level) {
    return `${sku} ${location ?? ''}`
  }

  override columns(): readonly ListColumn<Level>[] {
    return [
      { head: 'SKU', cell: ({ sku }) => html`<code>${sku}</code>`, csv: ({ sku }) => sku },
      shopColumn(),
      { head: 'Location', cell: ({ location }) => location ?? '–', csv: ({ location }) => location },
      {
        head: 'Quantity',
        cell: ({ quantity }) =>
          quantity > 0
            ? quantity.toLocaleString('en')
            : badge('notice', quantity === 0 ? 'Sold out' : String(quantity)),
        csv: ({ quantity }) => quantity,
        number: true,
      },
      { head: 'Changed', cell: ({ updated_at: at }) => time(at), csv: ({ updated_at: at }) => at },
    ]
  }

  override filterFields() {
    return this.sought('SKU', 'sku')
  }

  override nothingHere() {
    if (!this.isFiltered)
      return nothingYet(
        this.app,
        'No stock yet',
        'Quantities appear here as soon as the stock of a connected shop has been synced.',
      )
    const sku = this.query.get('sku')
    return empty(
      sku ? `Nothing with the SKU “${sku}” is in stock anywhere` : 'Nothing is known of this shop’s stock',
      'Stock comes with a sync of stock. A SKU is looked for as a whole.',
      showAll({ sku: null, integration: null, after: null }),
    )
  }
}
define('ep-page-stock', Stock)
