import { type Fields, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { chunks } from '../../lib/chunks.ts'
import { ask, isId } from './ask.ts'
import type { TikTokShop } from './settings.ts'

const maxIds = 50

export async function getOrder(shop: TikTokShop, remoteId: string): Promise<Fields | null> {
  const [found] = await getOrders(shop, [remoteId])
  return found ?? null
}

/** One that must be there. */
export async function needOrder(shop: TikTokShop, remoteId: string): Promise<Fields> {
  const order = await getOrder(shop, remoteId)
  if (order === null) throw refused(say('no_such_order_at', { platform: 'TikTok Shop' }))
  return order
}

/** Of the version that lists are of: so that both tell the same. */
export async function getOrders(shop: TikTokShop, remoteIds: readonly string[]): Promise<readonly Fields[]> {
  const found: Fields[] = []
  for (const ids of chunks(remoteIds.filter(isId), maxIds)) {
    const data = await ask(shop, { path: '/order/202309/orders', query: { ids: ids.join(',') } })
    const rows = data['orders'] == null ? [] : recordsIn(data, 'orders')
    found.push(...rows.filter((order) => ids.includes(textIn(order, 'id'))))
  }
  return found
}
