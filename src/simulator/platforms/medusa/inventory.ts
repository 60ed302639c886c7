import type { Answer, Call, Recorder } from '../../http/call.ts'
import type { Handle, RouteRow } from '../../http/route-table.ts'
import { fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import { locations, reservedOf, type Variant } from '../../shop/goods.ts'
import { answer, type World } from '../../world.ts'
import { articleIn, articleOf, ids, locationOf } from './ids.ts'
import { itemView, levelsOf } from './product-view.ts'
import { invalid, isQuery, notFound, pageAmong, readQuery } from './query.ts'

export function inventoryRoutes({ shop: { stockroom }, settings }: World): readonly RouteRow[] {
  function list(call: Call): Answer {
    const query = readQuery(call, ['id', 'sku'])
    if (!isQuery(query)) return query
    const entries = stockroom.byChange().flatMap((product) =>
      product.variants.map((variant) => ({
        ...{ id: articleOf('iitem', variant), skus: [variant.sku], view: () => itemView(product, variant) },
        ...{ created: product.createdAt, updated: product.createdAt },
      })),
    )
    return pageAmong('inventory_items', entries, query)
  }

  /** The shelf is set; what can be sold is what nobody has ordered of it. A refusal, or null. */
  function set(item: string, place: string, quantity: unknown, isNew: boolean, record: Recorder): Answer | null {
    const [index, position] = articleIn('iitem', item)
    const product = stockroom.product(index)
    const variant: Variant | undefined = product?.variants[position]
    const location = locationOf(place)
    const shelf = wholeOf(quantity)
    if (shelf === null) return invalid("Invalid request: Expected type: 'number' for field 'stocked_quantity'")
    if (!product || !variant || locations[location] === undefined)
      return notFound(`Item ${item} is not stocked at location ${place}`)
    const known = levelsOf(product, variant).some((level) => level.location_id === place)
    if (!isNew && !known) return notFound(`Item ${item} is not stocked at location ${place}`)
    if (isNew && known) return invalid(`Inventory level with item: ${item}, location: ${place}, already exists.`)
    const available = shelf - reservedOf(variant, location)
    if (known && variant.stock[location] === available) return null
    stockroom.setStock(variant, location, available)
    record.effect('inventory.set', `${item} ${place}`)
    return null
  }

  const done = (refusals: readonly (Answer | null)[]): Answer =>
    refusals.find((one) => one !== null) ?? answer(200, { created: [], updated: [], deleted: [] })

  const batch: Handle = (call, record) => {
    const { create, update } = call.fields()
    const all = (rows: unknown, isNew: boolean) =>
      listOf(rows).map((row) => {
        const { inventory_item_id: item, location_id: place, stocked_quantity } = fieldsOf(row)
        return set(textOf(item) ?? '', textOf(place) ?? '', stocked_quantity, isNew, record)
      })
    return done([...all(create, true), ...all(update, false)])
  }
  const create: Handle = (call, record, [item]) => {
    const { location_id: place, stocked_quantity } = call.fields()
    return done([set(item, textOf(place) ?? '', stocked_quantity, true, record)])
  }
  const update: Handle = (call, record, [item, place]) =>
    done([set(item, place, call.fields()['stocked_quantity'], false, record)])

  const rows = locations.map((name, n) => ({ id: ids.location(n), name, address_id: '' }))
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
