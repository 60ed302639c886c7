import { type Fields, isFields, numberIn, recordsIn, textIn } from '../../../commerce/reading.ts'
import { chunks } from '../../../lib/chunks.ts'
import { ask } from '../ask.ts'
import { completeOrder } from '../complete-order.ts'
import { mayHaveTerms } from '../customers/companies.ts'
import { someOrders } from '../documents/orders.ts'
import { isSentInSeveralWays } from '../parcels/shipping-ways.ts'
import { hasReturns } from '../refunds/read-returns.ts'
import type { ShopifyShop } from '../settings.ts'
import type { BulkChunk } from './bulk.ts'

export async function ordersIn(shop: ShopifyShop, records: BulkChunk['records']): Promise<readonly Fields[]> {
  const packed = records.map(({ root, parts }) => packedOrder(root, parts))
  const unpacked = packed.flatMap((order) => (order.packed ? [] : [order.id]))
  const asked = await ordersById(shop, unpacked)
  return packed.flatMap(({ id, packed: whole }) => {
    const order = whole ?? asked.get(id)
    return order ? [order] : []
  })
}

/**
 * A bulk result does not contain what is in the parcels of an order, nor what was refunded of it or came back. Where all of
 * it went in one that needs no asking; null where it does.
 */
function packedOrder({ __typename: _, ...order }: Fields, parts: readonly Fields[]) {
  const id = textIn(order, 'id')
  const isRefunded = recordsIn({ refunds: [], ...order }, 'refunds').length > 0
  if (isRefunded || hasReturns(order) || mayHaveTerms(order) || isSentInSeveralWays(order)) return { id, packed: null }
  const lines = parts.map(({ __typename, ...line }) => line)
  const whole = { ...order, lineItems: listOf(lines) }
  const parcels = recordsIn(order, 'fulfillments')
  const [only] = parcels
  if (!only) return { id, packed: whole }
  const ordered = lines.reduce((count, line) => count + numberIn(line, 'quantity'), 0)
  if (parcels.length > 1 || numberIn(only, 'totalQuantity') !== ordered) return { id, packed: null }
  const packed = lines.map((line) => ({ quantity: numberIn(line, 'quantity'), lineItem: { id: textIn(line, 'id') } }))
  return { id, packed: { ...whole, fulfillments: [{ ...only, fulfillmentLineItems: listOf(packed) }] } }
}

/** A list as an ordinary answer has it. */
const listOf = (nodes: readonly Fields[]): Fields => ({ pageInfo: { hasNextPage: false, endCursor: null }, nodes })

const atOnce = 10

async function ordersById(shop: ShopifyShop, ids: readonly string[]): Promise<Map<string, Fields>> {
  const found = new Map<string, Fields>()
  for (const some of chunks(ids, atOnce)) {
    const data = await ask(shop, someOrders, { ids: some })
    // Null for those that are gone by now.
    for (const order of Array.isArray(data['nodes']) ? data['nodes'].filter(isFields) : []) {
      found.set(textIn(order, 'id'), await completeOrder(shop, order))
    }
  }
  return found
}
