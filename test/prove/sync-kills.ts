import { setTimeout as sleep } from 'node:timers/promises'
import { withFleet } from './support/fleet.ts'
import { proof } from './support/proof.ts'
import { changing, roughWeather, settle, takenUp, underWay } from './support/rough-sync.ts'

const allowedSeconds = 60

/** Whoever dies in the middle of a sync leaves nothing half done; the next one goes on from there. */
export const syncKills = proof({
  name: 'sync-kills',
  asked:
    'workers killed 50 times during a sync of 20,000 orders in rough weather while 2,000 change: 0 lost, 0 duplicate, content equal to the shop; each killed run goes on ≤ 60 s later',
  full: { orders: 20_000, changes: 2000, kills: 50, withinMs: 3000, changeSeconds: 300, settleSeconds: 1200 },
  quick: { orders: 300, changes: 30, kills: 1, withinMs: 500, changeSeconds: 2, settleSeconds: 90 },
  async run({ orders, changes, kills, withinMs, changeSeconds, settleSeconds }, lab) {
    return await withFleet(await lab.database('migrated'), async (fleet) => {
      const [shop, merchant, first] = await Promise.all([
        fleet.startShop({ dialect: 'woo', orders }),
        fleet.makeMerchant(),
        fleet.startWorker(),
      ])
      await shop.post('/_weather', roughWeather)
      const copying = { fleet, merchant, shop, id: await merchant.install(shop) }
      const change = changing(shop, changes, changeSeconds)
      const waits: number[] = []
      let worker = first
      while (waits.length < kills) {
        const run = await underWay(copying)
        await sleep(Math.random() * withinMs)
        const since = performance.now()
        await worker.kill()
        worker = await fleet.startWorker()
        const wait = await takenUp(copying, run, since)
        if (wait !== null) waits.push(wait)
        lab.progress('kills', waits.length, kills)
      }
      await change.stop()
      lab.progress('calm again')
      const copy = await settle(copying, settleSeconds)
      const slowest = Math.max(...waits) / 1000
      return {
        measured: `${kills} kills; ${copy.text}; killed runs went on after ${slowest.toFixed(1)} s at the latest`,
        pass: copy.same && slowest <= allowedSeconds,
      }
    })
  },
})
