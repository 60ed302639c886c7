import { inMicroseconds } from './clock.ts'
import type { Answer, Call } from './http/call.ts'
import { wholeOf } from './json.ts'
import type { Credentials, Platform } from './platform.ts'
import type { Changed, Changes } from './shop/change-shop.ts'
import type { Truth } from './truth.ts'
import { readWeather } from './weather.ts'
import { answer, type World } from './world.ts'

const simulatorVersion = 1

interface ControlFacts {
  world: World
  platform: Platform
  truth: Truth
  change(changes: Changes): Changed
  issue(count: number, seconds: number | undefined): readonly Credentials[]
}

/** The strings behind the stage: no authentication, no weather, no ledger. */
export function createControl(facts: ControlFacts): (call: Call) => Answer | null {
  const { world, platform, truth } = facts
  const { settings, clock, weather, ledger, shop } = world

  const reads: Readonly<Record<string, ((call: Call) => Answer) | undefined>> = {
    '/_about': () =>
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
    '/_truth/orders': (call) => page(call, shop.book.count(), truth.orders),
    '/_truth/products': (call) => page(call, null, truth.products),
    '/_truth/inventory': (call) => page(call, null, truth.inventory),
    '/_weather': () => answer(200, weather.now()),
    '/_clock': () => answer(200, { time: inMicroseconds(clock.now()) }),
    '/_ledger': ({ query }) => {
      const limit = Math.min(100_000, numberIn(query, 'limit') ?? 10_000)
      const entries = ledger.after(numberIn(query, 'after') ?? 0, limit)
      return answer(200, entries, { 'x-last-seq': String(ledger.last()) })
    },
    '/_ledger/doubles': () => answer(200, ledger.doubles()),
  }

  const writes: Readonly<Record<string, ((call: Call) => Answer) | undefined>> = {
    '/_shop/change': (call) => {
      const changes = changesIn(call.fields())
      if (typeof changes === 'string') return answer(400, { error: changes })
      const { orders, new_orders, delete_orders, products, inventory } = facts.change(changes)
      return answer(200, {
        orders: orders.map(platform.orderId),
        new_orders: new_orders.map(platform.orderId),
        delete_orders: delete_orders.map(platform.orderId),
        products: products.map(platform.productId),
        inventory,
        time: inMicroseconds(clock.now()),
      })
    },
    '/_weather': (call) => {
      const next = readWeather(call.fields(), weather.now())
      if (typeof next === 'string') return answer(400, { error: next })
      weather.set(next)
      return answer(200, next)
    },
    '/_clock': (call) => {
      const { advance_seconds } = call.fields()
      if (typeof advance_seconds !== 'number' || !(advance_seconds >= 0 && advance_seconds <= 3.2e8)) {
        return answer(400, { error: '"advance_seconds" is a number from 0; time does not go back.' })
      }
      clock.advance(advance_seconds)
      return answer(200, { time: inMicroseconds(clock.now()) })
    },
    '/_credentials': (call) => {
      const { count, expires_in, expire_all } = call.fields()
      if (expire_all === true) platform.expireAll()
      const seconds = typeof expires_in === 'number' && expires_in > 0 ? expires_in : undefined
      return answer(
        200,
        facts.issue(Math.max(0, Math.min(10_000, wholeOf(count ?? (expire_all ? 0 : 1)) ?? 0)), seconds),
      )
    },
  }

  return (call) => (call.method === 'GET' ? reads : call.method === 'POST' ? writes : {})[call.path]?.(call) ?? null
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
  'orders',
  'new_orders',
  'delete_orders',
  'products',
  'new_products',
  'delete_products',
  'inventory',
] as const

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
