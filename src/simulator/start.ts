import { once } from 'node:events'
import { createClock } from './clock.ts'
import { createControl } from './control.ts'
import { createCourier } from './courier.ts'
import { createMarket } from './dialects/market/index.ts'
import { createShopify } from './dialects/shopify/index.ts'
import { createWoo } from './dialects/woo/index.ts'
import { createLedger, type LedgerEntry } from './ledger.ts'
import { type DialectName, type SimulatorOptions, settle } from './options.ts'
import { hashText } from './random.ts'
import { createShopServer } from './serve.ts'
import { type Changes, createChanger } from './shop/change-shop.ts'
import { lastDay } from './shop/order-columns.ts'
import { openShop } from './shop/shop.ts'
import { createTruth, type TruthLevel, type TruthOrder, type TruthProduct } from './truth.ts'
import { createSky, presets, readWeather, type Weather } from './weather.ts'
import type { Credentials, Dialect, World } from './world.ts'

export interface Simulator {
  baseUrl: string
  shop: string
  dialect: DialectName
  credentials: Credentials
  /** The shop's present orders, as `/_truth/orders` shows them. */
  truth(): readonly TruthOrder[]
  truthOfProducts(): readonly TruthProduct[]
  truthOfInventory(): readonly TruthLevel[]
  ledger(after?: number): readonly LedgerEntry[]
  doubles(): readonly { operation: string; key: string; subject: string; count: number }[]
  /** Sets the weather and tells how it is then. */
  weather(changes?: Partial<Weather> & { preset?: 'calm' | 'rough' }): Weather
  /** Lets so much happen now; answers with the remote ids it happened to. */
  change(changes: Changes): { orders: string[]; new_orders: string[]; delete_orders: string[]; products: string[] }
  advance(seconds: number): void
  /** Further credentials, each of a family of their own. */
  issue(count: number, seconds?: number): readonly Credentials[]
  /** Resolves when no message is on its way to a subscriber. */
  delivered(): Promise<void>
  close(): Promise<void>
}

const dialectsByName: Readonly<Record<DialectName, (world: World) => Dialect>> = {
  shopify: createShopify,
  woo: createWoo,
  market: createMarket,
}

/** A shop of its own on a port of this machine, until it is closed. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = settle(options)
  const seed = hashText(settings.seed)
  const clock = createClock(lastDay)
  const ledger = createLedger(clock)
  const sky = createSky(seed, presets[settings.weather])
  const courier = createCourier({ sky, ledger, seed })
  const books = settings.dialect === 'shopify' ? 'EUR' : null
  const shop = openShop({ clock, seed, orders: settings.orders, products: settings.products, books })
  const world: World = { settings, clock, shop, sky, ledger, courier }
  const dialect = dialectsByName[settings.dialect](world)
  const truth = createTruth(world, dialect)
  const change = createChanger(shop, seed)
  const issue = (count: number, seconds?: number) => Array.from({ length: count }, () => dialect.issue(seconds))
  const credentials = dialect.issue()
  const server = createShopServer(world, dialect, createControl({ world, dialect, truth, change, issue }))

  server.listen(settings.port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The simulator has no port.')

  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    shop: settings.shop,
    dialect: settings.dialect,
    credentials,
    truth: () => truth.orders(),
    truthOfProducts: () => truth.products(),
    truthOfInventory: () => truth.inventory(),
    ledger: (after = 0) => ledger.after(after, Number.POSITIVE_INFINITY),
    doubles: ledger.doubles,
    weather(changes) {
      if (changes) {
        const next = readWeather(changes, sky.now())
        if (typeof next === 'string') throw new RangeError(next)
        sky.set(next)
      }
      return sky.now()
    },
    change(changes) {
      const { orders, new_orders, delete_orders, products } = change(changes)
      const ids = (indexes: readonly number[]) => indexes.map(dialect.orderId)
      return {
        orders: ids(orders),
        new_orders: ids(new_orders),
        delete_orders: ids(delete_orders),
        products: products.map(dialect.productId),
      }
    },
    advance: clock.advance,
    issue,
    delivered: courier.idle,
    async close() {
      courier.stop()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
