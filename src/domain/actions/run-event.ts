import { type ActionName, offers } from '../../commerce/action.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import { invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { type AnsweredAction, answerAction } from './run-action.ts'

/** What an embedded component may say has happened or is wanted, and the action that answers it. */
const events: Readonly<Record<string, ActionName | undefined>> = {
  'order.created': 'get_order',
  'order.updated': 'get_order',
  'order.create': 'create_order',
  'order.cancel': 'cancel_order',
  'order.hold': 'hold_order',
  'order.release': 'release_order',
  'order.annotate': 'annotate_order',
  'payment.capture': 'capture_payment',
  'orders.list': 'get_orders',
  'orders.acknowledge': 'acknowledge_orders',
  'orders.sync': 'sync_orders',
  'products.list': 'get_products',
  'products.export': 'export_products',
  'prices.set': 'set_prices',
  'products.sync': 'sync_products',
  'customers.list': 'get_customers',
  'inventory.list': 'get_inventory',
  'inventory.set': 'set_inventory',
  'inventory.sync': 'sync_inventory',
  'shipment.create': 'create_shipment',
  'shipment.cancel': 'cancel_shipment',
  'connection.test': 'test_connection',
}

/** An event is an action under the name of what happened; the actions' own names are taken as well. */
export const actionOfEvent = (event: string): string =>
  (Object.hasOwn(events, event) ? events[event] : undefined) ?? event

/** `workKey` as of `performAction`. */
export async function runEvent(
  context: Context,
  integration: Integration,
  { event, payload, workKey }: { event: string; payload: Record<string, unknown>; workKey: string | null },
): Promise<AnsweredAction> {
  const name = actionOfEvent(event)
  const connector = connectorFor(context.connectors, integration)
  if (!connector || !offers(connector, name)) throw invalidField('event', 'The selected event is invalid.')
  return await answerAction(context, integration, { name, fields: payload, under: 'payload', workKey })
}
