import { isNamedIn } from '../../lib/sealing/person-text.ts'
import { takeTurns } from '../../lib/turns/turns.ts'
import { sealSome } from '../../runtime/db/vault/seal-some.ts'
import { keysForOpening } from '../../runtime/db/vault/vault.ts'
import type { Context } from '../context.ts'
import { type OrderRecord, orderRecordsByIds } from '../orders/order-record-store.ts'
import { ordersWithWords } from '../orders/privacy/find-person-store.ts'
import { sealableOrders } from '../orders/privacy/seal-store.ts'
import type { CustomerShop } from './customer-store.ts'
import { textTables } from './erase-from-texts.ts'
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

const rowsAtOnce = 200

export interface Mention {
  shop: CustomerShop
  /** The table that it stands in. */
  table: string
  text: string
}

/**
 * What else names whoever is sought, or is about one of the orders: messages of the shop, records set aside, changes in it, runs,
 * reports, answers of endpoints. Not by a name alone, which several people may have.
 */
export async function* mentionsToExport(
  { db }: Pick<Context, 'db'>,
  places: readonly SoughtIn[],
): AsyncGenerator<Mention> {
  const turns = takeTurns()
  let left = maxExported
  for (const { shop, hashes } of places.filter(({ all }) => !all)) {
    const key = (await keysForOpening(db, [shop.id])).get(shop.id)
    if (!key) continue
    const sought = { key, hashes: new Set(hashes) }
    const orders = await ordersWithWords(db, shop.id, { any: hashes, after: 0, limit: maxExported })
    const own = new Set(orders.map(({ remote_id: id }) => id))
    for (const table of textTables.filter(({ isOfCallers }) => !isOfCallers)) {
      for (let after: string | null = null, more = true; more && left > 0; ) {
        const rows = await table.read(db, shop.id, { after, limit: rowsAtOnce })
        for (const row of rows) {
          const isMeant = row.orders.some((id) => own.has(id)) || isNamedIn(sought, row.says)
          if (isMeant && row.says.trim() !== '' && left-- > 0) yield { shop, table: table.name, text: row.says.trim() }
          const rest = turns.yield()
          if (rest) await rest
        }
        after = rows.at(-1)?.place ?? null
        more = rows.length === rowsAtOnce
      }
    }
  }
}
