import { expect } from 'vitest'
import type { RawPage } from '../../src/commerce/connector/reads.ts'
import type { Connector } from '../../src/commerce/connector.ts'
import type { OrderReturn, RemoteOrder } from '../../src/commerce/order.ts'
import type { Shop } from '../../src/commerce/shop.ts'
import { toTimestamp } from '../../src/lib/timestamp.ts'

export interface Returning extends Pick<RemoteOrder, 'lines'> {
  returns: readonly OrderReturn[]
}

/** Orders that tell of returns themselves. */
export const told = (orders: readonly RemoteOrder[]): Returning[] =>
  orders.flatMap(({ lines, returns = [] }) => (returns.length > 0 ? [{ lines, returns }] : []))

/** The orders that a list of returns tells of; read twice, it says the same. */
export async function listedReturns(
  { returns: list }: NonNullable<Connector['orders']>,
  shop: Shop,
  orders: readonly RemoteOrder[],
): Promise<Returning[]> {
  if (typeof list !== 'object') return []
  const now = toTimestamp(new Date())
  const read = async () => {
    const items: unknown[] = []
    for (let cursor: string | null = null, pages = 0; pages < 100; pages++) {
      const page: RawPage = await list.list(shop, { updatedSince: null, cursor, limit: 5, now })
      items.push(...page.items)
      cursor = page.next
      if (cursor === null) return items.flatMap((raw) => list.translate(raw, shop))
    }
    throw new Error('The list has no end.')
  }
  const all = await read()
  expect(await read()).toEqual(all)
  const byId = new Map(orders.map((order) => [order.remote_id, order]))
  return all.map(({ order_remote_id: id, told: one }) => {
    const order = byId.get(id)
    expect([id, order !== undefined]).toEqual([id, true])
    return { lines: order?.lines ?? [], returns: [one] }
  })
}
