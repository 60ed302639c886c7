import { setTimeout as sleep } from 'node:timers/promises'
import { type Fleet, type Merchant, withFleet } from './support/fleet.ts'
import { proof } from './support/proof.ts'
import { firstSync, startRun } from './support/runs.ts'
import { percentile, until } from './support/until.ts'

const allowedSeconds = 5

/** Whoever queues much waits for himself, and nobody else does. */
export const fairness = proof({
  name: 'fairness',
  asked: 'one tenant queues 10,000 jobs on 20 integrations: the start delay of 100 jobs of 10 others is ≤ 5 s at p95',
  full: { jobs: 10_000, own: 20, others: 10, rounds: 10 },
  quick: { jobs: 60, own: 5, others: 2, rounds: 1 },
  async run({ jobs, own, others, rounds }, lab) {
    return await withFleet(await lab.database('migrated'), async (fleet) => {
      const [shop, greedy] = await Promise.all([
        fleet.startShop({ platform: 'woocommerce', orders: 1, products: 1 }),
        fleet.makeMerchant(),
        fleet.startWorker(),
      ])
      const many: number[] = []
      while (many.length < own) many.push(await greedy.install(shop))
      const rest: { merchant: Merchant; id: number }[] = []
      while (rest.length < others) {
        const merchant = await fleet.makeMerchant()
        rest.push({ merchant, id: await merchant.install(shop) })
      }
      for (const id of [...many, ...rest.map((other) => other.id)]) await firstSync(fleet, id, 120)
      // Each takes half a second, so that the queue does not empty while it is being filled.
      await shop.post('/_weather', { slow_body: 1, slow_ms: 500 })
      for (let queued = 0; queued < jobs; ) {
        const batch = Array.from({ length: Math.min(40, jobs - queued) }, (_, n) => many[(queued + n) % own] ?? 0)
        await Promise.all(batch.map((id) => startRun(greedy, id, 'sync_orders')))
        queued += batch.length
        lab.progress('queued', queued, jobs)
      }
      const waitedBefore = await waiting(fleet, many)
      const delays: number[] = []
      for (let round = 1; round <= rounds; round++) {
        const runs = await Promise.all(rest.map(({ merchant, id }) => startRun(merchant, id, 'sync_orders')))
        const started = await Promise.all(runs.map((run) => startDelay(fleet, run)))
        delays.push(...started)
        lab.progress('rounds', round, rounds)
        await sleep(200)
      }
      const waitedAfter = await waiting(fleet, many)
      const p95 = percentile(delays, 0.95)
      return {
        measured: `p95 ${p95.toFixed(2)} s, longest ${Math.max(...delays).toFixed(2)} s of ${delays.length}, while ${waitedBefore} to ${waitedAfter} of the one tenant waited`,
        pass: p95 <= allowedSeconds && waitedAfter > 0,
      }
    })
  },
})

async function waiting(fleet: Fleet, ids: readonly number[]): Promise<number> {
  const text = `select count(*)::int as n from runs where integration_id = any($1) and status = 'queued'`
  return (await fleet.query<{ n: number }>(text, [ids]))[0]?.n ?? 0
}

const startDelay = (fleet: Fleet, run: number): Promise<number> =>
  until(
    'a run of another tenant starts',
    async () => {
      const text = 'select extract(epoch from started_at - created_at)::float8 as s from runs where id = $1'
      return (await fleet.query<{ s: number | null }>(text, [run]))[0]?.s
    },
    { seconds: 120, everyMs: 100 },
  )
