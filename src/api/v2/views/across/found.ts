import { type Static, Type } from 'typebox'
import type { Found } from '../../../../domain/across/search.ts'
import { orderStatuses } from '../../../../domain/orders/order.ts'
import { runStatuses } from '../../../../domain/runs/run.ts'
import { choice } from '../../../../lib/validation/fields.ts'
import { idField, nullableText, nullableTimestamp } from '../record.ts'
import { shopNameSchema, shopNameView } from './listed.ts'

/** What a search has found, by kind. */
export const foundSchema = Type.Object({
  orders: Type.Array(
    Type.Object({
      integration: shopNameSchema,
      id: idField,
      number: nullableText,
      remote_id: Type.String(),
      status: choice(orderStatuses),
      currency: Type.String(),
      total: Type.String({ description: 'A decimal number' }),
      placed_at: nullableTimestamp,
      found_by: choice(['number', 'tracking_number', 'email', 'phone', 'name']),
    }),
  ),
  products: Type.Array(
    Type.Object({ integration: shopNameSchema, id: idField, sku: Type.String(), name: Type.String() }),
  ),
  shops: Type.Array(shopNameSchema),
  merchants: Type.Array(Type.Object({ id: idField, remote_id: Type.String(), name: nullableText })),
  runs: Type.Array(
    Type.Object({ integration: shopNameSchema, id: idField, resource: Type.String(), status: choice(runStatuses) }),
  ),
})

export const foundView = (found: Found): Static<typeof foundSchema> => ({
  orders: found.orders.map((order) => ({
    integration: shopNameView(order.integration),
    id: order.id,
    number: order.number,
    remote_id: order.remote_id,
    status: order.status,
    currency: order.currency,
    total: order.total,
    placed_at: order.placed_at,
    found_by: order.found_by,
  })),
  products: found.products.map((product) => ({
    integration: shopNameView(product.integration),
    id: product.id,
    sku: product.sku,
    name: product.name,
  })),
  shops: found.shops.map(shopNameView),
  merchants: found.merchants.map(({ id, remote_id, name }) => ({ id, remote_id, name })),
  runs: found.runs.map((run) => ({
    integration: shopNameView(run.integration),
    id: run.id,
    resource: run.resource,
    status: run.status,
  })),
})
