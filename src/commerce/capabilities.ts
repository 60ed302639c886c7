import type { TObject } from 'typebox'
import type { ActionName } from './action.ts'
import { actionsOf } from './action.ts'
import { type WebhookTopic, webhookTopics } from './connector/webhooks.ts'
import type { Connector } from './connector.ts'
import type { OrderChoice } from './order.ts'
import type { ProductChoice } from './product.ts'

/** What a service can do, read off its connector. */
export interface Capabilities {
  actions: readonly ActionName[]
  webhooks: readonly WebhookTopic[]
  /** Whether people enter our address in the shop, so that it sends messages. */
  webhooks_entered: boolean
  /** What `GET resource/{resource}` may be asked for. */
  resources: readonly string[]
  inventory_locations: boolean
  /** Whether the price before a reduction can be set beside the price. */
  compare_at_prices: boolean
  partial_shipments: boolean
  /** Whether carrier, number and link of a shipment can be corrected in the shop. */
  amend_shipments: boolean
  /** Whether quantities of lines may have fractions. */
  fractional_quantities: boolean
  /** Whether a shipment can be taken back. */
  cancel_shipments: boolean
  /** Whether notes for the people at the shop, and tags, can be written on orders. */
  order_notes: boolean
  order_tags: boolean
  /** What a refund may be said by: an amount, lines, either, or nothing where the platform has no refunds. */
  refund_by: readonly ('amount' | 'lines')[]
  /** Whether goods can go back into stock with a refund. */
  refund_restock: boolean
  /** Whether single lines of an order can be cancelled. */
  cancel_lines: boolean
  /** Whether a part of what is authorised can be captured. */
  capture_parts: boolean
  /** Whether orders show what buyers send back. */
  returns: boolean
  /** What `create_order` takes besides goods, addresses and a note. */
  order_choices: readonly OrderChoice[]
  /** What `export_products` takes besides one article in words. */
  product_choices: readonly ProductChoice[]
  /** How soon after it was placed the platform expects an acknowledgement of an order; null where there is no deadline. */
  acknowledge_within_hours: number | null
  settings: TObject
  /** The form for keys that people type in; null where they come from the platform. */
  credentials: TObject | null
}

/** The form for keys that people type in; null where they only ever come from the platform. */
export const typedForm = ({ auth }: Pick<Connector, 'auth'>): TObject | null =>
  auth.kind === 'keys' ? auth.credentials : (auth.typed?.form ?? null)

/**
 * How a merchant can open a shop here. A shop hands keys over by TLS only: where it could not reach us that way, the page of
 * the shop would refuse before anybody is asked.
 */
export const waysIn = (
  connector: Pick<Connector, 'auth'>,
  { takesKeys }: { takesKeys: boolean },
): ('browser' | 'keys')[] => {
  const { kind } = connector.auth
  const byBrowser = kind === 'oauth2' || (kind === 'key_handover' && takesKeys)
  return [...(byBrowser ? ['browser' as const] : []), ...(typedForm(connector) === null ? [] : ['keys' as const])]
}

export function capabilitiesOf(connector: Connector): Capabilities {
  const topics = connector.webhooks?.topics ?? {}
  return {
    actions: actionsOf(connector),
    webhooks: webhookTopics.filter((topic) => topics[topic] !== undefined),
    webhooks_entered: connector.webhooks?.registration.kind === 'entered',
    resources: Object.keys(connector.proxy?.resources ?? {}),
    inventory_locations: connector.inventory?.locations ?? false,
    compare_at_prices: connector.products?.prices?.compareAt ?? false,
    partial_shipments: connector.shipments?.partial ?? false,
    amend_shipments: connector.shipments?.amend !== undefined,
    fractional_quantities: connector.orders?.fractions ?? false,
    cancel_shipments: connector.shipments?.cancel !== undefined,
    order_notes: connector.orders?.annotate?.notes ?? false,
    order_tags: connector.orders?.annotate?.tags ?? false,
    refund_by: connector.refunds?.by ?? [],
    refund_restock: connector.refunds?.restock ?? false,
    cancel_lines: connector.orders?.cancelLines !== undefined,
    capture_parts: connector.orders?.capture?.standing !== undefined,
    returns: connector.orders?.returns !== undefined,
    order_choices: connector.orders?.takes ?? [],
    product_choices: connector.products?.takes ?? [],
    acknowledge_within_hours: connector.acknowledgement?.clock?.hours ?? null,
    settings: connector.settings,
    credentials: typedForm(connector),
  }
}

/** As shown in services: how an integration of this service is opened. */
export const authTypeOf = ({ auth }: Connector): 'oauth2' | 'api_key' | 'none' => {
  if (auth.kind === 'oauth2') return 'oauth2'
  return Object.keys(auth.credentials.properties).length === 0 ? 'none' : 'api_key'
}
