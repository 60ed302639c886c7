import { minus, share, sum } from '../../commerce/decimal.ts'
import { digitsOf } from '../../commerce/money.ts'
import type { OrderLine } from '../../commerce/order.ts'
import { type Fields, maybeText, maybeTime, numberIn, recordsIn, textIn } from '../../commerce/reading.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { amountIn, moneyIn } from './amounts.ts'

interface Around {
  shipments: readonly RemoteShipment[]
  isCancelled: boolean
  currency: string
}

/** A line tells what all its pieces cost together. */
export function toLine(line: Fields, { shipments, isCancelled, currency }: Around): OrderLine {
  const id = textIn(line, 'lineItemId')
  const quantity = numberIn(line, 'quantity')
  const digits = digitsOf(currency)
  const cost = moneyIn(line, 'lineItemCost').amount
  const paid = line['discountedLineItemCost'] == null ? cost : moneyIn(line, 'discountedLineItemCost').amount
  const taxes = line['taxes'] == null ? [] : recordsIn(line, 'taxes')
  const money = (amount: string) => ({ amount, currency })
  const isSent = line['lineItemFulfillmentStatus'] === 'FULFILLED'
  return {
    remote_id: id,
    sku: maybeText(line, 'sku'),
    // A line names its listing, not the group that it was made from; articles are known by their sku.
    product_remote_id: null,
    variant_remote_id: maybeText(line, 'sku'),
    title: textIn(line, 'title'),
    variant_title: variantTitleOf(line),
    quantity,
    quantity_fulfilled: isSent ? quantity : Math.min(quantity, countIn(shipments, id)),
    quantity_cancelled: isCancelled ? quantity : 0,
    unit_price: money(share(cost, quantity, digits)),
    discount: money(minus(cost, paid, digits)),
    tax: money(
      sum(
        taxes.map((tax) => amountIn(tax, 'amount', currency)),
        digits,
      ),
    ),
    total: money(paid),
    requires_shipping: null,
  }
}

function variantTitleOf(line: Fields): string | null {
  const aspects = line['variationAspects'] == null ? [] : recordsIn(line, 'variationAspects')
  return aspects.map((one) => textIn(one, 'value')).join(' / ') || null
}

export const countIn = (shipments: readonly RemoteShipment[], line: string): number =>
  shipments
    .flatMap(({ lines }) => lines)
    .filter((one) => one.order_line_remote_id === line)
    .reduce((count, one) => count + one.quantity, 0)

/** A parcel's lines may come without their number: then it is one. */
function toShipment(parcel: Fields): RemoteShipment {
  return {
    remote_id: textIn(parcel, 'fulfillmentId'),
    status: 'shipped',
    carrier_code: maybeText(parcel, 'shippingCarrierCode'),
    carrier_name: maybeText(parcel, 'shippingCarrierCode'),
    service: null,
    tracking_number: maybeText(parcel, 'shipmentTrackingNumber'),
    tracking_url: null,
    shipped_at: maybeTime(parcel, 'shippedDate'),
    delivered_at: null,
    location_remote_id: null,
    lines: recordsIn({ lineItems: [], ...parcel }, 'lineItems').map((line) => ({
      order_line_remote_id: textIn(line, 'lineItemId'),
      quantity: line['quantity'] == null ? 1 : numberIn(line, 'quantity'),
    })),
  }
}

/** All that were sent without a number have one and the same id: from the second on they are counted. */
export function toShipments(parcels: readonly Fields[]): RemoteShipment[] {
  const seen = new Map<string | null, number>()
  return parcels.map(toShipment).map((parcel) => {
    const nth = (seen.get(parcel.remote_id) ?? 0) + 1
    seen.set(parcel.remote_id, nth)
    return nth === 1 ? parcel : { ...parcel, remote_id: `${parcel.remote_id}-${nth}` }
  })
}
