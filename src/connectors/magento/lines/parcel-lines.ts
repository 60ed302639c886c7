import { type Fields, idIn } from '../../../commerce/reading.ts'
import { exactQuantity } from '../../../commerce/rules/quantities.ts'
import type { RemoteShipment } from '../../../commerce/shipment.ts'
import { isBundle, partsOf, perBundle, quantityIn } from './quantities.ts'

/**
 * What a shipment holds, by lines. A bundle that is sent as a whole is told by its own id alone: then it is so many of each of
 * its parts. Where its parts are sent one by one, it is told beside them and means nothing.
 */
export function parcelLines(rows: readonly Fields[], items: readonly Fields[]): RemoteShipment['lines'] {
  const told = new Set(rows.map((row) => idIn(row, 'order_item_id')))
  return rows.flatMap((row) => {
    const id = idIn(row, 'order_item_id')
    const quantity = quantityIn(row, 'qty')
    const item = items.find((one) => idIn(one, 'item_id') === id)
    if (!item || !isBundle(item, items)) return [{ order_line_remote_id: id, quantity }]
    const parts = partsOf(item, items)
    if (parts.some((part) => told.has(idIn(part, 'item_id')))) return []
    return parts
      .filter((part) => part['is_virtual'] !== 1)
      .map((part) => ({
        order_line_remote_id: idIn(part, 'item_id'),
        quantity: exactQuantity(quantity * perBundle(part, item)),
      }))
  })
}
