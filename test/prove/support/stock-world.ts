import { setTimeout as sleep } from 'node:timers/promises'
import { connectors } from '../../../src/connectors/index.ts'
import { drawLots } from '../../support/chance.ts'
import { data, type Fleet, type Merchant, type WorkerProcess } from './fleet.ts'
import type { OwnPostgres } from './own-postgres.ts'
import type { Lab } from './proof.ts'
import { firstSync } from './runs.ts'
import type { ShopProcess } from './shop-process.ts'
import type { Wish } from './stock-rivals.ts'
import { until } from './until.ts'

export interface StockFigures {
  shops: number
  articles: number
  /** In calm weather and at their own pace, before the others: what is promised of time is promised for these. */
  calmWishes: number
  calmPerSecond: number
  wishes: number
  perSecond: number
  /** Fewer pieces than this are dealt out among the shops; 0 for never. */
  dealBelow: number
  kills: number
  databaseKills: number
  rough: boolean
  settleSeconds: number
  /** Whether time is of the essence: at a size for every day only what must always hold is. */
  timed: boolean
}

const platforms = ['woocommerce', 'bigcommerce', 'shopify', 'magento', 'medusa'] as const

/** A day of a busy merchant goes by in minutes: what platforms allow in a time, and we ask of them, is as much more. */
export const limitScale = 20

/** The longest in which a platform counts requests. */
const windowMs = 30_000

export interface StockShop {
  process: ShopProcess
  id: number
  /** The location that is told; null where the platform knows none. */
  location: string | null
  /** Requests that it takes in a second, as we keep to it. */
  perSecond: number
}

interface Level {
  sku: string
  location_remote_id: string | null
  available: number
}

export async function openShops(
  fleet: Fleet,
  merchant: Merchant,
  { shops, articles }: StockFigures,
  lab: Lab,
): Promise<StockShop[]> {
  const opened: StockShop[] = []
  for (const platform of platforms.slice(0, shops)) {
    // A product has two variants or so: every one of them is an article, and has to be told.
    const process = await fleet.startShop({ platform, orders: 3, products: Math.ceil(articles / 2) + 10 })
    const id = await (platform === 'shopify' ? merchant.installByBrowser(process) : merchant.install(process))
    await firstSync(fleet, id, 300)
    const [level] = await process.get<Level[]>('/_truth/inventory?limit=1')
    const { perSecond = 1 } = connectors.get(platform)?.remote.budgets.default ?? {}
    opened.push({ process, id, location: level?.location_remote_id ?? null, perSecond })
    lab.progress('shops opened and read', opened.length, shops)
  }
  return opened
}

/** One variant of each product that all shops sell; few pieces of each, of some very few. */
export async function beginStock(
  fleet: Fleet,
  merchant: Merchant,
  { shops, figures: { articles, dealBelow }, lab }: { shops: readonly StockShop[]; figures: StockFigures; lab: Lab },
): Promise<string[]> {
  const root = `/accounts/${encodeURIComponent(merchant.remoteId)}/stock`
  data(await merchant.call('PUT', root, {}))
  const sold: Set<string>[] = []
  for (const { process, id, location } of shops) {
    const levels = await process.get<Level[]>('/_truth/inventory')
    data(await merchant.call('PUT', `${root}/shops/${id}`, { location }))
    sold.push(new Set(levels.map(({ sku }) => sku)))
  }
  data(await merchant.call('POST', `${root}/articles/match`, { create: true }))
  const everywhere = [...(sold[0] ?? [])].filter((sku) => sold.every((own) => own.has(sku))).slice(0, articles)
  await setWeather(fleet, shops, { preset: 'calm', limit_scale: limitScale })
  const movements = everywhere.map((sku, n) => ({ key: sku, kind: 'count', sku, quantity: stockOf(n) }))
  for (let at = 0; at < movements.length; at += 500)
    data(await merchant.call('POST', `${root}/movements`, { movements: movements.slice(at, at + 500) }))
  data(await merchant.call('PUT', root, { mode: 'on', deal_below: dealBelow }))
  await until(
    'every shop shows what is there',
    async () => {
      const left = await dueIn(fleet)
      lab.progress(`levels to tell: ${left}`)
      return left === 0 && (await fleet.query('select from stock_marks limit 1')).length === 0
    },
    { seconds: 600, everyMs: 500 },
  )
  return everywhere
}

/** Every fifth is scarce. */
export const isScarce = (article: number): boolean => article % 5 === 0
const stockOf = (article: number): number => (isScarce(article) ? 4 : 25)

/** Weather with limits so much wider than in real life. Platforms that tell their limits are believed; for the others we keep to figures of our own, which are widened as well. */
async function setWeather(
  fleet: Fleet,
  shops: readonly StockShop[],
  weather: { preset: 'calm' | 'rough'; limit_scale: number },
): Promise<void> {
  for (const { process, perSecond } of shops) {
    await process.post('/_weather', weather)
    await fleet.query(
      `update rate_budgets set capacity = capacity / per_second * $2, per_second = $2, tokens = least(tokens, capacity / per_second * $2)
       where key like $1 || '|%' and key not like '%|down'`,
      [process.platform, perSecond * weather.limit_scale],
    )
  }
}

async function dueIn(fleet: Fleet): Promise<number> {
  const [row] = await fleet.query<{ n: string }>(
    `select count(*) as n from stock_links where wanted is not null and (due_at is not null or shows is distinct from wanted)`,
  )
  return Number(row?.n)
}

/** What buyers may have: orders from before hold some of it back. */
export async function thereOf(fleet: Fleet, skus: readonly string[]): Promise<number[]> {
  const rows = await fleet.query<{ sku: string; n: string }>(
    `select a.sku, sum(b.on_hand - b.reserved) as n from stock_articles a join stock_balances b on b.article_id = a.id
     group by a.sku`,
  )
  const there = new Map(rows.map(({ sku, n }) => [sku, Number(n)]))
  return skus.map((sku) => Math.max(0, there.get(sku) ?? 0))
}

export interface Sale extends Wish {
  remoteId: string
  boughtAt: number
}

export interface Sold {
  wishes: Wish[]
  sales: Sale[]
  began: number
  /** When time began to be of the essence: all shops were selling. */
  calmAt: number
  /** When the weather became rough. */
  roughAt: number
  /** Where each shop's own ledger was before the first sale. */
  ledgerAt: number[]
}

/** As whoever looks after workers does: one that found no database to start with is started again. */
async function startAgain(fleet: Fleet): Promise<WorkerProcess> {
  return await until('a worker has started', async () => await fleet.startWorker().catch(() => false as const), {
    ...{ seconds: 120, everyMs: 500 },
  })
}

/** Buyers come at a steady rate, half of them for the scarce articles; meanwhile workers and the database are killed. */
export async function sell(
  fleet: Fleet,
  given: {
    shops: readonly StockShop[]
    skus: readonly string[]
    figures: StockFigures
    workers: WorkerProcess[]
    postgres: OwnPostgres
    lab: Lab
  },
): Promise<Sold> {
  const { shops, skus, figures, workers, postgres, lab } = given
  const lots = drawLots('one stock')
  const scarce = skus.flatMap((_, n) => (isScarce(n) ? [n] : []))
  const wishes: Wish[] = []
  const sales: Sale[] = []
  const ledgerAt: number[] = []
  for (const { process } of shops) ledgerAt.push((await process.ledger()).at(-1)?.seq ?? 0)
  // What is promised of time is promised within the limits of real life.
  await setWeather(fleet, shops, { preset: 'calm', limit_scale: 1 })
  const began = Date.now()
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1000
  const buy = async (from: readonly number[], shop = lots.below(shops.length)) => {
    const article = lots.pick(from)
    wishes.push({ at: seconds(), shop, article })
    const boughtAt = Date.now()
    const answer = await shops[shop]?.process.post<{ sold: boolean; remote_id: string | null }>('/_shop/buy', {
      ...{ sku: skus[article], quantity: 1 },
    })
    const at = wishes.at(-1)?.at ?? 0
    if (answer?.sold) sales.push({ at, shop, article, remoteId: answer.remote_id ?? '', boughtAt })
  }
  const plenty = skus.flatMap((_, n) => (isScarce(n) ? [] : [n]))
  const everything = skus.map((_, n) => n)
  const paced = async (count: number, perSecond: number, one: (n: number) => Promise<void>) => {
    const start = performance.now()
    for (let n = 0; n < count; n++) {
      const due = (n / perSecond) * 1000 - (performance.now() - start)
      if (due > 0) await sleep(due)
      await one(n)
    }
  }
  // A shop that has sold nothing for ten minutes and sends no messages is asked every minute: what is promised is promised for shops that sell.
  for (const shop of shops.keys()) await buy(plenty, shop)
  await mustSettle(fleet, { shops, skus, sold: sales, figures, lab })
  // What platforms have counted by then belongs to another window.
  if (figures.timed) await sleep(windowMs)
  const calmAt = Date.now()
  await paced(figures.calmWishes, figures.calmPerSecond, async (n) => {
    lab.progress('wishes in calm weather', n, figures.calmWishes)
    await buy(plenty)
  })
  // What was sold in calm weather is told in calm weather.
  await mustSettle(fleet, { shops, skus, sold: sales, figures, lab })
  const roughAt = Date.now()
  await setWeather(fleet, shops, { preset: figures.rough ? 'rough' : 'calm', limit_scale: limitScale })
  const kills: Promise<unknown>[] = []
  const killer = (every: number, most: number, kill: () => Promise<unknown>) => (n: number) => {
    if (n > 0 && n % every === 0 && n / every <= most) kills.push(kill())
  }
  const killWorker = killer(Math.ceil(figures.wishes / (figures.kills + 1)), figures.kills, async () => {
    await workers.shift()?.kill()
    workers.push(await startAgain(fleet))
  })
  const killDatabase = killer(
    Math.ceil(figures.wishes / (figures.databaseKills + 1)),
    figures.databaseKills,
    async () => {
      await postgres.stop('kill')
      await sleep(500)
      await postgres.start()
    },
  )
  await paced(figures.wishes, figures.perSecond, async (n) => {
    lab.progress(`${sales.length} sold, wishes`, n, figures.wishes)
    await buy(lots.fraction() < 0.5 ? scarce : everything)
    killWorker(n)
    killDatabase(n)
  })
  await Promise.all(kills)
  return { wishes, sales, began, calmAt, roughAt, ledgerAt }
}

export interface Reserved {
  integration_id: string
  remote_id: string
  /** What the order has taken from the stock, whether it still holds it or it has left. */
  pieces: string
  /** Seconds: when the first message of the shop about it came, null where none did; when it was stored; when it was booked, if it was. */
  message: string | null
  stored: string
  booked: string | null
}

/** What the ledger has of each order that buyers made, by shop and the shop's own id of the order. */
export async function reservedFor(
  fleet: Fleet,
  sold: readonly Sale[],
  shops: readonly StockShop[],
): Promise<Reserved[]> {
  type Key = Pick<Reserved, 'integration_id' | 'remote_id'>
  const keyOf = (one: Key) => `${one.integration_id} ${one.remote_id}`
  const byKey = <Row extends Key>(rows: readonly Row[]) => new Map(rows.map((row) => [keyOf(row), row]))
  // Put together here: over tables that nobody has analysed yet, PostgreSQL compares each order with each other.
  const orders = byKey(
    await fleet.query<Key & { id: string; stored: string }>(
      'select id, integration_id, remote_id, extract(epoch from created_at) as stored from orders',
    ),
  )
  const booked = await fleet.query<{ integration_id: string; order_id: string; pieces: string; at: string }>(
    `select integration_id, order_id, sum(reserved_by - on_hand_by) as pieces, extract(epoch from min(at)) as at
     from stock_movements where source = 'order:' || integration_id group by integration_id, order_id`,
  )
  const bookings = new Map(booked.map((one) => [`${one.integration_id} ${one.order_id}`, one]))
  const messages = byKey(
    await fleet.query<Key & { at: string }>(
      `select integration_id, remote_id, extract(epoch from min(received_at)) as at from inbound_deliveries
       where kind = 'order' group by 1, 2`,
    ),
  )
  return sold.flatMap(({ shop, remoteId }) => {
    const order = orders.get(`${shops[shop]?.id} ${remoteId}`)
    if (!order) return []
    const booking = bookings.get(`${order.integration_id} ${order.id}`)
    return {
      ...{ integration_id: order.integration_id, remote_id: order.remote_id, stored: order.stored },
      ...{ pieces: booking?.pieces ?? '0', booked: booking?.at ?? null },
      message: messages.get(keyOf(order))?.at ?? null,
    }
  })
}

/** What the people at each shop have done with its orders, by its own records: weather lets some move on while they are read. */
export async function givenBack(sold: readonly Sale[], shops: readonly StockShop[]): Promise<Map<Sale, number>> {
  const back = new Map<Sale, number>()
  for (const [shop, { process }] of shops.entries()) {
    const orders = new Map((await process.truth()).map((order) => [order.remote_id, order]))
    for (const sale of sold) {
      const order = sale.shop === shop ? orders.get(sale.remoteId) : undefined
      if (order?.cancelled_at) back.set(sale, Date.parse(order.cancelled_at))
    }
  }
  return back
}

/** Orders that the ledger has wrong: each takes one piece, or none if its shop has cancelled it. */
export async function oddOrders(
  fleet: Fleet,
  { sold, shops }: Pick<Settling, 'sold' | 'shops'>,
): Promise<{ odd: Reserved[]; unknown: number }> {
  const back = await givenBack(sold, shops)
  const given = new Set([...back.keys()].map((sale) => `${shops[sale.shop]?.id} ${sale.remoteId}`))
  const reserved = await reservedFor(fleet, sold, shops)
  const odd = reserved.filter((one) => {
    const wanted = given.has(`${one.integration_id} ${one.remote_id}`) ? 0 : 1
    return Number(one.pieces) !== wanted
  })
  return { odd, unknown: sold.length - reserved.length }
}

interface Settling {
  shops: readonly StockShop[]
  skus: readonly string[]
  sold: readonly Sale[]
  figures: StockFigures
  lab: Lab
}

export interface Settled {
  /** Until it was so, or until nobody waited any longer. */
  seconds: number
  /** What is not as it should be even then. */
  amiss: string | null
  /** For how long orders were not in the ledger, levels not told, shops not right by their own records, and orders not followed to their end. */
  waited: Readonly<Record<'booked' | 'told' | 'shown' | 'followed', number>>
}

/** Waits until all that was sold is in the ledger, and every shop shows by its own records what its rule says. Nobody helps: orders of which no message came are found by asking as always. */
export async function settled(fleet: Fleet, given: Settling): Promise<Settled> {
  const { shops, skus, sold, lab, figures } = given
  const begun = performance.now()
  const secondsSince = () => (performance.now() - begun) / 1000
  const waited = { booked: 0, told: 0, shown: 0, followed: 0 }
  for (;;) {
    const [row] = await fleet.query<{ n: string }>(
      // An order that has left before anybody read it is a sale at once, and was never reserved.
      `select count(distinct (integration_id, order_id)) as n from stock_movements
       where source = 'order:' || integration_id and at > to_timestamp($1)`,
      [(sold[0]?.boughtAt ?? 0) / 1000],
    )
    const due = await dueIn(fleet)
    const state = `booked ${row?.n} of ${sold.length}, levels to tell: ${due}`
    lab.progress(state)
    const isBooked = Number(row?.n) >= sold.length
    const isTold = isBooked && due === 0
    if (!isBooked) waited.booked = secondsSince()
    if (!isTold) waited.told = secondsSince()
    const apart = isTold ? await differing(fleet, shops, skus, figures.dealBelow) : []
    const isRight = isTold && apart.length === 0
    if (!isRight) waited.shown = secondsSince()
    const { odd } = isRight ? await oddOrders(fleet, given) : { odd: [] }
    if (isRight && odd.length === 0) return { seconds: secondsSince(), amiss: null, waited }
    waited.followed = secondsSince()
    if (apart.length > 0) lab.progress(`${apart.length} articles differ, such as ${apart[0]}`)
    if (odd.length > 0) lab.progress(`orders that moved on in their shops and are not booked: ${odd.length}`)
    if (secondsSince() > figures.settleSeconds)
      return {
        ...{ seconds: secondsSince(), waited },
        amiss: isTold
          ? `${apart.length} articles differ: ${apart.slice(0, 5).join('; ')}; ${odd.length} orders are booked otherwise`
          : state,
      }
    await sleep(500)
  }
}

async function mustSettle(fleet: Fleet, given: Settling): Promise<void> {
  const { amiss } = await settled(fleet, given)
  if (amiss !== null) throw new Error(`Not settled in calm weather: ${amiss}.`)
}

/**
 * Articles of which the shops' own records say something else than the rule: all shops show what is left, or where that is less than is shared, each piece is shown in
 * one of them.
 */
async function differing(
  fleet: Fleet,
  shops: readonly StockShop[],
  skus: readonly string[],
  dealBelow: number,
): Promise<string[]> {
  const shown = new Map<string, number[]>(skus.map((sku) => [sku, []]))
  for (const { process, location } of shops) {
    const levels = await process.get<Level[]>('/_truth/inventory')
    for (const { sku, location_remote_id: place, available } of levels)
      if (place === location) shown.get(sku)?.push(available)
  }
  const left = await thereOf(fleet, skus)
  return skus.flatMap((sku, n) => {
    const [there, levels] = [left[n] ?? 0, shown.get(sku) ?? []]
    const isRight =
      levels.length === shops.length &&
      (there >= dealBelow
        ? levels.every((level) => level === there)
        : levels.reduce((sum, level) => sum + level, 0) === there)
    return isRight ? [] : [`${sku}: ${there} left, shown ${levels.join(', ')}`]
  })
}
