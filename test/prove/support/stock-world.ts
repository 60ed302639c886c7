import { connectors } from '../../../src/connectors/index.ts'
import { data, type Fleet, type Merchant } from './fleet.ts'
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

export interface StockShop {
  process: ShopProcess
  id: number
  /** The location that is told; null where the platform knows none. */
  location: string | null
  /** Requests that it takes in a second, as we keep to it. */
  perSecond: number
}

export interface Level {
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
export async function setWeather(
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

export async function dueIn(fleet: Fleet): Promise<number> {
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
