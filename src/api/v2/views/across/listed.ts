import { type Static, Type } from 'typebox'
import type { ShopName } from '../../../../domain/across/across-store.ts'
import type { ListedOrder, ListedProduct, WithShop } from '../../../../domain/across/read-across.ts'
import type { InboundSummary } from '../../../../domain/inbound/inbound-list-store.ts'
import type { Level } from '../../../../domain/levels/level-store.ts'
import type { IntegrationLog } from '../../../../domain/logs/log.ts'
import { orderStatuses } from '../../../../domain/orders/order.ts'
import type { Run } from '../../../../domain/runs/run.ts'
import type { Shipment } from '../../../../domain/shipments/shipment.ts'
import { choice } from '../../../../lib/validation/fields.ts'
import { inboundDeliverySchema, inboundDeliveryView } from '../inbound-delivery.ts'
import { levelSchema, levelView } from '../inventory-level.ts'
import { logSchema, logView } from '../log.ts'
import { idField, nullableId, nullableText, nullableTimestamp, timestamp } from '../record.ts'
import { runSchema, runView } from '../run.ts'
import { shipmentSchema, shipmentView } from '../shipment.ts'

/** Records as lists over all shops show them: each says whose it is. */

export const shopNameSchema = Type.Object({
  id: idField,
  name: Type.String(),
  shop: Type.String(),
  type: Type.String({ description: 'Of the service' }),
  account_id: nullableId,
})

export const shopNameView = (shop: ShopName): Static<typeof shopNameSchema> => ({
  id: shop.id,
  name: shop.name,
  shop: shop.shop,
  type: shop.type,
  account_id: shop.account_id,
})

const integration = shopNameSchema

export const listedOrderSchema = Type.Object({
  integration,
  id: idField,
  remote_id: Type.String(),
  number: nullableText,
  status: choice(orderStatuses),
  remote_status: nullableText,
  payment_status: nullableText,
  fulfillment_status: nullableText,
  currency: Type.String(),
  total: Type.String({ description: 'A decimal number' }),
  placed_at: nullableTimestamp,
  ship_by: nullableTimestamp,
  acknowledged_at: nullableTimestamp,
  created_at: timestamp,
  updated_at: timestamp,
})

export const listedOrderView = (order: WithShop<ListedOrder>): Static<typeof listedOrderSchema> => ({
  integration: shopNameView(order.integration),
  id: order.id,
  remote_id: order.remote_id,
  number: order.number,
  status: order.status,
  remote_status: order.remote_status,
  payment_status: order.payment_status,
  fulfillment_status: order.fulfillment_status,
  currency: order.currency,
  total: order.total,
  placed_at: order.placed_at,
  ship_by: order.ship_by,
  acknowledged_at: order.acknowledged_at,
  created_at: order.created_at,
  updated_at: order.updated_at,
})

export const listedProductSchema = Type.Object({
  integration,
  id: idField,
  remote_id: nullableText,
  sku: Type.String(),
  name: Type.String(),
  price: Type.String({ description: 'A decimal number' }),
  currency: Type.String(),
  quantity: nullableId,
  active: Type.Boolean(),
  updated_at: timestamp,
})

export const listedProductView = (product: WithShop<ListedProduct>): Static<typeof listedProductSchema> => ({
  integration: shopNameView(product.integration),
  id: product.id,
  remote_id: product.remote_id,
  sku: product.sku,
  name: product.name,
  price: product.price,
  currency: product.currency,
  quantity: product.quantity,
  active: product.active,
  updated_at: product.updated_at,
})

export const listedLevelSchema = Type.Object({ integration, ...levelSchema.properties })
export const listedLevelView = (level: WithShop<Level>): Static<typeof listedLevelSchema> => ({
  integration: shopNameView(level.integration),
  ...levelView(level),
})

export const listedShipmentSchema = Type.Object({ integration, ...shipmentSchema.properties })
export const listedShipmentView = (shipment: WithShop<Shipment>): Static<typeof listedShipmentSchema> => ({
  integration: shopNameView(shipment.integration),
  ...shipmentView(shipment),
})

export const listedRunSchema = Type.Object({ integration, ...runSchema.properties })
export const listedRunView = (run: WithShop<Run>): Static<typeof listedRunSchema> => ({
  integration: shopNameView(run.integration),
  ...runView(run),
})

export const listedMessageSchema = Type.Object({ integration, ...inboundDeliverySchema.properties })
export const listedMessageView = (message: WithShop<InboundSummary>): Static<typeof listedMessageSchema> => ({
  integration: shopNameView(message.integration),
  ...inboundDeliveryView(message),
})

export const listedLogSchema = Type.Object({ integration, ...logSchema.properties })
export const listedLogView = (log: WithShop<IntegrationLog>): Static<typeof listedLogSchema> => ({
  integration: shopNameView(log.integration),
  ...logView(log),
})
