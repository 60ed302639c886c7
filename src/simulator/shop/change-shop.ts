import { type Draws, draws, mix, sample } from '../random.ts'
import { goesInTwo } from './derive-order.ts'
import { locations } from './goods.ts'
import type { ShopOrder, Stage } from './order.ts'
import type { OrderBook, OrderPatch } from './order-book.ts'
import type { Shop } from './shop.ts'

/** How much of each is to happen now, by the shop's own hand. */
export type Changes = Partial<Record<(typeof changeable)[number], number>>

export const changeable = [
  ...(['orders', 'new_orders', 'delete_orders', 'products', 'new_products', 'delete_products', 'inventory'] as const),
]

/** So many orders get the very same time: shops do edit in bulk. */
const bulk = 25

/** Answers with what it happened to: indexes in the books, which a platform turns into ids. */
export function createChanger(shop: Shop, seed: number) {
  const dice = draws(mix(seed, 4_000_037))
  return (changes: Changes) => {
    const { book } = shop
    const changed = sample(book.byChange(), changes.orders ?? 0, dice).sort((a, b) => a - b)
    let at = 0
    changed.forEach((index, i) => {
      if (i % bulk === 0) at = shop.clock.tick()
      changeOrder(book, index, dice, at)
    })
    const gone = sample(book.byChange(), changes.delete_orders ?? 0, dice)
    for (const index of gone) book.remove(index)
    const made = Array.from({ length: changes.new_orders ?? 0 }, () => book.add().index)
    return { orders: changed, new_orders: made, delete_orders: gone, ...changeGoods(shop, changes, dice) }
  }
}

/** Something that can be seen: it moves on, or its note or its total changes. */
export function changeOrder(book: OrderBook, index: number, dice: Draws, at: number): void {
  const order = book.get(index)
  if (!order) return
  const roll = dice.next()
  const stage = roll < 0.5 ? nextStage(order, dice) : null
  const edit: OrderPatch = roll < 0.75 ? { editNote: true } : { surcharge: true }
  book.change(index, stage ? { stage, acknowledged: stage !== 'cancelled' } : edit, at)
}

function nextStage(order: ShopOrder, { chance }: Draws): Stage | null {
  switch (order.stage) {
    case 'unpaid':
      return chance(0.8) ? 'paid' : 'cancelled'
    case 'held':
      return 'paid'
    case 'paid':
      if (chance(0.1)) return 'cancelled'
      return goesInTwo(order.index, order.lines) ? 'part_sent' : 'sent'
    case 'part_sent':
      // Somebody else's parcels are not the shop's to complete.
      return order.parcels.some(({ outside }) => outside) ? null : 'sent'
    case 'sent':
      return 'delivered'
    case 'delivered':
      return chance(0.3) ? 'part_refunded' : null
    default:
      return null
  }
}

function changeGoods({ stockroom }: Shop, changes: Changes, dice: Draws) {
  const among = (count = 0) => {
    const all = Int32Array.from(stockroom.byChange(), ({ index }) => index)
    return sample(all, count, dice).flatMap((index) => stockroom.product(index) ?? [])
  }
  const products: number[] = []
  for (const product of among(changes.products)) {
    const [variant] = product.variants
    if (variant && dice.chance(0.5)) stockroom.reprice(variant, variant.price + 10)
    else stockroom.change(product, { title: `${product.title.replace(/ \(rev .*$/, '')} (rev ${product.version})` })
    products.push(product.index)
  }
  for (let i = 0; i < (changes.new_products ?? 0); i++) {
    const sku = `NEW-${mix(dice.below(2 ** 31), i)}`
    const variants = [{ sku, title: 'Default Title', price: 1000 + dice.below(9000), stock: dice.below(50) }]
    products.push(stockroom.add({ title: `New ${sku}`, html: '', status: 'active', images: [], variants }).index)
  }
  for (const product of among(changes.delete_products)) stockroom.remove(product)
  const inventory: string[] = []
  for (const product of among(changes.inventory)) {
    const variant = dice.pick(product.variants)
    const place = dice.below(locations.length)
    // Never the same number again: a change that changes nothing is none.
    stockroom.setStock(variant, place, (variant.stock[place] ?? 0) + 1 + dice.below(9))
    inventory.push(variant.sku)
  }
  return { products, inventory }
}
