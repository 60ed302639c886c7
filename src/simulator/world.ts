import type { Clock } from './clock.ts'
import type { Courier } from './courier.ts'
import type { Answer, Call, Route } from './http/call.ts'
import type { Ledger } from './ledger.ts'
import type { Settings } from './options.ts'
import { changeOrder } from './shop/change-shop.ts'
import type { Variant } from './shop/goods.ts'
import type { OrderPage } from './shop/list-orders.ts'
import type { ShopOrder } from './shop/order.ts'
import type { Shop } from './shop/shop.ts'
import type { Sky } from './weather.ts'

/** All that a dialect stands in. */
export interface World {
  settings: Settings
  clock: Clock
  shop: Shop
  sky: Sky
  ledger: Ledger
  courier: Courier
}

export type Credentials = Readonly<Record<string, string>>

/** How a shop speaks: the same orders and goods, in the manner of one platform. */
export interface Dialect {
  /** Keys or tokens of a family of their own, as an install form would take them. */
  issue(seconds?: number): Credentials
  route(call: Call): Route
  /** What the platform says beside a bad status. */
  trouble(status: number): unknown
  /** Ends the token of this call; false where tokens do not end. */
  expire(call: Call): boolean
  expireAll(): void
  /** Its own names for what `/_truth` shows. */
  orderId(index: number): string
  orderNumber(order: ShopOrder): string
  orderWords(order: ShopOrder): { status: string; remote_status: string }
  /** The moment as exactly as this platform tells it. */
  shown(moment: number): number
  productId(index: number): string
  variantId(variant: Variant): string
  /** Null where stock is not told by place. */
  placeId: ((place: number) => string) | null
}

export const answer = (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  body,
  headers,
})

/** What bad weather does between two pages of a list. */
export function disturb({ shop, sky, clock }: Pick<World, 'shop' | 'sky' | 'clock'>, page: OrderPage): void {
  const { sequence, read, everything } = page
  if (!page.more || read === 0) return
  if (sky.chance('shift_while_paging'))
    changeOrder(shop.book, sequence[sky.dice.below(read)] ?? 0, sky.dice, clock.tick())
  if (everything && sky.chance('vanish_while_paging')) {
    shop.book.remove(sequence[read + sky.dice.below(sequence.length - read)] ?? -1)
  }
}
