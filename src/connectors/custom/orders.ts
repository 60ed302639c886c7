import type { RawPage, ReadQuery } from '../../commerce/connector.ts'
import type { Format } from '../../commerce/definition/definition.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { bodyOf, isFields } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { getOne, requestFrom } from './ask.ts'
import { listChanged } from './pages.ts'
import type { OrderRules } from './translate-order.ts'
import { valueAt } from './values.ts'

/** Platforms have too many ways to be asked for statuses: all orders are read, and those meant are kept. */
export async function listOrders(shop: Shop, rules: OrderRules, query: ReadQuery, format: Format): Promise<RawPage> {
  if (query.statuses.length === 0) return await listChanged(shop, rules, query, format)
  const words = new Set(query.statuses.map((word) => word.toLowerCase()))
  const meant = new Set(
    rules.statuses
      .filter(({ theirs, ours }) => words.has(ours) || words.has(theirs.toLowerCase()))
      .map(({ theirs }) => theirs),
  )
  if (meant.size === 0) return { items: [], next: null, total: 0 }
  const page = await listChanged(shop, rules, query, format)
  const items = page.items.filter((raw) => isFields(raw) && meant.has(String(valueAt(raw, rules.fields.status))))
  return { items, next: page.next, total: null }
}

type ToOrder = (raw: unknown) => RemoteOrder

/** An order that is cancelled already is left alone, which makes it safe to ask twice. */
export async function cancelOrder(
  shop: Shop,
  { rules, toOrder }: { rules: OrderRules; toOrder: ToOrder },
  { remoteId, reason }: { remoteId: string; reason: string | null },
): Promise<RemoteOrder> {
  const read = async () => {
    const raw = await getOne(shop, rules.get, remoteId)
    if (raw === null) throw refused('The shop has no such order.')
    return toOrder(raw)
  }
  const before = await read()
  if (before.status === 'cancelled' || !rules.cancel) return before
  const request = requestFrom(rules.cancel, { id: remoteId, reason }, { id: remoteId })
  bodyOf(await shop.remote.request({ ...request, repeatable: true }))
  return await read()
}
