import { answerCall } from './answer-call.ts'
import { createClock } from './clock.ts'
import { createControl } from './control.ts'
import { createCourier } from './courier.ts'
import { callOf, type WireRequest } from './http/call.ts'
import { bytesOf, headersOf } from './http/send.ts'
import { createLedger, type LedgerEntry } from './ledger.ts'
import { type SimulatorOptions, settle } from './options.ts'
import type { Credentials, Install, Message, Platform, PlatformDefinition } from './platform.ts'
import { platforms } from './platforms/index.ts'
import { hashText } from './random.ts'
import type { Served } from './serve.ts'
import { type Changes, createChanger } from './shop/change-shop.ts'
import type { ShopOrder } from './shop/order.ts'
import { lastDay } from './shop/order-columns.ts'
import { openShop } from './shop/shop.ts'
import { createTruth, type TruthLevel, type TruthOrder, type TruthProduct } from './truth.ts'
import { createWeather, presets, readWeather, type Weather } from './weather.ts'
import type { World } from './world.ts'

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
  change(changes: Changes): { orders: string[]; new_orders: string[]; delete_orders: string[]; products: string[] }
  advance(seconds: number): void
  /** What the connector would keep of the shop: a family of tokens, or another pair of keys. */
  keep(seconds?: number): Credentials
  /** Further credentials, each of a family of their own. */
  issue(count: number, seconds?: number): readonly Credentials[]
  /** Resolves when no message is on its way to a subscriber. */
  delivered(): Promise<void>
}

/** A simulator that is asked in memory: the very answers that go over sockets elsewhere. */
export interface MemorySimulator extends Controls {
  world: World
  /** What the connector would keep of it. */
  kept: Credentials
  wrong: Credentials
  /** How many of each kind the platform lists. */
  counts(): Record<'orders' | 'products' | 'inventory', number>
  messages(secret: string): readonly Message[]
  answer(request: WireRequest): Promise<{ status: number; headers: Record<string, string>; bytes: Buffer }>
}

/** Everything but the wire. */
export interface OpenedShop extends Served {
  simulator: Controls
  courier: World['courier']
}

/** Without an origin of its own the shop is taken to be where its name says. */
export function openShopOn(options: SimulatorOptions, origin?: string): OpenedShop {
  const name = options.platform ?? 'sandbox'
  const definition = platforms[name]
  if (!definition) throw new RangeError(`There is no platform "${name}".`)
  const world = createWorld(options, name, definition, origin)
  const platform = definition.open(world)
  return openControls(world, platform)
}

/** One shop of a platform, asked without a socket. Its messages go out all the same. */
export function openSimulator(options: SimulatorOptions): MemorySimulator {
  const { world, platform, simulator } = openShopOn(options)
  const counts = {
    orders: () => world.shop.book.count(),
    products: () => simulator.truthOfProducts().length,
    inventory: () => simulator.truthOfInventory().length,
    ...platform.counts,
  }
  return {
    ...simulator,
    world,
    kept: platform.keep(),
    wrong: platform.wrong,
    counts: () => ({ orders: counts.orders(), products: counts.products(), inventory: counts.inventory() }),
    messages: (secret) => platform.messages?.(secret) ?? [],
    async answer(request) {
      const call = callOf(request)
      const reply = call && (await answerCall(world, platform, call))
      if (!reply) throw new Error('The shop does not answer.')
      const bytes = bytesOf(reply.answer.body)
      return { status: reply.answer.status, headers: headersOf(reply.answer, bytes), bytes }
    },
  }
}

function createWorld(options: SimulatorOptions, name: string, definition: PlatformDefinition, origin?: string): World {
  const settings = settle(options, name, definition)
  const seed = hashText(settings.seed)
  const clock = createClock(lastDay)
  const ledger = createLedger(clock)
  const weather = createWeather(seed, presets[options.weather ?? 'calm'])
  const courier = createCourier({ weather, ledger, seed })
  const shop = openShop({
    clock,
    seed,
    orders: settings.orders,
    products: settings.products,
    books: definition.currency,
  })
  return { settings, origin: origin ?? `https://${settings.shop}`, clock, shop, weather, ledger, courier }
}

function openControls(world: World, platform: Platform): OpenedShop {
  const { settings, clock, shop, weather, ledger, courier } = world
  const truth = createTruth(world, platform)
  const change = createChanger(shop, hashText(settings.seed))
  const issue = (count: number, seconds?: number) => Array.from({ length: count }, () => platform.issue(seconds))
  const simulator: Controls = {
    platform: settings.platform,
    shop: settings.shop,
    credentials: platform.install.credentials ?? platform.keep(),
    install: platform.install,
    truth: () => truth.orders(),
    truthOfProducts: () => truth.products(),
    truthOfInventory: () => truth.inventory(),
    order(remoteId) {
      const index = shop.book.byNumber().find((one) => platform.orderId(one) === remoteId)
      return index === undefined ? null : shop.book.get(index)
    },
    ledger: (after = 0) => ledger.after(after, Number.POSITIVE_INFINITY),
    doubles: ledger.doubles,
    weather(changes) {
      if (changes) {
        const next = readWeather(changes, weather.now())
        if (typeof next === 'string') throw new RangeError(next)
        weather.set(next)
      }
      return weather.now()
    },
    change(changes) {
      const { orders, new_orders, delete_orders, products } = change(changes)
      const ids = (indexes: readonly number[]) => indexes.map(platform.orderId)
      return {
        orders: ids(orders),
        new_orders: ids(new_orders),
        delete_orders: ids(delete_orders),
        products: products.map(platform.productId),
      }
    },
    advance: clock.advance,
    keep: platform.keep,
    issue,
    delivered: courier.idle,
  }
  return { world, platform, simulator, courier, control: createControl({ world, platform, truth, change, issue }) }
}
