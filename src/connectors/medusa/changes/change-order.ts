import type { Orders } from '../../../commerce/connector/parts.ts'
import { bodyOf, type Fields, fieldsOf, idIn, recordsIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { captureOnce } from '../../../commerce/wire/change-once.ts'
import { getOrder } from '../orders.ts'
import type { Credentials, MedusaShop, Settings } from '../settings.ts'
import { toOrder } from '../translate-order.ts'

/** Parcels that were sent cannot be taken back there, and orders have neither notes nor tags. */
export const orderChanges: Pick<Orders<Settings, Credentials>, 'capture'> = {
  capture: captureOnce({ get: getOrder, translate: toOrder }, async (shop, { order_remote_id: id }) => {
    const order = await getOrder(shop, id)
    const open = (order === null ? [] : paymentsIn(fieldsOf(order))).filter(
      (one) => one['captured_at'] == null && one['canceled_at'] == null,
    )
    if (open.length === 0) throw refused('No payment of the order is authorised.')
    for (const payment of open) await capture(shop, idIn(payment, 'id'))
  }),
}

const rowsIn = (fields: Fields, name: string): readonly Fields[] => recordsIn({ rows: fields[name] ?? [] }, 'rows')
const paymentsIn = (order: Fields): Fields[] =>
  rowsIn(order, 'payment_collections').flatMap((collection) => rowsIn(collection, 'payments'))

const capture = async ({ remote }: MedusaShop, id: string): Promise<unknown> =>
  bodyOf(await remote.request({ method: 'POST', path: `/admin/payments/${encodeURIComponent(id)}/capture`, body: {} }))
