import { sealSome } from '../../runtime/db/vault/seal-some.ts'
import type { Context } from '../context.ts'
import { type OrderRecord, orderRecordsByIds } from '../orders/order-record-store.ts'
import { ordersWithWords } from '../orders/privacy/find-person-store.ts'
import { sealableOrders } from '../orders/privacy/seal-store.ts'
import type { CustomerShop } from './customer-store.ts'
import type { SoughtIn } from './find-customer.ts'

/** More than anybody has bought. */
export const maxExported = 10_000
const ordersAtOnce = 100

/** The orders of whoever is sought, oldest first, a few at a time. */
export async function* ordersToExport(
  context: Pick<Context, 'db' | 'transaction'>,
  places: readonly SoughtIn[],
): AsyncGenerator<{ shop: CustomerShop; orders: OrderRecord[] }> {
  let left = maxExported
  for (const { shop, hashes, all } of places) {
    while ((await sealSome(context, sealableOrders, shop.id)) > 0);
    for (let after = 0; left > 0; ) {
      const limit = Math.min(left, ordersAtOnce)
      const page = { after, limit }
      const found = await ordersWithWords(context.db, shop.id, {
        ...(all ? { all: hashes } : { any: hashes }),
        ...page,
      })
      if (found.length === 0) break
      after = found.at(-1)?.id ?? 0
      left -= found.length
      const ids = found.map(({ id }) => id)
      yield { shop, orders: await orderRecordsByIds(context.db, shop.id, ids) }
    }
  }
}
