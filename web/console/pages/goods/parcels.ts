import { html } from 'lit'
import type { paths } from '../../../lib/api-types.gen.ts'
import { define } from '../../../parts/element.ts'
import { badge, type Tone } from '../../../parts/status.ts'
import { empty } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { api, ask } from '../../api.ts'
import { AcrossPage, type ListColumn, shopColumn } from '../../lists/across-page.ts'
import { inWords } from '../../order-state.ts'
import { href } from '../../router.ts'
import { nothingYet } from '../../shops/no-integrations.ts'
import { showAll } from '../../show-all.ts'
import { pageOf } from '../orders/order-facts.ts'

type Parcel =
  paths['/api/2.0/user/apps/{appId}/shipments']['get']['responses'][200]['content']['application/json']['data'][number]

const tones: Readonly<Record<string, Tone>> = {
  DELIVERED: 'positive',
  SHIPPED: 'info',
  IN_TRANSIT: 'info',
  PENDING: 'notice',
  FAILED: 'critical',
  LOST: 'critical',
}

/** Every parcel of every shop, whoever has sent it; any leads to its order. */
class Parcels extends AcrossPage<Parcel> {
  override heading = 'Parcels'
  override file = 'parcels' as const
  override filters = ['tracking_number']
  override refreshSeconds = 10

  override read(query: Readonly<Record<string, string | number>>) {
    const params = { path: { appId: this.app }, query: query as never }
    return ask(api.GET('/api/2.0/user/apps/{appId}/shipments', { params }))
  }

  override link({ integration, order_id: order }: Parcel) {
    return href(`/apps/${this.app}/integrations/${integration.id}/orders/${order}`)
  }

  override columns(): readonly ListColumn<Parcel>[] {
    return [
      {
        head: 'Tracking number',
        cell: ({ tracking_number: number, remote_id: remoteId }) => number ?? remoteId ?? '–',
        csv: ({ tracking_number: number }) => number,
      },
      { head: 'Carrier', cell: ({ carrier }) => carrier, csv: ({ carrier }) => carrier },
      {
        head: 'State',
        cell: ({ status }) => badge(tones[status] ?? 'neutral', inWords(status)),
        csv: ({ status }) => inWords(status),
      },
      shopColumn(),
      {
        head: 'Follow',
        cell: ({ tracking_url: url }) =>
          pageOf(url) ? html`<a href=${url ?? ''} target="_blank" rel="noopener noreferrer">At the carrier</a>` : '',
        csv: ({ tracking_url: url }) => url,
        wide: true,
      },
      { head: 'Sent', cell: ({ shipped_at: at }) => time(at), csv: ({ shipped_at: at }) => at },
    ]
  }

  override filterFields() {
    return this.sought('Tracking number', 'tracking_number')
  }

  override nothingHere() {
    if (!this.isFiltered)
      return nothingYet(
        this.app,
        'No parcels yet',
        'Parcels appear here when an order is shipped, here or in its shop.',
      )
    const number = this.query.get('tracking_number')
    return empty(
      number ? `No parcel has the number “${number}”` : 'This shop has sent nothing yet',
      'Parcels appear here when an order is shipped, here or in the shop. A number is looked for as a whole.',
      showAll({ tracking_number: null, integration: null, after: null }),
    )
  }
}
define('ep-page-parcels', Parcels)
