import { type Answer, answer, type Call, type Handle, type Recorder, type RouteRow } from '../../http/route.ts'
import { rowsOf, wholeOf } from '../../json.ts'
import { locations, reservedOf } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { articleOf, locationIdOf, numberIn } from './ids.ts'
import { itemView, levelsOf } from './products.ts'
import { invalid, notFound, pageAmong } from './query.ts'

export function inventoryRoutes({ shop: { stockroom }, settings, clock }: World): readonly RouteRow[] {
  function list(call: Call): Answer {
    const entries = stockroom.articles().map(({ product, variant }) => ({
      ...{ id: articleOf('iitem', variant), skus: [variant.sku], view: () => itemView(product, variant) },
      ...{ created: product.createdAt, updated: product.createdAt },
    }))
    return pageAmong('inventory_items', entries, call)
  }

  /** The shelf is set; what can be sold is what nobody has ordered of it. A refusal, or null. */
  function set(item: unknown, place: unknown, quantity: unknown, isNew: boolean, record: Recorder): Answer | null {
    const [number, location, shelf] = [numberIn('iitem', item), numberIn('sloc', place), wholeOf(quantity)]
    const product = stockroom.product(Math.floor(number / 100))
    const variant = product?.variants[number % 100]
    if (shelf === null) return invalid("Invalid request: Expected type: 'number' for field 'stocked_quantity'")
    const known = product && variant && levelsOf(product, variant).some((level) => level.location_id === place)
    if (!variant || locations[location] === undefined || (!isNew && !known))
      return notFound(`Item ${item} is not stocked at location ${place}`)
    if (isNew && known) return invalid(`Inventory level with item: ${item}, location: ${place}, already exists.`)
    // From now on it lies somewhere, even if that is none of it.
    if (isNew) variant.stockUpdatedAt = clock.tick()
    if (stockroom.setStock(variant, location, shelf - reservedOf(variant, location)) || isNew)
      record.effect('inventory.set', `${item} ${place}`)
    return null
  }

  const done = (refusals: readonly (Answer | null)[]): Answer =>
    refusals.find((one) => one !== null) ?? answer(200, { created: [], updated: [], deleted: [] })

  const batch: Handle = (call, record) => {
    const fields = call.fields()
    const all = (name: string, isNew: boolean) =>
      rowsOf(fields[name]).map(({ inventory_item_id: item, location_id: place, stocked_quantity: quantity }) =>
        set(item, place, quantity, isNew, record),
      )
    return done([...all('create', true), ...all('update', false)])
  }
  const create: Handle = (call, record, [item]) => {
    const { location_id: place, stocked_quantity } = call.fields()
    return done([set(item, place, stocked_quantity, true, record)])
  }
  const update: Handle = (call, record, [item, place]) =>
    done([set(item, place, call.fields()['stocked_quantity'], false, record)])

  const rows = locations.map((name, n) => ({ id: locationIdOf(n), name, address_id: '' }))
  const places = { stock_locations: rows, count: rows.length, offset: 0, limit: 50 }
  const base = '/admin/inventory-items'
  const routes: readonly RouteRow[] = [
    ['GET', base, 'inventory.list', list],
    ['POST', `${base}/location-levels/batch`, 'inventory.batch', batch],
    ['POST', `${base}/:id/location-levels`, 'inventory.create', create],
    ['POST', `${base}/:id/location-levels/:part`, 'inventory.update', update],
    ['GET', '/admin/stock-locations', 'locations.list', () => answer(200, places)],
  ]
  // Servers before 2.5 know no batches.
  return settings.variant['version'] === '2.0' ? routes.filter(([, , name]) => name !== 'inventory.batch') : routes
}
