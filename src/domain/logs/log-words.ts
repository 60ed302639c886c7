import type { ActionName } from '../../commerce/action.ts'
import { speaker, type Wording } from '../../lib/words/wording.ts'
import { logSentences } from './log-sentences.ts'

/** Says what has happened to an integration. */
export const logWords = speaker(logSentences, (n) => n.toLocaleString('en'))

/** What runs are called. Those of another version of the program are called as they are. */
export const actionSentences: Readonly<Record<`action_${ActionName}`, string>> = {
  action_get_orders: 'get orders',
  action_get_order: 'get order',
  action_get_order_statuses: 'get order statuses',
  action_create_order: 'create order',
  action_cancel_order: 'cancel order',
  action_cancel_order_lines: 'cancel order lines',
  action_create_refund: 'create refund',
  action_annotate_order: 'annotate order',
  action_hold_order: 'hold order',
  action_release_order: 'release order',
  action_capture_payment: 'capture payment',
  action_acknowledge_orders: 'acknowledge orders',
  action_get_products: 'get products',
  action_export_products: 'export products',
  action_set_prices: 'set prices',
  action_get_customers: 'get customers',
  action_get_customer: 'get customer',
  action_get_inventory: 'get inventory',
  action_set_inventory: 'set inventory',
  action_create_shipment: 'create shipment',
  action_amend_shipment: 'amend shipment',
  action_cancel_shipment: 'cancel shipment',
  action_test_connection: 'test connection',
  action_sync_orders: 'sync orders',
  action_sync_products: 'sync products',
  action_sync_inventory: 'sync inventory',
  action_reconcile: 'reconcile',
}

const actionNames = new Map<string, string>(Object.entries(actionSentences))

export function actionWords(name: string): string | Wording {
  const code = `action_${name}`
  const text = actionNames.get(code)
  return text === undefined ? name.replaceAll('_', ' ') : { code, parameters: {}, text }
}
