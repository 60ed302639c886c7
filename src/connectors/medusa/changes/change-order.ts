import type { CaptureStanding } from '../../../commerce/changes/order-change.ts'
import type { Orders } from '../../../commerce/connector/parts.ts'
import { minus, sum } from '../../../commerce/decimal.ts'
import { digitsOf } from '../../../commerce/money.ts'
import { bodyOf, type Fields, fieldsOf, idIn, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { captureOnce } from '../../../commerce/wire/change-once.ts'
import { say } from '../../../commerce/words/say.ts'
import { moneyIn } from '../amounts.ts'
import { getOrder } from '../orders.ts'
import type { Credentials, MedusaShop, Settings } from '../settings.ts'
import { toOrder } from '../translate-order.ts'

/** Parcels that were sent cannot be taken back there, and orders have neither notes nor tags. */
export const orderChanges: Pick<Orders<Settings, Credentials>, 'capture'> = {
  capture: captureOnce(
    { get: getOrder, translate: toOrder },
    async (shop, { order_remote_id: id, amount }) => {
      const order = await orderAt(shop, id)
      const open = paymentsIn(order).filter(isOpen)
      const [only] = open
      if (!only) throw refused(say('no_payment_authorised'))
      if (amount != null && open.length > 1) throw refused(say('several_payments'))
      for (const payment of open) await capture(shop, idIn(payment, 'id'), amount ?? null)
    },
    async (shop, id) => standingOf(await orderAt(shop, id)),
  ),
}

async function orderAt(shop: MedusaShop, id: string): Promise<Fields> {
  const order = await getOrder(shop, id)
  if (order === null) throw refused(say('no_such_order'))
  return fieldsOf(order)
}

/** A payment counts as captured once all of it is. */
const isOpen = (payment: Fields): boolean => payment['captured_at'] == null && payment['canceled_at'] == null

/** How much of a payment was taken is said by what it belongs to. */
function standingOf(order: Fields): CaptureStanding {
  const currency = textIn(order, 'currency_code').toUpperCase()
  const digits = digitsOf(currency)
  const amounts = (rows: readonly Fields[], name: string) =>
    sum(
      rows.map((row) => moneyIn({ [name]: 0, ...row }, name, currency).amount),
      digits,
    )
  const captured = amounts(rowsIn(order, 'payment_collections'), 'captured_amount')
  const paid = amounts(
    paymentsIn(order).filter((one) => one['canceled_at'] == null),
    'amount',
  )
  return { reserved: minus(paid, captured, digits), captured, currency }
}

const rowsIn = (fields: Fields, name: string): readonly Fields[] => recordsIn({ rows: fields[name] ?? [] }, 'rows')
const paymentsIn = (order: Fields): Fields[] =>
  rowsIn(order, 'payment_collections').flatMap((collection) => rowsIn(collection, 'payments'))

const capture = async ({ remote }: MedusaShop, id: string, amount: string | null): Promise<unknown> =>
  bodyOf(
    await remote.request({
      method: 'POST',
      path: `/admin/payments/${encodeURIComponent(id)}/capture`,
      body: amount === null ? {} : { amount: Number(amount) },
    }),
  )
