import { hash } from 'node:crypto'
import { type Answer, answer, type Call, type Recorder, type RouteRow } from '../../http/route.ts'
import { listOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { totalOf, type Variant } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { variantAt, variantIdOf } from './ids.ts'
import { isUnlimited } from './products.ts'
import { askedIn, no, pageSize, pagination } from './reply.ts'

const mostOfOne = 9_999_999
const keyPattern = /^[\w-]{1,64}$/

const missing = () => no(404, 'An inventory item was not found.', 'INVENTORY_ITEM_NOT_FOUND')

export function inventoryRoutes(world: World, path: string): readonly RouteRow[] {
  const { stockroom } = world.shop
  /** By the key that a change came with, what was asked for. */
  const done = new Map<string, string>()

  const variantOf = (id: string): Variant | undefined => {
    const { product, position } = variantAt(id)
    return stockroom.product(product)?.variants[position]
  }
  const itemOf = (variant: Variant) => {
    const unlimited = isUnlimited(world, variant)
    const { title } = stockroom.product(variant.product) ?? { title: '' }
    return {
      ...{ variantId: variantIdOf(variant), sku: variant.sku, isUnlimited: unlimited },
      ...{ descriptor: `${title} [${variant.title}]`, quantity: unlimited ? 0 : totalOf(variant) },
    }
  }

  function list({ query }: Call): Answer {
    const asked = askedIn(query, [])
    if (typeof asked === 'string') return no(400, asked, 'INVALID_ARGUMENT')
    const all = stockroom.byNumber().flatMap(({ variants }) => variants)
    const placeOf = ({ product, position }: Variant) => ({ at: product, index: position })
    const { after } = asked
    const rest = all.filter(({ product, position }) =>
      after === null ? true : product > after.at || (product === after.at && position > after.index),
    )
    const some = rest.slice(0, pageSize)
    const last = rest.length > some.length ? some.at(-1) : undefined
    return answer(200, { inventory: some.map(itemOf), pagination: pagination(path, {}, last ? placeOf(last) : null) })
  }

  function several(_: Call, __: Recorder, [ids]: readonly [string, string]): Answer {
    const found = ids.split(',').map(variantOf)
    if (found.length > pageSize) return no(400, 'No more than 50 items at once.', 'INVALID_ARGUMENT')
    const inventory = found.flatMap((variant) => (variant ? [itemOf(variant)] : []))
    return inventory.length < found.length ? missing() : answer(200, { inventory })
  }

  /** All of it or nothing, and under one key once: told again, it is answered and not done. */
  function adjust(call: Call, record: Recorder): Answer {
    const key = call.header('idempotency-key') ?? ''
    if (!keyPattern.test(key)) return no(400, 'The Idempotency-Key header is missing or invalid.', 'MISSING_ARGUMENT')
    const asked = hash('sha256', call.raw)
    const before = done.get(key)
    if (before !== undefined)
      return before === asked
        ? answer(204)
        : no(400, 'The Idempotency-Key was used for something else.', 'INVALID_ARGUMENT')
    const input = call.fields()
    const sets = rowsOf(input['setFiniteOperations'])
    const others = ['incrementOperations', 'decrementOperations', 'setUnlimitedOperations'].flatMap((name) =>
      listOf(input[name]),
    )
    if (others.length > 0) return no(400, 'The simulator only sets quantities.', 'INVALID_ARGUMENT')
    if (sets.length === 0 || sets.length > pageSize)
      return no(400, 'Between 1 and 50 operations are required.', 'MISSING_ARGUMENT')
    const ids = sets.map(({ variantId }) => textOf(variantId) ?? '')
    if (new Set(ids).size < ids.length) return no(400, 'An item is named twice.', 'INVALID_ARGUMENT')
    const wanted: (readonly [Variant, number])[] = []
    for (const [n, { quantity }] of sets.entries()) {
      const variant = variantOf(ids[n] ?? '')
      const count = wholeOf(quantity)
      if (!variant) return missing()
      if (count === null || count < 0) return no(400, 'A quantity is invalid.', 'INVALID_ARGUMENT')
      if (count > mostOfOne) return no(409, 'The quantity exceeds the maximum.', 'STOCK_EXCEEDS_MAX')
      wanted.push([variant, count])
    }
    done.set(key, asked)
    // There is but one number here; behind it the locations of the shop share it out.
    for (const [variant, count] of wanted)
      if (stockroom.setTotal(variant, count)) record.effect('inventory.set', variant.sku)
    return answer(204)
  }

  return [
    ['GET', path, 'inventory.list', list],
    ['GET', `${path}/:ids`, 'inventory.get', several],
    ['POST', `${path}/adjustments`, 'inventory.adjust', adjust],
  ]
}
