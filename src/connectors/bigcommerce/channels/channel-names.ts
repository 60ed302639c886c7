import { onceForShop } from '../../../commerce/once-for-shop.ts'
import { type Fields, idIn, maybeText } from '../../../commerce/reading.ts'
import { pageIn } from '../ask.ts'
import { channelsPath } from '../read-answer.ts'
import type { BigShop } from '../settings.ts'

const maxChannels = 250
/** A store has tens of them. */
const maxPages = 20

/** What the merchant calls storefronts and other channels, by their numbers; nothing where we may not see them. */
const namesOf = onceForShop(async (shop: BigShop): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  for (let page = 1; page <= maxPages; page++) {
    const query = { limit: maxChannels, page }
    const answer = await shop.remote.request({ method: 'GET', path: channelsPath, query })
    if (answer.status === 403) break
    const { rows, more } = pageIn(answer)
    for (const channel of rows) {
      const name = maybeText(channel, 'name')
      if (name !== null) names.set(idIn(channel, 'id'), name)
    }
    if (!more) break
  }
  return names
})

/** Orders name their channel by its number. */
export async function withChannel(shop: BigShop, order: Fields): Promise<Fields> {
  if (order['channel_id'] == null) return order
  const name = (await namesOf(shop)).get(idIn(order, 'channel_id'))
  return name === undefined ? order : { ...order, channel_name: name }
}
