import { decimal } from '../../amounts.ts'
import { isWithin, second } from '../../clock.ts'
import type { Answer, Call, RouteRow } from '../../http/route.ts'
import { wholeOf } from '../../json.ts'
import { listReturns, type Return } from '../../shop/returns.ts'
import { costOf } from '../../shop/work-on-order.ts'
import type { World } from '../../world.ts'
import { itemIdOf, orderIdOf, skuIdOf } from './ids.ts'
import { unix } from './order-view.ts'
import { invalid, nextToken, ok, pageIn } from './reply.ts'

const words = {
  ...{ requested: 'RETURN_OR_REFUND_REQUEST_PENDING', approved: 'AWAITING_BUYER_SHIP', received: 'BUYER_SHIPPED_ITEM' },
  ...{ rejected: 'REFUND_OR_RETURN_REQUEST_REJECT', refunded: 'RETURN_OR_REFUND_REQUEST_COMPLETE' },
} as const

function view({ id, order, at, step, reason, lines }: Return) {
  const money = (units: number) => decimal(units, order.currency)
  const items = lines.flatMap(({ line, quantity }) => {
    const sold = order.lines.find((one) => one.line === line)
    return Array.from({ length: quantity }, (_, i) => ({
      ...{ return_line_item_id: `4035${id}${line}${i}`, order_line_item_id: itemIdOf(order.index, line, i + 1) },
      ...{ sku_id: skuIdOf(sold?.product ?? 0, sold?.position ?? 0), seller_sku: sold?.sku, product_name: sold?.title },
    }))
  })
  return {
    ...{ return_id: `4035318504${id}`, order_id: orderIdOf(order.index), role: 'BUYER', return_status: words[step] },
    ...{ return_type: 'RETURN_AND_REFUND', create_time: unix(at), update_time: unix(at), return_line_items: items },
    ...{ return_reason: 'ecom_order_delivered_refund_and_return_reason_size', return_reason_text: reason },
    refund_amount: { currency: order.currency, refund_total: money(costOf(order, lines)) },
  }
}

/** What buyers send back, apart from orders. */
export function returnRoutes({ shop }: World): readonly RouteRow[] {
  function search(call: Call): Answer {
    const page = pageIn(call.query, 50)
    if (!page || page.limit < 10) return invalid('page_size is a number from 10 to 50.')
    const fields = call.fields()
    const [from, before] = ['update_time_ge', 'update_time_lt'].map((name) => {
      const seconds = wholeOf(fields[name])
      return seconds === null ? null : seconds * second
    })
    const all = listReturns(shop.book)
      .filter(({ at }) => isWithin(at, { from, before }))
      .toSorted((a, b) => a.at - b.at || a.id - b.id)
    const { offset, limit } = page
    const return_orders = all.slice(offset, offset + limit).map(view)
    const next_page_token = nextToken(offset + limit, offset + limit < all.length)
    return ok({ return_orders, total_count: all.length, next_page_token })
  }
  return [['POST', '/return_refund/202309/returns/search', 'returns.list', search, { writes: false }]]
}
