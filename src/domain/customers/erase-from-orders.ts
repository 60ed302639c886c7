import { blindWord } from '../../lib/sealing/record-box.ts'
import { lockCounted } from '../../runtime/db/lists/row-counters.ts'
import { sealSome } from '../../runtime/db/vault/seal-some.ts'
import { keysForOpening } from '../../runtime/db/vault/vault.ts'
import type { Context } from '../context.ts'
import type { ErasureShop } from '../erasures/erasure.ts'
import { saveStep } from '../erasures/erasure-store.ts'
import { notifyApps } from '../inbound/privacy/privacy-events.ts'
import { eraseOrders } from '../orders/privacy/erase-orders-store.ts'
import { ordersWithWords } from '../orders/privacy/find-person-store.ts'
import { historyWords } from '../orders/privacy/history-sentences.ts'
import { sealableOrders } from '../orders/privacy/seal-store.ts'

const ordersAtOnce = 100
const note = historyWords('history.erased')

/** Some of the person's orders, and what they say of the person for the texts that come afterwards; false when none is left. */
export async function eraseFromOrders(
  context: Pick<Context, 'db' | 'transaction'>,
  shop: ErasureShop,
  at: string,
): Promise<boolean> {
  const { integration_id: id, words } = shop
  // From before they were sealed: those cannot be found by hashes.
  while ((await sealSome(context, sealableOrders, id)) > 0);
  return await context.transaction(async (trx) => {
    if ((await lockCounted(trx, id)) === null) return false
    const key = (await keysForOpening(trx, [id])).get(id)
    if (!key) return false
    const found = await ordersWithWords(trx, id, { any: words, after: 0, limit: ordersAtOnce })
    if (found.length === 0) return false
    const orderIds = found.map((order) => order.id)
    const names = await eraseOrders(trx, id, { orderIds, remoteIds: [], why: { source: 'api', note } })
    const phrases = names.map((name) => blindWord(key, name))
    await saveStep(trx, shop, { at: { at_table: null, after: null }, touched: { orders: found.length }, phrases })
    await notifyApps(trx, id, 'privacy.redacted', { orderIds, at })
    return true
  })
}
