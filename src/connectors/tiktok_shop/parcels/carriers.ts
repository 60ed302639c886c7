import { type Fields, maybeText, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask } from '../ask.ts'
import type { TikTokShop } from '../settings.ts'

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const maxNamed = 30

/** The number of a carrier, among those that may carry what is delivered in this way. */
export async function providerFor(shop: TikTokShop, order: Fields, carrier: string): Promise<string> {
  const option = maybeText(order, 'delivery_option_id')
  if (option === null || !/^\d+$/.test(option)) throw refused(say('no_delivery_method'))
  const data = await ask(shop, { path: `/logistics/202309/delivery_options/${option}/shipping_providers` })
  const all = data['shipping_providers'] == null ? [] : recordsIn(data, 'shipping_providers')
  const found = meant(
    all.map((one) => ({ id: textIn(one, 'id'), name: textIn(one, 'name') })),
    carrier,
  )
  if (found) return found.id
  const names = all.map((one) => textIn(one, 'name')).slice(0, maxNamed)
  throw refused(say('carrier_unknown', { platform: 'TikTok Shop', carrier, names: names.join(', ') }))
}

/** By its number or its name; by how the name begins, where only one begins so. */
export function meant<P extends { id: string; name: string }>(all: readonly P[], carrier: string): P | null {
  const wanted = plain(carrier)
  const exact = all.find(({ id, name }) => id === carrier || plain(name) === wanted)
  if (exact || wanted === '') return exact ?? null
  const [first, ...others] = all.filter(({ name }) => plain(name).startsWith(wanted) || wanted.startsWith(plain(name)))
  return first && others.length === 0 ? first : null
}
