import { type Fields, numberIn, recordsIn, textIn } from '../../../commerce/reading.ts'
import { completeOrders } from '../complete-order.ts'
import type { ShopifyShop } from '../settings.ts'
import type { BulkChunk } from './bulk.ts'

export const ordersIn = async (shop: ShopifyShop, records: BulkChunk['records']): Promise<readonly Fields[]> =>
  await completeOrders(
    shop,
    records.map(({ root, parts }) => packedOrder(root, parts)),
  )

/** A bulk result does not contain what is in the parcels of an order. Where all of it went in one that needs no asking. */
function packedOrder({ __typename: _, ...order }: Fields, parts: readonly Fields[]): Fields {
  const lines = parts.map(({ __typename, ...line }) => line)
  const whole = { ...order, lineItems: listOf(lines) }
  const [only, ...others] = recordsIn(order, 'fulfillments')
  const ordered = lines.reduce((count, line) => count + numberIn(line, 'quantity'), 0)
  if (!only || others.length > 0 || numberIn(only, 'totalQuantity') !== ordered) return whole
  const packed = lines.map((line) => ({ quantity: numberIn(line, 'quantity'), lineItem: { id: textIn(line, 'id') } }))
  return { ...whole, fulfillments: [{ ...only, fulfillmentLineItems: listOf(packed) }] }
}

/** A list as an ordinary answer has it. */
const listOf = (nodes: readonly Fields[]): Fields => ({ pageInfo: { hasNextPage: false, endCursor: null }, nodes })
