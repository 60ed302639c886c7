import { setTimeout as sleep } from 'node:timers/promises'
import { drawLots } from '../support/chance.ts'
import { freePort } from '../support/process.ts'
import { data, type Fleet, type Merchant, type WorkerProcess, withFleet } from './support/fleet.ts'
import { proof } from './support/proof.ts'
import { firstSync } from './support/runs.ts'
import { startServer } from './support/server-process.ts'
import { settingsFor } from './support/settings.ts'
import type { ShopProcess } from './support/shop-process.ts'
import { atOnce, copying, naivePush, type Played, play, type Wish } from './support/stock-rivals.ts'
import { percentile, until } from './support/until.ts'

const platforms = ['woocommerce', 'bigcommerce', 'shopify', 'magento', 'medusa'] as const

interface Figures {
  shops: number
  articles: number
  wishes: number
  perSecond: number
  kills: number
  rough: boolean
  settleSeconds: number
  /** Whether time is of the essence: at a size for every day only what must always hold is. */
  timed: boolean
}

interface Shop {
  process: ShopProcess
  id: number
}

/** Buyers who see each shop's own stock, one stock behind all of them. */
export const oneStock = proof<Figures>({
  name: 'one-stock',
  asked:
    '5 shops on 5 platforms, 1,000 articles, 50,000 wishes of buyers with bursts on scarce articles, rough weather, 20 kills of workers: the ledger exact, all shops equal to their rule within 60 s of calm, oversold ≤ 1.1× the lower bound and ≤ 1/20 of copying every 15 minutes, ≤ half of the writes of naive push',
  full: {
    shops: 5,
    articles: 1000,
    wishes: 50_000,
    perSecond: 40,
    kills: 20,
    rough: true,
    settleSeconds: 600,
    timed: true,
  },
  quick: {
    shops: 3,
    articles: 20,
    wishes: 150,
    perSecond: 10,
    kills: 1,
    rough: false,
    settleSeconds: 120,
    timed: false,
  },
  async run(figures, lab) {
    const url = await lab.database('migrated')
    const port = await freePort()
    const own = { PUBLIC_URL: `http://127.0.0.1:${port}` }
    return await withFleet(
      url,
      async (fleet) => {
        // Messages of the shops arrive at the public address.
        const door = await startServer(settingsFor(url, { ENTREPOT_ROLE: 'api', EGRESS_ALLOW: '127.0.0.1', ...own }), {
          port,
        })
        try {
          const workers = [await fleet.startWorker(), await fleet.startWorker()]
          const merchant = await fleet.makeMerchant()
          const shops = await openShops(fleet, merchant, figures)
          const skus = await beginStock(fleet, merchant, shops, figures)
          lab.progress('all shops show the same')
          if (figures.rough) for (const { process } of shops) await process.post('/_weather', { preset: 'rough' })
          const stock = await thereOf(fleet, skus)
          const began = Date.now()
          const { wishes, sold } = await sell(fleet, { shops, skus, figures, workers })
          for (const { process } of shops) await process.post('/_weather', { preset: 'calm' })
          const calm = performance.now()
          await settled(fleet, { shops, sold, seconds: figures.settleSeconds })
          const settledAfter = (performance.now() - calm) / 1000
          return await judge(fleet, { figures, wishes, sold, stock, settledAfter, began, shops })
        } finally {
          door.signal('SIGKILL')
        }
      },
      own,
    )
  },
})

async function openShops(fleet: Fleet, merchant: Merchant, { shops, articles }: Figures): Promise<Shop[]> {
  const opened: Shop[] = []
  for (const platform of platforms.slice(0, shops)) {
    const process = await fleet.startShop({ platform, orders: 3, products: articles })
    const id = await merchant.install(process)
    await firstSync(fleet, id, 300)
    opened.push({ process, id })
  }
  return opened
}

const stockAt = (merchant: Merchant) => `/accounts/${encodeURIComponent(merchant.remoteId)}/stock`

interface Level {
  sku: string
  location_remote_id: string | null
  available: number
}

/** One variant of each product that all shops sell; few pieces of each, of some very few. */
async function beginStock(fleet: Fleet, merchant: Merchant, shops: readonly Shop[], { articles }: Figures) {
  const root = stockAt(merchant)
  data(await merchant.call('PUT', root, {}))
  const sold: string[][] = []
  for (const { process, id } of shops) {
    const levels = await process.get<Level[]>('/_truth/inventory')
    data(await merchant.call('PUT', `${root}/shops/${id}`, { location: levels[0]?.location_remote_id ?? null }))
    sold.push([...new Set(levels.map(({ sku }) => sku))])
  }
  data(await merchant.call('POST', `${root}/articles/match`, { create: true }))
  const everywhere = (sold[0] ?? []).filter((sku) => sold.every((own) => own.includes(sku))).slice(0, articles)
  const movements = everywhere.map((sku, n) => ({ key: sku, kind: 'count', sku, quantity: stockOf(n) }))
  for (let at = 0; at < movements.length; at += 500)
    data(await merchant.call('POST', `${root}/movements`, { movements: movements.slice(at, at + 500) }))
  data(await merchant.call('PUT', root, { mode: 'on' }))
  await until('every shop shows what is there', () => nothingDue(fleet), { seconds: 300, everyMs: 200 })
  return everywhere
}

/** Every fifth is scarce. */
const stockOf = (article: number): number => (article % 5 === 0 ? 4 : 25)

const nothingDue = async (fleet: Fleet): Promise<boolean> => {
  const rows = await fleet.query(
    `select from stock_links l join stock_shops s using (integration_id)
     where l.wanted is not null and (l.due_at is not null or l.shows is distinct from l.wanted) limit 1`,
  )
  return rows.length === 0 && (await fleet.query('select from stock_marks limit 1')).length === 0
}

interface Sale extends Wish {
  remoteId: string
  boughtAt: number
}

/** What buyers may have: orders from before hold some of it back. */
async function thereOf(fleet: Fleet, skus: readonly string[]): Promise<number[]> {
  const rows = await fleet.query<{ sku: string; n: string }>(
    `select a.sku, sum(b.on_hand - b.reserved) as n from stock_articles a join stock_balances b on b.article_id = a.id
     group by a.sku`,
  )
  const there = new Map(rows.map(({ sku, n }) => [sku, Number(n)]))
  return skus.map((sku) => Math.max(0, there.get(sku) ?? 0))
}

/** Buyers come at a steady rate, half of them for the scarce articles; meanwhile workers are killed. */
async function sell(
  fleet: Fleet,
  given: {
    shops: readonly Shop[]
    skus: readonly string[]
    figures: Figures
    workers: WorkerProcess[]
  },
) {
  const { shops, skus, figures, workers } = given
  const lots = drawLots('one stock')
  const scarce = skus.flatMap((_, n) => (n % 5 === 0 ? [n] : []))
  const wishes: Wish[] = []
  const sold: Sale[] = []
  const begun = performance.now()
  const killEvery = Math.ceil(figures.wishes / (figures.kills + 1))
  for (let n = 0; n < figures.wishes; n++) {
    const due = (n / figures.perSecond) * 1000 - (performance.now() - begun)
    if (due > 0) await sleep(due)
    const article = lots.fraction() < 0.5 ? lots.pick(scarce) : lots.below(skus.length)
    const shop = lots.below(shops.length)
    const at = (performance.now() - begun) / 1000
    wishes.push({ at, shop, article })
    const boughtAt = Date.now()
    const answer = await shops[shop]?.process.post<{ sold: boolean; remote_id: string | null }>('/_shop/buy', {
      ...{ sku: skus[article], quantity: 1 },
    })
    if (answer?.sold) sold.push({ at, shop, article, remoteId: answer.remote_id ?? '', boughtAt })
    if (n > 0 && n % killEvery === 0 && n / killEvery <= figures.kills) {
      await workers.shift()?.kill()
      void fleet.startWorker().then((worker) => workers.push(worker))
    }
  }
  return { wishes, sold }
}

/** What the ledger has of each order that buyers made, by shop and the shop's own id of the order. */
async function reservedFor(fleet: Fleet, sold: readonly Sale[], shops: readonly Shop[]) {
  const wanted = sold.map(({ shop, remoteId }) => ({ integration_id: shops[shop]?.id, remote_id: remoteId }))
  return await fleet.query<{ integration_id: string; remote_id: string; n: string; stored: string }>(
    `select o.integration_id, o.remote_id, extract(epoch from o.created_at) as stored,
       coalesce((select sum(m.reserved_by) from stock_movements m
         where m.integration_id = o.integration_id and m.order_id = o.id), 0) as n
     from jsonb_to_recordset($1::jsonb) r(integration_id bigint, remote_id text)
     join orders o on o.integration_id = r.integration_id and o.remote_id = r.remote_id`,
    [JSON.stringify(wanted)],
  )
}

/** All that was sold is in the ledger, and every shop shows what its rule says. Orders that no message told of are read. */
async function settled(
  fleet: Fleet,
  { shops, sold, seconds }: { shops: readonly Shop[]; sold: readonly Sale[]; seconds: number },
): Promise<void> {
  const ids = shops.map(({ id }) => id)
  await fleet.query('update integrations set next_read_at = now() where id = any($1::bigint[])', [ids])
  await until(
    'everything sold is reserved and every shop told',
    async () => {
      const reserved = await reservedFor(fleet, sold, shops)
      return reserved.filter(({ n }) => Number(n) > 0).length === sold.length && (await nothingDue(fleet))
    },
    { seconds, everyMs: 500 },
  )
}

async function judge(
  fleet: Fleet,
  given: {
    figures: Figures
    wishes: readonly Wish[]
    sold: readonly Sale[]
    stock: readonly number[]
    settledAfter: number
    began: number
    shops: readonly Shop[]
  },
) {
  const { figures, wishes, sold, stock, settledAfter, began, shops } = given
  const counts = stock.map((_, n) => sold.filter(({ article }) => article === n).length)
  const oversold = counts.reduce((sum, count, n) => sum + Math.max(0, count - (stock[n] ?? 0)), 0)
  const broken = await fleet.query(
    `select b.article_id from stock_balances b cross join lateral (
       select coalesce(sum(on_hand_by), 0) as hand, coalesce(sum(reserved_by), 0) as held from stock_movements m
       where m.article_id = b.article_id and m.place_id = b.place_id) m
     where b.on_hand <> m.hand or b.reserved <> m.held`,
  )
  const reserved = await reservedFor(fleet, sold, shops)
  const wrong = sold.length - reserved.filter(({ n }) => Number(n) === 1).length
  const isExact = broken.length === 0 && wrong === 0 && reserved.length === sold.length
  const [writes] = await fleet.query<{ n: string }>(
    `select count(*) as n from stock_tellings
     where accepted_at is not null and quantity is distinct from was and sent_at > to_timestamp($1::double precision / 1000)`,
    [began],
  )
  const lags = await fleet.query<{ told: string; shown: string | null }>(
    `select extract(epoch from min(t.accepted_at) - m.at) as told, extract(epoch from min(t.confirmed_at) - m.at) as shown
     from stock_movements m join stock_links l on l.article_id = m.article_id and l.integration_id <> m.integration_id
     join stock_tellings t on t.link_id = l.id and t.sent_at >= m.at and t.accepted_at is not null
     where m.kind = 'reservation' and m.at > to_timestamp($1::double precision / 1000) group by m.id, m.at, l.id`,
    [began],
  )
  const stored = new Map(reserved.map((one) => [`${one.integration_id} ${one.remote_id}`, Number(one.stored)]))
  const delays = new Map(
    sold.map((sale) => {
      const at = stored.get(`${shops[sale.shop]?.id} ${sale.remoteId}`) ?? 0
      return [`${sale.at} ${sale.shop}`, Math.max(0, at - sale.boughtAt / 1000)]
    }),
  )
  // Wishes that were none of our sales are told as late as the sales of that shop mostly were.
  const usual = shops.map((_, shop) => percentile(sold.filter((one) => one.shop === shop).map(delayOf), 0.5))
  function delayOf({ at, shop }: Wish): number {
    return delays.get(`${at} ${shop}`) ?? usual[shop] ?? 0
  }
  const bound = play(wishes, stock, shops.length, atOnce(shops.length, delayOf))
  const span = wishes.at(-1)?.at ?? 0
  // As many copies in this time as 15 minutes are of a day.
  const copied = play(wishes, stock, shops.length, copying(Math.max(1, span / 96)))
  const pushed = play(wishes, stock, shops.length, naivePush(shops.length, delayOf, 2))
  const say = ({ oversold: over, lost, writes: sent }: Played) => `${over} oversold, ${lost} lost, ${sent} writes`
  const spent = Number(writes?.n)
  const naive = sold.length * (shops.length - 1)
  const seconds = (values: readonly number[], share: number) => `${percentile(values, share).toFixed(2)} s`
  const both = (values: readonly number[]) => `${seconds(values, 0.5)} (p95 ${seconds(values, 0.95)})`
  const told = lags.map((one) => Number(one.told))
  const shown = lags.flatMap((one) => (one.shown === null ? [] : [Number(one.shown)]))
  const inTime =
    oversold <= Math.max(bound.oversold * 1.1, bound.oversold + 1) && spent <= naive / 2 && settledAfter <= 60
  return {
    measured: `${wishes.length} wishes, ${sold.length} sold, ${oversold} oversold (bound ${bound.oversold}); ledger ${isExact ? 'exact' : `off: ${broken.length} balances, ${wrong} orders`}; all shops right ${settledAfter.toFixed(1)} s after the last sale; an order was stored after ${both(sold.map(delayOf))}, other shops accepted the new level ${both(told)} after its booking and had shown it ${both(shown)} after; ${spent} writes against ${naive} of naive push. Played over the same wishes: copying 96 times: ${say(copied)}; naive push: ${say(pushed)}`,
    pass: isExact && (!figures.timed || inTime),
  }
}
