import { createHmac } from 'node:crypto'
import { type Clock, createClock } from './clock.ts'
import { type Courier, createCourier } from './courier.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { type PlatformFacts, type Settings, type SimulatorOptions, settle } from './options.ts'
import { hashText } from './random.ts'
import { changeOrder } from './shop/change-shop.ts'
import type { OrderPage } from './shop/list-orders.ts'
import type { ShopOrder } from './shop/order.ts'
import { lastDay } from './shop/order-columns.ts'
import { openShop, type Shop } from './shop/shop.ts'
import { createTrade } from './shop/trade.ts'
import { createWeather, presets, type WeatherSource } from './weather.ts'

/** All that surrounds a platform: one shop, its clock, its weather, and who writes down what happens. */
export interface World {
  settings: Settings
  /** Where this process answers, without a slash at the end: `http://127.0.0.1:4001`. */
  origin: string
  clock: Clock
  shop: Shop
  weather: WeatherSource
  ledger: Ledger
  courier: Courier
  /** Lets happen what is due by then, in a shop that has a story. */
  goOn: ReturnType<typeof createTrade> | null
  /** Made from the seed: the same shop has the same keys tomorrow. It is a toy; nothing here guards anything. */
  secretFor(purpose: string, length?: number): string
}

/** Without an origin of its own the shop is taken to be where its name says. */
export function createWorld(options: SimulatorOptions, name: string, facts: PlatformFacts, origin?: string): World {
  const settings = settle(options, name, facts)
  const seed = hashText(settings.seed)
  const clock = createClock(settings.story?.openedAt ?? settings.historyEnds ?? lastDay)
  const ledger = createLedger(clock)
  const weather = createWeather(seed, presets[options.weather ?? 'calm'])
  const courier = createCourier(weather, ledger, seed)
  const shop = openShop(clock, seed, settings, facts)
  const { story } = settings
  const goOn = story ? createTrade(shop.book, seed, story) : null
  const secretFor = (purpose: string, length = 40) =>
    createHmac('sha256', `simulator ${settings.seed}`).update(purpose).digest('hex').slice(0, length)
  const place = { settings, origin: origin ?? `https://${settings.shop}` }
  return { ...place, clock, shop, weather, ledger, courier, goOn, secretFor }
}

/** The orders of a page. Read before the weather changes what comes after it: a page is of one moment. */
export function ordersOn(world: Pick<World, 'shop' | 'weather' | 'clock'>, page: OrderPage): readonly ShopOrder[] {
  const orders = page.indexes.flatMap((index) => world.shop.book.get(index) ?? [])
  disturb(world, page)
  return orders
}

/** What bad weather does between two pages of a list. */
export function disturb({ shop, weather, clock }: Pick<World, 'shop' | 'weather' | 'clock'>, page: OrderPage): void {
  const { sequence, read, everything } = page
  if (!page.more || read === 0) return
  if (weather.chance('shift_while_paging'))
    changeOrder(shop.book, sequence[weather.dice.below(read)] ?? 0, weather.dice, clock.tick())
  if (everything && weather.chance('vanish_while_paging')) {
    shop.book.remove(sequence[read + weather.dice.below(sequence.length - read)] ?? -1)
  }
}
