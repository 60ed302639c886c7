import { type Fields, fieldsIn, maybeFields, recordsIn } from '../../../commerce/reading.ts'
import { ask } from '../ask.ts'
import { refundLines } from '../documents/refunds.ts'
import type { ShopifyShop } from '../settings.ts'

/** With the lines of each, where there are any refunds at all. */
export async function refundsOf(shop: ShopifyShop, id: string, order: Fields): Promise<Fields> {
  const refunds = recordsIn({ refunds: [], ...order }, 'refunds')
  if (refunds.length === 0) return {}
  const read = maybeFields(await ask(shop, refundLines, { id }), 'order')
  const lines = new Map(
    (read ? recordsIn(read, 'refunds') : []).map((one) => [one['id'], fieldsIn(one, 'refundLineItems')['nodes']]),
  )
  return { refunds: refunds.map((one) => ({ ...one, lines: lines.get(one['id']) ?? [] })) }
}
