import { setTimeout as sleep } from 'node:timers/promises'
import { drawLots } from '../../support/chance.ts'
import type { Fleet, WorkerProcess } from './fleet.ts'
import type { OwnPostgres } from './own-postgres.ts'
import type { Lab } from './proof.ts'
import type { Wish } from './stock-rivals.ts'
import { mustSettle } from './stock-settling.ts'
import { isScarce, limitScale, type Sale, type StockFigures, type StockShop, setWeather } from './stock-world.ts'
import { until } from './until.ts'

/** The longest in which a platform counts requests. */
const windowMs = 30_000

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
