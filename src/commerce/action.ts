import type { TObject } from 'typebox'
import { choice, flag, integer, list, maybe, object, optional, text } from '../lib/validation/fields.ts'
import {
  annotationSchema,
  captureSchema,
  holdSchema,
  releaseSchema,
  shipmentCancellationSchema,
} from './changes/order-change.ts'
import { priceSettingSchema } from './changes/price.ts'
import type { Connector } from './connector.ts'
import { inventorySettingSchema } from './inventory.ts'
import { orderDraftSchema } from './order.ts'
import { productDraftSchema } from './product.ts'
import { lineCancellationSchema, refundDraftSchema } from './refund.ts'
import { notifyCustomer, shipmentAmendmentSchema, shipmentDraftSchema } from './shipment.ts'

/**
 * Everything that can be run on an integration: by name, and only these. Each is either short (it answers with its
 * result) or long (it answers with a run that goes on by itself).
 */
interface Action {
  summary: string
  long: boolean
  /** What it takes beside `resource`. */
  input: TObject
  /** Whether a connector with these parts can do it. */
  offeredBy(connector: Connector): boolean
}

const page = {
  cursor: maybe(text({ max: 2000, description: 'The `meta.next_cursor` of the page before.' })),
  limit: optional(integer({ minimum: 1, maximum: 250 })),
}
const since = maybe(text({ format: 'date-time', description: 'Only what changed at or after this time.' }))
const remoteId = text({ description: 'The shop’s own id.' })
export const force = optional(
  flag(
    'Also if the shop shows the order as cancelled, unpaid, on hold, refunded or, for cancelling, as shipped; for a refund, as unpaid.',
  ),
)
const sync = object({
  mode: optional(choice(['incremental', 'full'], 'What changed since the last time, or everything.')),
  updated_since: since,
})

const define = <const T extends Record<string, Action>>(actions: T) => actions

export const actions = define({
  get_orders: {
    summary: 'A page of orders from the shop',
    long: false,
    input: object({
      order_status: optional(
        list(text(), { max: 50, description: 'Statuses of orders as stored here, or the shop’s own words for them.' }),
      ),
      updated_since: since,
      ...page,
    }),
    offeredBy: ({ orders }) => orders !== undefined,
  },
  get_order: {
    summary: 'One order from the shop',
    long: false,
    input: object({ remote_id: remoteId }),
    offeredBy: ({ orders }) => orders !== undefined,
  },
  get_order_statuses: {
    summary: 'The statuses that orders can have in the shop',
    long: false,
    input: object({}),
    offeredBy: ({ orders }) => orders !== undefined,
  },
  create_order: {
    summary: 'Create an order in the shop',
    long: false,
    input: orderDraftSchema,
    offeredBy: ({ orders }) => orders?.create !== undefined,
  },
  cancel_order: {
    summary: 'Cancel an order in the shop',
    long: false,
    input: object({ remote_id: remoteId, reason: maybe(text()), notify_customer: notifyCustomer, force }),
    offeredBy: ({ orders }) => orders?.cancel !== undefined,
  },
  cancel_order_lines: {
    summary: 'Cancel single lines of an order in the shop',
    long: false,
    input: object({ ...lineCancellationSchema.properties, force }),
    offeredBy: ({ orders }) => orders?.cancelLines !== undefined,
  },
  create_refund: {
    summary: 'Refund an amount or lines of an order in the shop',
    long: false,
    input: object({ ...refundDraftSchema.properties, force }),
    offeredBy: ({ refunds }) => refunds !== undefined,
  },
  annotate_order: {
    summary: 'Write a note or tags on an order in the shop',
    long: false,
    input: annotationSchema,
    offeredBy: ({ orders }) => orders?.annotate !== undefined,
  },
  hold_order: {
    summary: 'Put an order on hold in the shop',
    long: false,
    input: holdSchema,
    offeredBy: ({ orders }) => orders?.hold !== undefined,
  },
  release_order: {
    summary: 'Release an order that is on hold in the shop',
    long: false,
    input: releaseSchema,
    offeredBy: ({ orders }) => orders?.release !== undefined,
  },
  capture_payment: {
    summary: 'Capture the authorised payment of an order in the shop',
    long: false,
    input: captureSchema,
    offeredBy: ({ orders }) => orders?.capture !== undefined,
  },
  acknowledge_orders: {
    summary: 'Acknowledge orders at the shop',
    long: false,
    input: object({ remote_ids: list(remoteId, { min: 1, max: 100, unique: true }) }),
    offeredBy: ({ acknowledgement }) => acknowledgement !== undefined,
  },
  get_products: {
    summary: 'A page of products from the shop',
    long: false,
    input: object({ updated_since: since, ...page }),
    offeredBy: ({ products }) => products !== undefined,
  },
  export_products: {
    summary: 'Create or update products in the shop',
    long: false,
    input: object({ products: list(productDraftSchema, { min: 1, max: 100 }) }),
    offeredBy: ({ products }) => products?.export !== undefined,
  },
  set_prices: {
    summary: 'Set prices in the shop',
    long: false,
    input: object({ items: list(priceSettingSchema, { min: 1, max: 500 }) }),
    offeredBy: ({ products }) => products?.prices !== undefined,
  },
  get_customers: {
    summary: 'A page of customers from the shop',
    long: false,
    input: object({ updated_since: since, ...page }),
    offeredBy: ({ customers }) => customers !== undefined,
  },
  get_customer: {
    summary: 'One customer from the shop',
    long: false,
    input: object({ remote_id: remoteId }),
    offeredBy: ({ customers }) => customers !== undefined,
  },
  get_inventory: {
    summary: 'A page of stock levels from the shop',
    long: false,
    input: object({ updated_since: since, ...page }),
    offeredBy: ({ inventory }) => inventory !== undefined,
  },
  set_inventory: {
    summary: 'Set stock levels in the shop',
    long: false,
    input: object({ items: list(inventorySettingSchema, { min: 1, max: 1000 }) }),
    offeredBy: ({ inventory }) => inventory?.set !== undefined,
  },
  create_shipment: {
    summary: 'Send a shipment to the shop',
    long: false,
    input: object({ ...shipmentDraftSchema.properties, force }),
    offeredBy: ({ shipments }) => shipments !== undefined,
  },
  amend_shipment: {
    summary: 'Correct carrier, number or link of a shipment in the shop',
    long: false,
    input: shipmentAmendmentSchema,
    offeredBy: ({ shipments }) => shipments?.amend !== undefined,
  },
  cancel_shipment: {
    summary: 'Cancel a shipment in the shop',
    long: false,
    input: object({ ...shipmentCancellationSchema.properties, force }),
    offeredBy: ({ shipments }) => shipments?.cancel !== undefined,
  },
  test_connection: {
    summary: 'Check whether the shop accepts the credentials',
    long: false,
    input: object({}),
    offeredBy: () => true,
  },
  sync_orders: {
    summary: 'Bring our copy of the orders up to date',
    long: true,
    input: sync,
    offeredBy: ({ orders }) => orders !== undefined,
  },
  sync_products: {
    summary: 'Bring our copy of the products up to date',
    long: true,
    input: sync,
    offeredBy: ({ products }) => products !== undefined,
  },
  sync_inventory: {
    summary: 'Bring our copy of the stock levels up to date',
    long: true,
    input: sync,
    offeredBy: ({ inventory }) => inventory !== undefined,
  },
  reconcile: {
    summary: 'Compare our copy with the shop and repair it',
    long: true,
    input: object({
      resources: optional(list(choice(['orders', 'products', 'inventory']), { min: 1, max: 3, unique: true })),
      updated_since: since,
    }),
    offeredBy: ({ orders, products, inventory }) => (orders ?? products ?? inventory) !== undefined,
  },
})

export type ActionName = keyof typeof actions

export const actionNames = Object.keys(actions) as readonly ActionName[]

export const isActionName = (name: string): name is ActionName => Object.hasOwn(actions, name)

/** What may be run on integrations of this connector. */
export const actionsOf = (connector: Connector): readonly ActionName[] =>
  actionNames.filter((name) => actions[name].offeredBy(connector))

export const offers = (connector: Connector, name: string): name is ActionName =>
  isActionName(name) && actions[name].offeredBy(connector)
