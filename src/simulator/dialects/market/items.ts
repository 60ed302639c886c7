import { digitsOf } from '../../amounts.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { type Fields, fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import type { Product, Variant } from '../../shop/goods.ts'
import { answer, type World } from '../../world.ts'
import { placeOf } from './ids.ts'
import { type Continuation, invalid, notFound, questionIn, tokenFor } from './reply.ts'
import { home, itemView, levelView } from './views.ts'

const states: Readonly<Record<string, Product['status'] | undefined>> = {
  PUBLISHED: 'active',
  DRAFT: 'draft',
  RETIRED: 'archived',
}

export function createItems({ shop }: World) {
  const { stockroom } = shop

  function list(call: Call): Answer {
    const question = questionIn(call, 100)
    if (typeof question === 'string') return invalid(question)
    const all = stockroom.byChange().flatMap((product) =>
      product.variants.map((variant) => ({
        at: product.updatedAt,
        key: variant.sku,
        show: () => itemView(product, variant),
      })),
    )
    return answer(200, pageOf(all, question, 'items'))
  }

  function levels(call: Call): Answer {
    const question = questionIn(call, 200)
    if (typeof question === 'string') return invalid(question)
    const all = stockroom
      .variantsByChange()
      .map((variant) => ({ at: variant.stockUpdatedAt, key: variant.sku, show: () => levelView(variant) }))
    return answer(200, pageOf(all, question, 'inventory'))
  }

  function put(sku: string, call: Call, record: Recorder): Answer {
    const input = call.fields()
    const variant = stockroom.bySku(sku)
    const product = variant ? stockroom.product(variant.product) : null
    const title = textOf(input['title'])
    const price = priceIn(input)
    if (title === null || price === null) return invalid('title and price {value, scale} in EUR are required.')
    const status = states[textOf(input['state']) ?? 'PUBLISHED'] ?? 'active'
    const html = textOf(input['description']) ?? ''
    const images = listOf(input['images'])
      .flatMap((url) => textOf(url) ?? [])
      .map((url) => ({ url, alt: null }))
    if (!variant || !product) {
      const made = stockroom.add({
        title,
        html,
        status,
        images,
        variants: [{ sku, title: 'Default Title', price, stock: 0 }],
      })
      record.effect('item.create', sku)
      return answer(201, show(made, sku))
    }
    stockroom.change(product, { title, html, status, images })
    if (variant.price !== price) stockroom.reprice(variant, price)
    record.effect('item.update', sku)
    return answer(200, itemView(product, variant))
  }

  const show = (product: Product, sku: string) => {
    const variant = product.variants.find((one) => one.sku === sku)
    return variant ? itemView(product, variant) : {}
  }

  function setLevel(variant: Variant, call: Call, record: Recorder): Answer {
    const { quantity, node } = call.fields()
    const count = wholeOf(quantity)
    const place = placeOf(textOf(node) ?? 'NODE-1')
    if (count === null || count < 0) return invalid('quantity is a whole number from 0.')
    if (place < 0) return invalid('There is no such node.')
    if (variant.stock[place] !== count) {
      stockroom.setStock(variant, place, count)
      record.effect('inventory.set', `${variant.sku}@NODE-${place + 1}`)
    }
    return answer(200, levelView(variant))
  }

  const found = (sku: string, use: (variant: Variant) => Answer): Answer => {
    const variant = stockroom.bySku(sku)
    return variant ? use(variant) : notFound()
  }
  return {
    list,
    levels,
    put,
    get: (sku: string) => {
      const product = stockroom.product(stockroom.bySku(sku)?.product ?? -1)
      return product ? answer(200, show(product, sku)) : notFound()
    },
    level: (sku: string) => found(sku, (variant) => answer(200, levelView(variant))),
    setLevel: (sku: string, call: Call, record: Recorder) => found(sku, (variant) => setLevel(variant, call, record)),
  }
}

interface Row {
  at: number
  key: string
  show(): object
}

function pageOf(all: readonly Row[], question: Continuation, name: string): object {
  const { from, before, limit, after } = question
  const follows = ({ at, key }: Row) => after === null || at > after.at || (at === after.at && key > String(after.key))
  const rest = all
    .filter(({ at }) => (from === null || at >= from) && (before === null || at < before))
    .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
    .filter(follows)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const next = rest.length > limit && last ? tokenFor({ ...question, after: { at: last.at, key: last.key } }) : null
  return { [name]: page.map((row) => row.show()), nextToken: next }
}

function priceIn(input: Fields): number | null {
  const { value, scale } = fieldsOf(input['price'])
  const amount = wholeOf(value)
  return amount === null || wholeOf(scale) !== digitsOf(home) ? null : amount
}
