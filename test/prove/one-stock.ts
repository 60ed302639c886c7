import { migrate } from '../../src/runtime/db/migrate.ts'
import { createLog } from '../../src/runtime/log.ts'
import { freePort } from '../support/process.ts'
import { withFleet } from './support/fleet.ts'
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts'
import { type Lab, proof } from './support/proof.ts'
import { startServer } from './support/server-process.ts'
import { settingsFor } from './support/settings.ts'
import { judge } from './support/stock-judge.ts'
import { sell } from './support/stock-sales.ts'
import { settled } from './support/stock-settling.ts'
import { beginStock, limitScale, openShops, type StockFigures, thereOf } from './support/stock-world.ts'

/** Buyers who see each shop's own stock, one stock behind all of them. */
export const oneStock = proof<StockFigures>({
  name: 'one-stock',
  asked:
    '5 shops on 5 platforms, 1,000 articles, 50,000 wishes of buyers with bursts on scarce articles, the last nine pieces of each dealt out, rough weather, 20 kills of workers and 3 of PostgreSQL: the ledger exact, all shops equal to their rule, by their own records, within 60 s of calm, oversold ≤ 1.1× the lower bound and ≤ 1/20 of copying every 15 minutes, ≤ half of the write requests of naive push; in calm weather, with an order a second and the limits of real life, an order of any shop is confirmed in all others within 2 s (p50) and 6 s (p95)',
  full: {
    ...{ shops: 5, articles: 1000, calmWishes: 120, calmPerSecond: 1, wishes: 50_000, perSecond: 50 },
    dealBelow: 10,
    ...{ kills: 20, databaseKills: 3, rough: true, settleSeconds: 300, timed: true },
  },
  quick: {
    ...{ shops: 3, articles: 20, calmWishes: 20, calmPerSecond: 5, wishes: 150, perSecond: 10 },
    dealBelow: 10,
    ...{ kills: 1, databaseKills: 0, rough: false, settleSeconds: 120, timed: false },
  },
  async run(figures, lab) {
    const postgres = await startOwnPostgres()
    try {
      await postgres.create('proof')
      await migrate({ url: postgres.urlOf('proof'), log: createLog('warn') })
      return await prove(figures, lab, postgres)
    } finally {
      await postgres.remove()
    }
  },
})

async function prove(figures: StockFigures, lab: Lab, postgres: OwnPostgres) {
  const url = postgres.urlOf('proof')
  const port = await freePort()
  const own = { PUBLIC_URL: `http://127.0.0.1:${port}` }
  return await withFleet(
    url,
    async (fleet) => {
      // Messages of the shops arrive at the public address.
      const settings = settingsFor(url, { ENTREPOT_ROLE: 'api', EGRESS_ALLOW: '127.0.0.1', ...own })
      const door = await startServer(settings, { port })
      try {
        const workers = [await fleet.startWorker(), await fleet.startWorker()]
        const merchant = await fleet.makeMerchant()
        const shops = await openShops(fleet, merchant, figures, lab)
        const skus = await beginStock(fleet, merchant, { shops, figures, lab })
        const stock = await thereOf(fleet, skus)
        const sold = await sell(fleet, { shops, skus, figures, workers, postgres, lab })
        for (const { process } of shops) await process.post('/_weather', { preset: 'calm', limit_scale: limitScale })
        // What else was measured is said of a run that does not settle, too.
        const end = await settled(fleet, { shops, skus, sold: sold.sales, figures, lab })
        return await judge(fleet, { ...{ figures, shops, skus, stock, end, lab }, ...sold })
      } finally {
        door.signal('SIGKILL')
      }
    },
    own,
  )
}
