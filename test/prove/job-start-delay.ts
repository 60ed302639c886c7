import { withFleet } from './support/fleet.ts'
import { proof } from './support/proof.ts'
import { finished, firstSync, startRun } from './support/runs.ts'
import { percentile, until } from './support/until.ts'

/** Work that is asked for begins at once. */
export const jobStartDelay = proof({
  name: 'job-start-delay',
  asked: 'from the API call to the start of its work, 200 times on an idle machine: p95 ≤ 100 ms',
  full: { times: 200, allowedMs: 100 },
  // Beside other tests the machine is anything but idle.
  quick: { times: 10, allowedMs: 5000 },
  async run({ times, allowedMs }, lab) {
    return await withFleet(await lab.database('migrated'), async (fleet) => {
      const [shop, merchant] = await Promise.all([
        fleet.startShop({ platform: 'woocommerce', orders: 1, products: 1 }),
        fleet.makeMerchant(),
        fleet.startWorker(),
      ])
      const id = await merchant.install(shop)
      await firstSync(fleet, id, 60)
      const delays: number[] = []
      while (delays.length < times) {
        const calledAt = Date.now()
        const run = await startRun(merchant, id, 'sync_orders')
        const started = await until('the run starts', async () => {
          const text =
            'select extract(epoch from started_at) * 1000 as at from runs where id = $1 and finished_at is not null'
          return (await fleet.query<{ at: string }>(text, [run]))[0]?.at
        })
        delays.push(Number(started) - calledAt)
        lab.progress('calls', delays.length, times)
      }
      await finished(fleet, id, 60)
      const [p50, p95] = [percentile(delays, 0.5), percentile(delays, 0.95)]
      return {
        measured: `p50 ${Math.round(p50)} ms, p95 ${Math.round(p95)} ms of ${times} calls`,
        pass: p95 <= allowedMs,
      }
    })
  },
})
