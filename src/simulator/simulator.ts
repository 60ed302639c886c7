import { answerCall } from './answer-call.ts'
import { type Controls, createControl } from './control.ts'
import { callOf, type WireRequest } from './http/call.ts'
import { bytesOf, headersOf } from './http/send.ts'
import type { SimulatorOptions } from './options.ts'
import type { Credentials, Install, Message, Platform } from './platform.ts'
import { platforms } from './platforms/index.ts'
import { hashText } from './random.ts'
import type { Served } from './serve.ts'
import { createChanger } from './shop/change-shop.ts'
import { createTruth } from './truth.ts'
import { readWeather } from './weather.ts'
import { createWorld, type World } from './world.ts'

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
}

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
  const { counts } = platform
  return {
    ...{ ...simulator, world, kept: simulator.keep(), wrong: platform.wrong },
    counts: () => ({
      orders: world.shop.book.count(),
      products: counts?.products?.() ?? simulator.truthOfProducts().length,
      inventory: counts?.inventory?.() ?? simulator.truthOfInventory().length,
    }),
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

function openControls(world: World, platform: Platform): OpenedShop {
  const { settings, clock, shop, weather, ledger, courier } = world
  const truth = createTruth(world, platform)
  const change = createChanger(shop, hashText(settings.seed))
  const { issue, keep = issue } = platform
  const { credentials = issue(), ...differs } = platform.install ?? {}
  const usual = { type: settings.platform, shop: settings.shop, settings: {}, client: {} }
  const install: Install = { ...usual, ...differs, credentials }
  const simulator: Controls = {
    ...{ platform: settings.platform, shop: settings.shop, install, keep },
    credentials: credentials ?? keep(),
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
      const { orders, new_orders, delete_orders, products, inventory } = change(changes)
      const ids = (indexes: readonly number[]) => indexes.map((index) => platform.orderId(index))
      return {
        ...{ orders: ids(orders), new_orders: ids(new_orders), delete_orders: ids(delete_orders), inventory },
        products: products.map((index) => platform.productId(index)),
      }
    },
    advance: clock.advance,
    issue: (count, seconds) => Array.from({ length: count }, () => issue(seconds)),
    delivered: courier.idle,
  }
  return { world, platform, simulator, control: createControl(world, platform, truth, simulator) }
}
