import { setTimeout as sleep } from 'node:timers/promises'
import { drawLots } from '../support/chance.ts'
import { openDarkProxy } from '../support/dark-proxy.ts'
import { withFleet } from './support/fleet.ts'
import { keepWriting } from './support/keep-writing.ts'
import { proof } from './support/proof.ts'
import { type Copying, settle, underWay } from './support/rough-sync.ts'
import { runsOf } from './support/runs.ts'
import { until } from './support/until.ts'

/** Pages slow enough that there is something to be interrupted. */
const slowPages = { slow_body: 1, slow_ms: 200 }

/** A network that loses connections without a word: whoever waits on one finds out, and nothing hangs. */
export const halfOpen = proof({
  name: 'half-open',
  asked:
    'all connections to PostgreSQL or to the shop cut 40 times without a word to either side, during a sync of 20,000 orders: the API writes again ≤ 30 s later, the sync goes on ≤ 60 s later, 0 lost, 0 acknowledged writes lost',
  full: { orders: 20_000, cuts: 40, settleSeconds: 1200 },
  quick: { orders: 2000, cuts: 1, settleSeconds: 120 },
  async run({ orders, cuts, settleSeconds }, lab) {
    const databaseUrl = await lab.database('migrated')
    const toDatabase = await openDarkProxy(databaseUrl)
    const settings = { DATABASE_URL: toDatabase.through(databaseUrl) }
    const measure = async () =>
      await withFleet(
        databaseUrl,
        async (fleet) => {
          const [shop, merchant] = await Promise.all([
            fleet.startShop({ platform: 'woocommerce', orders }),
            fleet.makeMerchant(),
            fleet.startWorker(),
          ])
          const toShop = await openDarkProxy(shop.baseUrl)
          try {
            await shop.post('/_weather', slowPages)
            const settings = { ...shop.install.settings, base_url: toShop.through(shop.baseUrl).replace(/\/$/, '') }
            const id = await merchant.install({ ...shop, install: { ...shop.install, settings } })
            const copying = { fleet, merchant, shop, id }
            const writes = keepWriting(merchant)
            const lots = drawLots('half-open')
            const writesAgain: number[] = []
            const goesOn: number[] = []
            for (let cut = 1; cut <= cuts; cut++) {
              const before = await underWay(copying)
              await sleep(lots.below(1000))
              const proxy = cut % 4 === 0 ? toShop : toDatabase
              await until('there is something to cut', async () => proxy.darken() > 0)
              const since = performance.now()
              await Promise.all([
                until('a write succeeds again', async () => writes.lastAt() > since + 50, { seconds: 120 }).then(() =>
                  writesAgain.push(performance.now() - since),
                ),
                getsOn(copying, before.id).then(() => goesOn.push(performance.now() - since)),
              ])
              lab.progress('cuts', cut, cuts)
            }
            const acknowledged = await writes.stop()
            lab.progress('calm again')
            const copy = await settle(copying, settleSeconds)
            const text = 'select remote_id from accounts where remote_id = any($1)'
            const kept = await fleet.query(text, [acknowledged])
            const lost = acknowledged.length - kept.length
            const [write, run] = [writesAgain, goesOn].map((times) => Math.max(...times) / 1000) as [number, number]
            return {
              measured: `${cuts} cuts; writes again after ${write.toFixed(1)} s and runs after ${run.toFixed(1)} s at the latest; ${copy.text}; ${lost} of ${acknowledged.length} acknowledged writes lost`,
              pass: write <= 30 && run <= 60 && copy.same && lost === 0 && acknowledged.length > 0,
            }
          } finally {
            await toShop.close()
          }
        },
        settings,
      )
    try {
      return await measure()
    } finally {
      await toDatabase.close()
    }
  },
})

/** Until more of it is done, or all. */
async function getsOn({ fleet, id }: Copying, runId: number): Promise<void> {
  const find = async () => (await runsOf(fleet, id)).find((run) => run.id === runId)
  const done = (await find())?.done ?? 0
  await until(
    `run ${runId} gets on`,
    async () => {
      const run = await find()
      return run && (run.done > done || run.status === 'completed')
    },
    { seconds: 300 },
  )
}
