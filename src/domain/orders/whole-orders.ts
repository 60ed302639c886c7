import type { Connector } from '../../commerce/connector.ts'
import type { Shop } from '../../commerce/shop.ts'

type Orders = NonNullable<Connector['orders']>

/** For who asks in person, and is told everything: what a list leaves out is asked for at once. */
export const wholeOrders = (orders: Orders): Pick<Orders, 'list' | 'translate'> => ({
  translate: orders.translate,
  async list(shop, query) {
    const page = await orders.list(shop, query)
    const items: unknown[] = []
    for (const raw of page.items) items.push((await wholeOf(orders, shop, raw)) ?? raw)
    return { ...page, items }
  },
})

async function wholeOf({ listsInPart, translate, get }: Orders, shop: Shop, raw: unknown): Promise<unknown> {
  if (!listsInPart) return raw
  const { remote_id: remoteId, incomplete } = translate(raw, shop)
  return incomplete ? await get(shop, remoteId) : raw
}
