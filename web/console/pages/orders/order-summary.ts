import { formOf } from '../../../parts/time.ts'
import { money } from '../../money.ts'
import { inWords } from '../../order-state.ts'
import { type Data, pageOf } from './order-facts.ts'

/** What somebody at the telephone, or in a mail, tells the customer: what, how much, where it is. Nothing internal. */
export function summaryOf({ order, integration }: Pick<Data, 'order' | 'integration'>): string {
  const day = (at: string) => new Intl.DateTimeFormat(formOf('en'), { dateStyle: 'long' }).format(new Date(at))
  const lines = order.items.map(
    ({ quantity, name, variant_name: variant, sku }) =>
      `${quantity} × ${[name ?? sku, variant].filter(Boolean).join(', ')}`,
  )
  const parcels = (order.shipments ?? []).map(({ carrier, tracking_number: number, tracking_url: url, status }) =>
    [`Parcel with ${carrier}`, number, inWords(status).toLowerCase(), pageOf(url)].filter(Boolean).join(', '),
  )
  const refunded = order.refunded_total !== null && Number(order.refunded_total) > 0
  return [
    `Order ${order.number ?? order.remote_id} at ${integration.name}`,
    ...(order.placed_at ? [`Placed on ${day(order.placed_at)}`] : []),
    ...lines,
    `Total ${money(order.total, order.currency)}${refunded ? `, of which ${money(order.refunded_total ?? '0', order.currency)} was refunded` : ''}`,
    `State: ${inWords(order.status).toLowerCase()}`,
    ...(parcels.length > 0 ? parcels : order.status === 'CANCELLED' ? [] : ['Not shipped yet']),
  ].join('\n')
}
