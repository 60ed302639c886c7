import { type Fields, idIn, maybeText, recordsIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { exactQuantity } from '../../../commerce/rules/quantities.ts'
import { say } from '../../../commerce/words/say.ts'
import { searchAny } from '../ask.ts'
import type { MagentoShop } from '../settings.ts'
import { isBundle, partsOf, perBundle } from './quantities.ts'

interface Part {
  order_line_remote_id: string
  quantity: number
}

/**
 * Lines as the platform takes them. Parts of a bundle are sent by themselves only if the bundle is set up so; else the bundle
 * itself is sent, and its parts have to be in the parcel as they are in the bundle.
 */
export async function shipItems(
  shop: MagentoShop,
  items: readonly Fields[],
  lines: readonly Part[],
): Promise<{ order_item_id: number; qty: number }[]> {
  const countOf = (item: Fields) =>
    exactQuantity(
      lines
        .filter((line) => line.order_line_remote_id === idIn(item, 'item_id'))
        .reduce((sum, { quantity }) => sum + quantity, 0),
    )
  const sent = (item: Fields, qty: number) => ({ order_item_id: Number(idIn(item, 'item_id')), qty })
  const bundles = items.filter((item) => isBundle(item, items))
  const inParcel = bundles.filter((bundle) => [bundle, ...partsOf(bundle, items)].some((item) => countOf(item) > 0))
  const apart = inParcel.length === 0 ? new Set<string>() : await sentApart(shop, inParcel)
  const bundled = inParcel.flatMap((bundle) => {
    const parts = partsOf(bundle, items).filter((part) => part['is_virtual'] !== 1)
    const wanted = parts.map((part) => {
      const count = countOf(part)
      return { part, count, bundles: exactQuantity(count / perBundle(part, bundle)) }
    })
    const named = wanted.some(({ count }) => count > 0)
    if (apart.has(idIn(bundle, 'product_id'))) {
      return named
        ? wanted.filter(({ count }) => count > 0).map(({ part, count }) => sent(part, count))
        : parts.map((part) => sent(part, exactQuantity(countOf(bundle) * perBundle(part, bundle))))
    }
    const [first] = wanted
    if (!named || !first) return [sent(bundle, countOf(bundle))]
    if (wanted.some((one) => one.bundles !== first.bundles) || !Number.isInteger(first.bundles)) {
      const name = maybeText(bundle, 'name') ?? 'a bundle'
      throw refused(say('sent_whole', { name }))
    }
    return [sent(bundle, first.bundles)]
  })
  const ofBundles = new Set(bundles.flatMap((bundle) => [bundle, ...partsOf(bundle, items)]))
  const others = lines.filter(
    (line) => ![...ofBundles].some((item) => idIn(item, 'item_id') === line.order_line_remote_id),
  )
  return [
    ...others.map((line) => ({ order_item_id: Number(line.order_line_remote_id), qty: line.quantity })),
    ...bundled,
  ]
}

/** The products of bundles whose parts are sent one by one. Orders do not say that; a product that is gone sends as a whole. */
async function sentApart(shop: MagentoShop, bundles: readonly Fields[]): Promise<Set<string>> {
  const rows = await searchAny(shop, 'products', {
    field: 'entity_id',
    values: bundles.map((bundle) => idIn(bundle, 'product_id')),
    fields: 'items[id,sku,custom_attributes],search_criteria,total_count',
  })
  const isApart = (row: Fields) =>
    recordsIn(row, 'custom_attributes').some(
      (one) => one['attribute_code'] === 'shipment_type' && String(one['value']) === '1',
    )
  return new Set(rows.filter(isApart).map((row) => idIn(row, 'id')))
}
