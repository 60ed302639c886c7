import { answer, type RouteRow } from '../../http/route.ts'
import { listReturns, type Return } from '../../shop/returns.ts'
import type { World } from '../../world.ts'
import { itemIdOf, numberOf, orderIdOf, written } from './orders.ts'
import { searchAmong } from './search.ts'

/** What a return is called, and each item of it. */
const words = {
  requested: ['pending', 'pending'],
  approved: ['authorized', 'authorized'],
  received: ['received', 'received'],
  rejected: ['closed', 'denied'],
  refunded: ['processed_closed', 'approved'],
} as const

function view({ id, order: { index }, at, step, lines }: Return) {
  const [status, ofItem] = words[step]
  return {
    ...{ entity_id: id, increment_id: numberOf(id), order_id: orderIdOf(index), order_increment_id: numberOf(index) },
    ...{ store_id: 1, customer_id: 1, date_requested: written(at), customer_custom_email: '', status },
    ...{ comments: [], tracks: [] },
    items: lines.map(({ line, quantity }) => ({
      ...{ entity_id: id * 10 + line, rma_entity_id: id, order_item_id: itemIdOf(index, line), status: ofItem },
      ...{ qty_requested: quantity, qty_authorized: quantity, qty_approved: 0, qty_returned: 0 },
      ...{ reason: '7', condition: '9', resolution: '4' },
    })),
  }
}

/** Adobe Commerce alone has returns (variant `edition: open_source`). */
export function returnRoutes({ shop, settings: { variant } }: World): readonly RouteRow[] {
  if (variant['edition'] === 'open_source') return []
  const reason = {
    ...{ attribute_code: 'reason', frontend_input: 'select', input_filter: '', store_label: 'Reason', note: '' },
    ...{ validation_rules: [], visible: true, required: true, multiline_count: 0, data_model: '' },
    options: [{ label: 'Wrong Size', value: '7' }],
    ...{ frontend_class: '', user_defined: false, sort_order: 1, frontend_label: 'Reason', system: true },
    ...{ backend_type: 'int' },
  }
  return [
    ['GET', '/V1/returns', 'returns.list', (call) => searchAmong(call, listReturns(shop.book).map(view), (row) => row)],
    ['GET', '/V1/returnsAttributeMetadata/reason', 'returns.reasons', () => answer(200, reason)],
  ]
}
