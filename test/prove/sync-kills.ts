import { setTimeout as sleep } from 'node:timers/promises'
import { drawLots } from '../support/chance.ts'
import { type WorkerProcess, withFleet } from './support/fleet.ts'
import { proof } from './support/proof.ts'
import { type Copying, changing, gettingOn, roughWeather, settle, takenUp } from './support/rough-sync.ts'

const allowedSeconds = 60

/** Whoever dies in the middle of a sync leaves nothing half done; the next one goes on from there. */
export const syncKills = proof({
  name: 'sync-kills',
  asked:
    'workers killed 50 times during syncs of 20,000 orders each from WooCommerce, Shopify, Walmart and Amazon in rough weather while 2,000 change in each: 0 lost, 0 duplicate, content equal to the shop; each killed run goes on ≤ 60 s later',
  full: {
    ...{
      platforms: ['woocommerce', 'shopify', 'walmart', 'amazon'],
      workers: 4,
      orders: 20_000,
      changes: 2000,
      changeSeconds: 180,
    },
    ...{ kills: 50, withinMs: 3000, settleSeconds: 1200 },
  },
  quick: {
    ...{ platforms: ['woocommerce'], workers: 1, orders: 300, changes: 30, changeSeconds: 2 },
    ...{ kills: 1, withinMs: 500, settleSeconds: 90 },
  },
  async run({ platforms, workers: count, orders, changes, changeSeconds, kills, withinMs, settleSeconds }, lab) {
    return await withFleet(await lab.database('migrated'), async (fleet) => {
      const merchant = await fleet.makeMerchant()
      const workers: WorkerProcess[] = []
      while (workers.length < count) workers.push(await fleet.startWorker())
      const all: Copying[] = []
      for (const platform of platforms) {
        const shop = await fleet.startShop({ platform, orders })
        const id = await (platform === 'shopify' ? merchant.installByBrowser(shop) : merchant.install(shop))
        all.push({ fleet, merchant, shop, id })
        await shop.post('/_weather', roughWeather)
      }
      const change = all.map(({ shop }) => changing(shop, changes, changeSeconds))
      const lots = drawLots('sync-kills')
      const waits: Promise<number | null>[] = []
      for (let kill = 1; kill <= kills; kill++) {
        const runs = await Promise.all(all.map(async (copying) => ({ copying, run: await gettingOn(copying) })))
        await sleep(lots.below(withinMs))
        const victim = workers.shift()
        const since = performance.now()
        await victim?.kill()
        // Whose run it was is not asked: every run that is being worked on has a new claim soon, be it after its turn or
        // after a death. That is not waited for here, so that others die while the first are still being taken up.
        waits.push(
          ...runs.map(({ copying, run }) => takenUp(copying, run, since).catch(() => Number.POSITIVE_INFINITY)),
        )
        workers.push(await fleet.startWorker())
        lab.progress('kills', kill, kills)
      }
      await Promise.all(change.map((one) => one.stop()))
      const taken = (await Promise.all(waits)).filter((wait) => wait !== null)
      lab.progress('calm again')
      const settled = await Promise.all(all.map((copying) => settle(copying, settleSeconds)))
      const unequal = settled.filter(({ same }) => !same)
      const slowest = Math.max(...taken) / 1000
      return {
        measured: `${kills} kills; ${all.map(({ shop }, at) => `${shop.platform}: ${settled[at]?.text}`).join('; ')}; ${taken.length} runs went on, after ${slowest.toFixed(1)} s at the latest`,
        pass: unequal.length === 0 && taken.length > 0 && slowest <= allowedSeconds,
      }
    })
  },
})
