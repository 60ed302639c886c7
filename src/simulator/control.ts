import { inMicroseconds } from './clock.ts'
import type { Answer, Call } from './http/call.ts'
import { wholeOf } from './json.ts'
import type { LedgerEntry } from './ledger.ts'
import type { Credentials, Install, Platform } from './platform.ts'
import type { Changes } from './shop/change-shop.ts'
import type { ShopOrder } from './shop/order.ts'
import type { Truth, TruthLevel, TruthOrder, TruthProduct } from './truth.ts'
import { readWeather, type Weather } from './weather.ts'
import { answer, type World } from './world.ts'

const simulatorVersion = 1

/** A shop in the hands of whoever runs it. */
export interface Controls {
  platform: string
  shop: string
  /** What a merchant types or, where there is only the way through a browser, what that would bring. */
  credentials: Credentials
  install: Install
  /** The present orders, as `/_truth/orders` shows them. */
  truth(): readonly TruthOrder[]
  truthOfProducts(): readonly TruthProduct[]
  truthOfInventory(): readonly TruthLevel[]
  /** One order as the world knows it, by the id that the platform gives it; null for none. */
  order(remoteId: string): ShopOrder | null
  ledger(after?: number): readonly LedgerEntry[]
  doubles(): readonly { operation: string; key: string; subject: string; count: number }[]
  /** Sets the weather and tells how it is then. */
  weather(changes?: Partial<Weather> & { preset?: 'calm' | 'rough' }): Weather
  /** Lets so much happen now; answers with the remote ids it happened to. */
  change(
    changes: Changes,
  ): Record<'orders' | 'new_orders' | 'delete_orders' | 'products' | 'inventory', readonly string[]>
  advance(seconds: number): void
  /** What the connector would keep of the shop: a family of tokens, or another pair of keys. */
  keep(seconds?: number): Credentials
  /** Further credentials, each of a family of their own. */
  issue(count: number, seconds?: number): readonly Credentials[]
  /** Resolves when no message is on its way to a subscriber. */
  delivered(): Promise<void>
}

/** The strings behind the stage: no authentication, no weather, no ledger. */
export function createControl(
  { settings, clock, weather, ledger, shop }: World,
  platform: Platform,
  truth: Truth,
  { change, issue }: Pick<Controls, 'change' | 'issue'>,
): (call: Call) => Answer | null {
  const controls: Readonly<Record<string, ((call: Call) => Answer) | undefined>> = {
    'GET /_about': () =>
      answer(200, {
        simulator: simulatorVersion,
        platform: settings.platform,
        shop: settings.shop,
        seed: settings.seed,
        orders: shop.book.count(),
        products: shop.stockroom.byChange().length,
        rss: process.memoryUsage.rss(),
        time: inMicroseconds(clock.now()),
      }),
    'GET /_truth/orders': (call) => page(call, shop.book.count(), truth.orders),
    'GET /_truth/products': (call) => page(call, null, truth.products),
    'GET /_truth/inventory': (call) => page(call, null, truth.inventory),
    'GET /_weather': () => answer(200, weather.now()),
    'GET /_clock': () => answer(200, { time: inMicroseconds(clock.now()) }),
    'GET /_ledger': ({ query }) => {
      const limit = Math.min(100_000, numberIn(query, 'limit') ?? 10_000)
      const entries = ledger.after(numberIn(query, 'after') ?? 0, limit)
      return answer(200, entries, { 'x-last-seq': String(ledger.last()) })
    },
    'GET /_ledger/doubles': () => answer(200, ledger.doubles()),

    'POST /_shop/change': (call) => {
      const changes = changesIn(call.fields())
      if (typeof changes === 'string') return answer(400, { error: changes })
      return answer(200, { ...change(changes), time: inMicroseconds(clock.now()) })
    },
    'POST /_weather': (call) => {
      const next = readWeather(call.fields(), weather.now())
      if (typeof next === 'string') return answer(400, { error: next })
      weather.set(next)
      return answer(200, next)
    },
    'POST /_clock': (call) => {
      const { advance_seconds } = call.fields()
      if (typeof advance_seconds !== 'number' || !(advance_seconds >= 0 && advance_seconds <= 3.2e8)) {
        return answer(400, { error: '"advance_seconds" is a number from 0; time does not go back.' })
      }
      clock.advance(advance_seconds)
      return answer(200, { time: inMicroseconds(clock.now()) })
    },
    'POST /_credentials': (call) => {
      const { count, expires_in, expire_all } = call.fields()
      if (expire_all === true) platform.expireAll?.()
      const seconds = typeof expires_in === 'number' && expires_in > 0 ? expires_in : undefined
      const wanted = wholeOf(count ?? (expire_all ? 0 : 1)) ?? 0
      return answer(200, issue(Math.max(0, Math.min(10_000, wanted)), seconds))
    },
  }

  return (call) => controls[`${call.method} ${call.path}`]?.(call) ?? null
}

function page<T>({ query }: Call, total: number | null, read: (offset: number, limit: number) => readonly T[]): Answer {
  const offset = numberIn(query, 'offset') ?? 0
  const limit = numberIn(query, 'limit') ?? Number.POSITIVE_INFINITY
  return answer(200, read(offset, limit), total === null ? {} : { 'x-total': String(total) })
}

const numberIn = (query: URLSearchParams, name: string): number | null => {
  const number = wholeOf(query.get(name))
  return number === null || number < 0 ? null : number
}

const kinds = [
  ...(['orders', 'new_orders', 'delete_orders', 'products', 'new_products', 'delete_products', 'inventory'] as const),
]

function changesIn(fields: Readonly<Record<string, unknown>>): Changes | string {
  const changes: Changes = {}
  for (const [name, value] of Object.entries(fields)) {
    const kind = kinds.find((one) => one === name)
    if (!kind) return `A shop has no "${name}" to change.`
    const count = wholeOf(value)
    if (count === null || count < 0 || count > 1_000_000) return `"${name}" is a whole number from 0.`
    changes[kind] = count
  }
  return changes
}
