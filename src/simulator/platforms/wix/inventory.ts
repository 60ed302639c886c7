import { type Answer, answer, type Call, isAnswer, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { locations, type Variant } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { itemAt, itemIdOf, locationIdOf, productIdOf, variantIdOf } from './ids.ts'
import { dateOf, shown } from './order-view.ts'
import { pageOf, questionIn } from './query.ts'
import { invalid } from './reply.ts'

const base = '/stores/v3'
const most = 1000

/** An item for each article at each place. Who changes one says which revision of it was seen. */
export function inventoryRoutes({ shop: { stockroom } }: World): readonly RouteRow[] {
  const revisions = new Map<string, number>()
  const revisionOf = (id: string) => revisions.get(id) ?? 1
  stockroom.onChange((news) => {
    if (news.kind !== 'stock') return
    const id = itemIdOf(news.variant, news.place)
    revisions.set(id, revisionOf(id) + 1)
  })

  const itemView = (variant: Variant, place: number) => {
    const id = itemIdOf(variant, place)
    const quantity = variant.stock[place] ?? 0
    return {
      ...{ id, revision: String(revisionOf(id)), updatedDate: dateOf(variant.stockUpdatedAt) },
      ...{ variantId: variantIdOf(variant), productId: productIdOf(variant.product), locationId: locationIdOf(place) },
      ...{ trackQuantity: true, quantity, availabilityStatus: quantity > 0 ? 'IN_STOCK' : 'OUT_OF_STOCK' },
      product: {
        ...{ name: stockroom.product(variant.product)?.title, variantSku: variant.sku, variantVisible: true },
        variantName: variant.title,
      },
    }
  }

  function query(call: Call): Answer {
    const question = questionIn(call.fields()['query'], { most, among: ['productId', 'variantId', 'id'] })
    if (isAnswer(question)) return question
    const { from, among } = question
    const fits = (name: string, id: string) => among[name]?.includes(id) ?? true
    const rows = stockroom
      .variantsByChange()
      .filter(({ stockUpdatedAt }) => from === null || shown(stockUpdatedAt) >= from)
      .filter((one) => fits('productId', productIdOf(one.product)) && fits('variantId', variantIdOf(one)))
      .flatMap((variant) => locations.map((_, place) => itemView(variant, place)))
      .filter(({ id }) => fits('id', id))
      .map((item) => [`${item.updatedDate} ${item.id}`, item] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const page = pageOf(rows, question)
    return answer(200, { inventoryItems: page.rows, pagingMetadata: page.end })
  }

  function setOne(value: unknown, record: Recorder): { id: string; error: object | null } {
    const { id: named, revision, quantity, trackQuantity } = fieldsOf(fieldsOf(value)['inventoryItem'])
    const id = textOf(named) ?? ''
    const error = (code: string, description: string) => ({ id, error: { code, description } })
    const at = itemAt(id)
    const variant = at ? stockroom.product(at.product)?.variants[at.position] : undefined
    const count = wholeOf(quantity)
    if (!at || !variant) return error('ITEM_NOT_FOUND', 'Inventory item not found')
    if (count === null || count < 0 || trackQuantity !== true) return error('INVALID_ARGUMENT', 'quantity is not valid')
    if (textOf(revision) !== String(revisionOf(id))) return error('INVALID_REVISION', 'Item was changed meanwhile')
    if (stockroom.setStock(variant, at.place, count))
      record.effect('inventory.set', `${variant.sku} ${locationIdOf(at.place)}`, `${id} ${revision} ${count}`)
    return { id, error: null }
  }

  /** What could not be done is told of each by itself. */
  function update(call: Call, record: Recorder): Answer {
    const items = rowsOf(call.fields()['inventoryItems'])
    if (items.length === 0 || items.length > most) return invalid(`inventoryItems must have size between 1 and ${most}`)
    const results = items.map((item, originalIndex) => {
      const { id, error } = setOne(item, record)
      return { itemMetadata: { id, originalIndex, success: error === null, ...(error ? { error } : {}) } }
    })
    const failures = results.filter(({ itemMetadata }) => !itemMetadata.success).length
    const totals = { totalSuccesses: results.length - failures, totalFailures: failures, undetailedFailures: 0 }
    return answer(200, { results, bulkActionMetadata: totals })
  }

  return [
    ['POST', `${base}/inventory-items/query`, 'inventory.query', query, { writes: false }],
    ['POST', `${base}/bulk/inventory-items/update`, 'inventory.update', update],
  ]
}
