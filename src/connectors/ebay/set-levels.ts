import { type InventoryResult, type InventorySetting, settingResult, skuOf } from '../../commerce/inventory.ts'
import { type Fields, fieldsOf, isFields, recordsIn, textIn } from '../../commerce/reading.ts'
import { refusalReason, refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { chunks } from '../../lib/chunks.ts'
import { ask, inventoryApi, reasonIn } from './ask.ts'
import { getItem, offersOf } from './listings.ts'
import type { EbayShop } from './settings.ts'
import { placesIn, stockIn } from './translate-product.ts'

/** One article at a time: eBay takes no more. */
export async function setLevels(shop: EbayShop, settings: readonly InventorySetting[]): Promise<InventoryResult[]> {
  const results: InventoryResult[] = []
  for (const setting of settings) {
    results.push(settingResult(setting, await refusalReason(() => setLevel(shop, setting))))
  }
  return results
}

async function setLevel(shop: EbayShop, setting: InventorySetting): Promise<void> {
  const { quantity, location } = setting
  const sku = skuOf(setting)
  const item = await getItem(shop, sku)
  if (item === null) throw refused(say('no_such_article'))
  const offers = await offersOf(shop, sku)
  const stock = stockAt(item, { quantity, location: location ?? null })
  // An offer that has a number of its own sells no more than that, whatever there is. Drafts are not to be sent.
  const own = offers.filter(
    (offer) => offer['status'] === 'PUBLISHED' && typeof offer['availableQuantity'] === 'number',
  )
  for (const some of own.length === 0 ? [[]] : chunks(own, offersAtOnce)) {
    const offers = some.map((offer) => ({
      offerId: textIn(offer, 'offerId'),
      availableQuantity: stock.quantity,
    }))
    const request = { sku, shipToLocationAvailability: stock, offers }
    const path = `${inventoryApi}/bulk_update_price_quantity`
    const answer = await ask(shop, { method: 'POST', path, body: { requests: [request] }, repeatable: true })
    const failed = recordsIn(fieldsOf(answer), 'responses').find((one) => Number(one['statusCode']) >= 300)
    if (failed) throw refused(reasonIn(errorsOf(failed)) ?? say('rejected_quantity', { platform: 'eBay' }))
  }
}

/** With one article. */
const offersAtOnce = 25

const errorsOf = ({ errors }: Fields): Fields[] => (Array.isArray(errors) ? errors.filter(isFields) : [])

interface Stock {
  quantity: number
  availabilityDistributions?: readonly (Fields & { merchantLocationKey: string; quantity: number })[]
}

/** What lies at other places stays there, and how long each takes; all of them together are what may be sold. */
function stockAt(item: Fields, { quantity, location }: { quantity: number; location: string | null }): Stock {
  const places = new Map(stockIn(item)?.places)
  if (location === null && places.size === 0) return { quantity }
  const [only] = places.keys()
  const place = location ?? (places.size === 1 ? only : undefined)
  if (place === undefined) throw refused(say('name_location'))
  places.set(place, quantity)
  const known = new Map(placesIn(item).map((part) => [part['merchantLocationKey'], part]))
  const parts = [...places].map(([merchantLocationKey, count]) => ({
    ...known.get(merchantLocationKey),
    ...{ merchantLocationKey, quantity: count },
  }))
  return { quantity: parts.reduce((all, part) => all + part.quantity, 0), availabilityDistributions: parts }
}
