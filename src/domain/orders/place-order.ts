import { connectorFor } from '../../commerce/connectors.ts'
import { type OrderDraft, orderDraftSchema } from '../../commerce/order.ts'
import { invalid, notFound } from '../../lib/fault.ts'
import { validate } from '../../lib/validation/validate.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { orderMaking, orderPlan } from '../operations/operation.ts'
import { useShop } from '../shop/use-shop.ts'
import { createOrder } from './create-order.ts'
import type { Order, OrderInput } from './order.ts'
import { orderByRemoteId } from './order-store.ts'
import { upsertOrders } from './order-upsert-store.ts'
import { syncedOrder } from './synced-order.ts'

/**
 * A new order: in the shop, where its service can make orders. One that has an id in the shop or was placed at some time
 * is there already, and test orders are nobody's: those are kept here alone, as `origin` says.
 */
export async function placeOrder(context: Context, integration: Integration, input: OrderInput): Promise<Order> {
  const connector = connectorFor(context.connectors, integration)
  const isOurs = input.remote_id != null || input.placed_at != null || input.sandbox === true
  if (isOurs || !connector?.orders?.create) return await createOrder(context, integration, input)
  const draft = draftOf(input)
  const made = await useShop(context, integration, orderMaking, (_shop, create, write) =>
    write(orderPlan(draft), create),
  )
  if (!made) throw notFound()
  // Before the transaction, which would otherwise hold one connection while it waits for another.
  const ids = await takeIds(context.db, 'orders', 1)
  return await context.transaction(async (trx) => {
    await made.settle(trx)
    await upsertOrders(trx, integration.id, { ids, orders: [syncedOrder(integration, made.result)] })
    return await orderByRemoteId(trx, integration.id, made.result.remote_id)
  })
}

/** What callers say in words of their own is checked against ours: nothing of it is left out without a word. */
function draftOf({ number, currency, customer, billing_address, shipping_address, items }: OrderInput): OrderDraft {
  const lines = items.map(({ sku, name, quantity, price }) => ({ sku, title: name, quantity, unit_price: price }))
  const said = { reference: number ?? null, currency, lines, customer, billing_address, shipping_address }
  const unknown = (['customer', 'billing_address', 'shipping_address'] as const).flatMap((field) => {
    const fields = orderDraftSchema.properties[field].anyOf?.find((one) => 'properties' in one)
    const known = Object.keys(fields && 'properties' in fields ? (fields.properties as object) : {})
    return Object.keys(said[field] ?? {})
      .filter((name) => !known.includes(name))
      .map((name) => [
        `${field}.${name}`,
        [`The ${field}.${name} field is prohibited. The shop takes: ${known.join(', ')}.`],
      ])
  })
  const checked = validate(orderDraftSchema, said)
  if (unknown.length > 0) throw invalid(Object.fromEntries(unknown))
  if (!checked.ok)
    throw invalid(Object.fromEntries(Object.entries(checked.errors).map(([path, texts]) => [nameOf(path), texts])))
  return checked.value
}

/** Callers know lines as items. */
const nameOf = (path: string): string => path.replace(/^lines\./, 'items.').replace(/^reference$/, 'number')
