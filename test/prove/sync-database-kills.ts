import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../../src/runtime/db/migrate.ts'
import { createLog } from '../../src/runtime/log.ts'
import { drawLots } from '../support/chance.ts'
import { withFleet } from './support/fleet.ts'
import { keepWriting } from './support/keep-writing.ts'
import { startOwnPostgres } from './support/own-postgres.ts'
import { proof } from './support/proof.ts'
import { changing, roughWeather, settle, underWay } from './support/rough-sync.ts'
import { runsOf } from './support/runs.ts'
import { until } from './support/until.ts'

/** A database that dies takes nothing with it that anybody had confirmed. */
export const syncDatabaseKills = proof({
  name: 'sync-database-kills',
  asked:
    'PostgreSQL killed 10 times during a sync of 20,000 orders in rough weather while 2,000 change and the API is written to: 0 lost, 0 duplicate, content equal to the shop, 0 acknowledged writes lost',
  full: { orders: 20_000, changes: 2000, kills: 10, changeSeconds: 120, settleSeconds: 1200 },
  quick: { orders: 300, changes: 30, kills: 1, changeSeconds: 2, settleSeconds: 300 },
  async run({ orders, changes, kills, changeSeconds, settleSeconds }, lab) {
    const postgres = await startOwnPostgres()
    try {
      await postgres.create('proof')
      await migrate({ url: postgres.urlOf('proof'), log: createLog('warn') })
      return await withFleet(postgres.urlOf('proof'), async (fleet) => {
        const [shop, merchant] = await Promise.all([
          fleet.startShop({ platform: 'shopify', orders }),
          fleet.makeMerchant(),
          fleet.startWorker(),
        ])
        const copying = { fleet, merchant, shop, id: await merchant.installByBrowser(shop) }
        await shop.post('/_weather', roughWeather)
        const change = changing(shop, changes, changeSeconds)
        const writes = keepWriting(merchant)
        const lots = drawLots('sync-database-kills')
        for (let kill = 1; kill <= kills; kill++) {
          await underWay(copying)
          await sleep(lots.below(1000))
          await postgres.stop('kill')
          await sleep(500)
          await postgres.start()
          await until('the database answers again', () => runsOf(fleet, copying.id).catch(() => null))
          lab.progress('kills', kill, kills)
        }
        await change.stop()
        await until('a write succeeds again', async () => performance.now() - writes.lastAt() < 500, {
          seconds: 60,
        })
        const acknowledged = await writes.stop()
        lab.progress('calm again')
        const copy = await settle(copying, settleSeconds)
        const kept = await fleet.query<{ remote_id: string }>(
          'select remote_id from accounts where remote_id = any($1)',
          [acknowledged],
        )
        const lost = acknowledged.length - kept.length
        const alive = fleet.api.exitCode() === null
        return {
          measured: `${kills} kills; ${copy.text}; ${lost} of ${acknowledged.length} acknowledged writes lost${alive ? '' : '; the server ended'}`,
          pass: copy.same && lost === 0 && acknowledged.length > 0 && alive,
        }
      })
    } finally {
      await postgres.remove()
    }
  },
})
