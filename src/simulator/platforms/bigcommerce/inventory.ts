import { type Answer, answer, below, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import { locations, type Variant } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { isCountedAsProduct } from './catalog.ts'
import { locationIdOf, locationOf, productIdOf, productIndexOf, variantAt, variantIdOf } from './ids.ts'
import { gone, pageOf, problem } from './reply.ts'

const maxItems = 2000
const maxRows = 1000

/** The shop floor keeps some back: they lie there, and are not for sale. */
const keptBack = (location: number): number => (location === 1 ? 2 : 0)

export function inventoryRoutes({ shop, secretFor }: World): readonly RouteRow[] {
  const { stockroom } = shop
  let adjustments = 0

  const identityOf = (variant: Variant) => ({
    ...{ sku: variant.sku, variant_id: variantIdOf(variant), product_id: productIdOf(variant.product) },
  })
  const levelOf = ({ stock }: Variant, location: number) => {
    const [free, safety_stock] = [stock[location] ?? 0, keptBack(location)]
    return {
      ...{ available_to_sell: free, total_inventory_onhand: free + safety_stock },
      settings: { safety_stock, is_in_stock: free > 0, warning_level: 0, bin_picking_number: '' },
    }
  }
  function matching({ query }: Call): readonly Variant[] {
    const lists = ['sku:in', 'variant_id:in', 'product_id:in'].map((name) => query.get(name)?.split(','))
    const [skus, variants, products] = lists
    return stockroom
      .byNumber()
      .filter(({ index }) => !products || products.includes(String(productIdOf(index))))
      .flatMap((product) => product.variants)
      .filter(({ sku }) => !skus || skus.includes(sku))
      .filter((one) => !variants || variants.includes(String(variantIdOf(one))))
  }

  /** What an item means, or what is wrong with it. An article is counted one way and no other. */
  function targetOf(value: unknown): { variant: Variant; location: number; quantity: number } | string {
    const { location_id, variant_id, product_id, sku, quantity } = fieldsOf(value)
    const location = locationOf(wholeOf(location_id) ?? 0)
    const place = wholeOf(variant_id) === null ? null : variantAt(wholeOf(variant_id) ?? 0)
    const asProduct = place === null && textOf(sku) === null
    const variant = asProduct
      ? stockroom.product(productIndexOf(textOf(product_id) ?? ''))?.variants[0]
      : (place && stockroom.product(place.product)?.variants[place.position]) || stockroom.bySku(textOf(sku) ?? '')
    const product = variant && stockroom.product(variant.product)
    const count = wholeOf(quantity)
    if (!locations[location]) return `[Location with id ${textOf(location_id)} was not found]`
    if (!variant || !product) return '[Item was not found]'
    if (count === null || count < 0) return '[quantity must be a whole number from 0]'
    const named = `Item with ${asProduct ? 'product_id' : 'variant_id'} ${textOf(asProduct ? product_id : variant_id)}`
    if (place && isCountedAsProduct(product))
      return `[${named} is tracked by product, please update stock by product id]`
    if (asProduct && !isCountedAsProduct(product))
      return `[${named} is tracked by variant, please update stock by variant id or sku]`
    return { variant, location, quantity: count }
  }

  const ofLocation = forOne(
    (id) => (locations[locationOf(Number(id))] ? locationOf(Number(id)) : null),
    gone('location'),
  )

  /** All items, or none of them. */
  function setAbsolute(call: Call, record: Recorder): Answer {
    const { items, reason } = call.fields()
    const targets = listOf(items).map(targetOf)
    if (targets.length === 0 || targets.length > maxItems) return problem(422, `Send 1 to ${maxItems} items`)
    const wrong = targets.find((target) => typeof target === 'string')
    if (wrong !== undefined) return problem(422, wrong)
    const transaction_id = secretFor(`adjustment ${++adjustments}`, 32)
    for (const { variant, location, quantity } of targets.filter((target) => typeof target !== 'string')) {
      if (stockroom.setStock(variant, location, Math.max(0, quantity - keptBack(location))))
        record.effect('inventory.set', `${variant.sku} ${locationIdOf(location)}`, textOf(reason))
    }
    return answer(200, { transaction_id })
  }

  function listLocations(call: Call): Answer {
    const rows = locations.map((label, i) => ({
      ...{ id: locationIdOf(i), code: `LOCATION-${i + 1}`, label, managed_by_external_source: false, enabled: true },
      type_id: 'PHYSICAL',
    }))
    return pageOf(call, call.query.get('is_default') === 'true' ? rows.slice(0, 1) : rows, (row) => row, maxRows)
  }
  const listed = (call: Call, levels: (variant: Variant) => object): Answer =>
    pageOf(call, matching(call), (variant) => ({ identity: identityOf(variant), ...levels(variant) }), maxRows)
  const atLocation = ofLocation((location, call) => listed(call, (variant) => levelOf(variant, location)))
  const everywhere = (variant: Variant) => ({
    locations: locations.map((_, i) => ({ location_id: locationIdOf(i), ...levelOf(variant, i) })),
  })
  return below('/v3/inventory', [
    ['GET', '/locations', 'locations.list', listLocations],
    ['GET', '/locations/:id/items', 'inventory.location', atLocation],
    ['GET', '/items', 'inventory.list', (call) => listed(call, everywhere)],
    ['PUT', '/adjustments/absolute', 'inventory.set', setAbsolute],
  ])
}
