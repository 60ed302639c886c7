import { inMicroseconds } from './clock.ts'
import { type Answer, answer, type Call } from './http/route.ts'
import { wholeOf } from './json.ts'
import type { Install, Platform } from './platform.ts'
import { hashText } from './random.ts'
import { type Changes, changeable, createChanger } from './shop/change-shop.ts'
import type { ShopOrder, Stage } from './shop/order.ts'
import { createTill, type Sale } from './shop/sell.ts'
import { createTruth } from './truth.ts'
import { readWeather, type Weather } from './weather.ts'
import type { World } from './world.ts'

const simulatorVersion = 1

/** A shop in the hands of whoever runs it. */
export type Controls = ReturnType<typeof createControls>

export function createControls(world: World, platform: Platform) {
  const { settings, clock, shop, weather, ledger, courier } = world
  const truth = createTruth(world, platform)
  const change = createChanger(shop, hashText(settings.seed))
  const till = createTill(shop, platform.locationId != null)
  const { issue, keep = issue } = platform
  const { credentials = issue(), ...differs } = platform.install ?? {}
  const usual = { type: settings.platform, shop: settings.shop, settings: {}, client: {} }
  const install: Install = { ...usual, ...differs, credentials }
  return {
    ...{ platform: settings.platform, shop: settings.shop, install },
    /** What the connector would keep of the shop: a family of tokens, or another pair of keys. */
    keep,
    /** What a merchant types or, where there is only the way through a browser, what that would bring. */
    credentials: credentials ?? keep(),
    /** The present orders, as `/_truth/orders` shows them. */
    truth: truth.orders,
    truthOfProducts: truth.products,
    truthOfInventory: truth.inventory,
    /** One order as the world knows it, by the id that the platform gives it; null for none. */
    order(remoteId: string): ShopOrder | null {
      const index = shop.book.byNumber().find((one) => platform.orderId(one) === remoteId)
      return index === undefined ? null : shop.book.get(index)
    },
    /** The people at the shop bring an order to where they want it, back as well. */
    moveOrder(remoteId: string, stage: Stage): void {
      const index = shop.book.byNumber().find((one) => platform.orderId(one) === remoteId)
      if (index === undefined) throw new RangeError('There is no such order.')
      shop.book.change(index, { stage })
    },
    ledger: (after = 0) => ledger.after(after, Number.POSITIVE_INFINITY),
    doubles: ledger.doubles,
    /** Sets the weather and tells how it is then. */
    weather(changes?: Partial<Weather> & { preset?: 'calm' | 'rough' }): Weather {
      const next = readWeather(changes ?? {}, weather.now())
      if (typeof next === 'string') throw new RangeError(next)
      if (changes) weather.set(next)
      return next
    },
    /** Lets so much happen now; answers with the remote ids it happened to. */
    change(changes: Changes) {
      const { orders, new_orders, delete_orders, products, inventory } = change(changes)
      const ids = (indexes: readonly number[]) => indexes.map((index) => platform.orderId(index))
      return {
        ...{ orders: ids(orders), new_orders: ids(new_orders), delete_orders: ids(delete_orders), inventory },
        products: products.map((index) => platform.productId(index)),
      }
    },
    /** A buyer takes what the shop shows; null for an article that it does not have. */
    buy(sale: Sale) {
      const { sold, shown, order } = till.buy(sale)
      return { sold, shown, remote_id: order === null ? null : platform.orderId(order) }
    },
    /** Somebody sets a level by hand; false where that changes nothing. */
    setStock: till.set,
    advance: clock.advance,
    /** Further credentials, each of a family of their own. */
    issue: (count: number, seconds?: number) => Array.from({ length: count }, () => issue(seconds)),
    /** Resolves when no message is on its way to a subscriber. */
    delivered: courier.idle,
  }
}

/** The strings behind the stage: no authentication, no weather, no ledger. */
export function createControl(
  { settings, clock, weather, ledger, shop }: World,
  platform: Platform,
  { change, issue, buy, setStock, ...simulator }: Controls,
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
    'GET /_truth/orders': (call) => page(call, shop.book.count(), simulator.truth),
    'GET /_truth/products': (call) => page(call, null, simulator.truthOfProducts),
    'GET /_truth/inventory': (call) => page(call, null, simulator.truthOfInventory),
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
    'POST /_shop/buy': (call) => {
      const sale = saleIn(call.fields())
      if (typeof sale === 'string' || sale.quantity < 1) return answer(400, { error: saleHelp })
      const { sold, ...rest } = buy(sale)
      if (sold === null) return answer(404, { error: `There is no article "${sale.sku}".` })
      return answer(200, { sold, ...rest, time: inMicroseconds(clock.now()) })
    },
    'POST /_shop/stock': (call) => {
      const sale = saleIn(call.fields())
      if (typeof sale === 'string') return answer(400, { error: saleHelp })
      const changed = setStock(sale)
      if (changed === null) return answer(404, { error: `There is no article "${sale.sku}".` })
      return answer(200, { changed, time: inMicroseconds(clock.now()) })
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

const saleHelp = '"sku" is a text, "quantity" a whole number; "place" is which location, from 0.'

function saleIn({ sku, quantity, place = 0 }: Readonly<Record<string, unknown>>): Sale | string {
  const [count, where] = [wholeOf(quantity), wholeOf(place)]
  if (typeof sku !== 'string' || count === null || count < 0 || where === null || where < 0) return saleHelp
  return { sku, quantity: count, place: where }
}

function changesIn(fields: Readonly<Record<string, unknown>>): Changes | string {
  const changes: Changes = {}
  for (const [name, value] of Object.entries(fields)) {
    const kind = changeable.find((one) => one === name)
    if (!kind) return `A shop has no "${name}" to change.`
    const count = wholeOf(value)
    if (count === null || count < 0 || count > 1_000_000) return `"${name}" is a whole number from 0.`
    changes[kind] = count
  }
  return changes
}
