import { data, withFleet } from './support/fleet.ts'
import { proof } from './support/proof.ts'
import { compare, finished, firstSync, startRun } from './support/runs.ts'

/** What nobody reported is found by comparing, brought in order, and counted. */
export const healing = proof({
  name: 'healing',
  asked:
    '5 % of 20,000 orders changed or new without a message: found and healed by a reconciliation, shown in `completeness`',
  full: { orders: 20_000, seconds: 600 },
  quick: { orders: 200, seconds: 300 },
  async run({ orders, seconds }, lab) {
    return await withFleet(await lab.database('migrated'), async (fleet) => {
      const [shop, merchant] = await Promise.all([
        fleet.startShop({ platform: 'woocommerce', orders }),
        fleet.makeMerchant(),
        fleet.startWorker(),
      ])
      const id = await merchant.install(shop)
      lab.progress('first sync')
      await firstSync(fleet, id, seconds)
      // What the clock asks by itself would find some of it first.
      data(await merchant.call('PUT', `/integrations/${id}`, { read_every_minutes: 0 }))
      const few = Math.ceil(orders * 0.025)
      await shop.post('/_shop/change', { orders: few, new_orders: few })
      const before = await compare(fleet, shop, id)
      lab.progress('reconciliation')
      await startRun(merchant, id, 'reconcile', { resources: ['orders'] })
      await finished(fleet, id, seconds)
      const after = await compare(fleet, shop, id)
      const integration = data(await merchant.call('GET', `/integrations/${id}`))
      const shown = integration['completeness'] as { missing: number; stale: number; healed: number } | null
      return {
        measured: `before: ${before.text}; after: ${after.text}; shown: ${shown?.missing} missing, ${shown?.stale} stale, ${shown?.healed} healed`,
        pass:
          before.lost === few &&
          after.same &&
          shown?.missing === few &&
          shown.stale === few &&
          shown.healed === shown.missing + shown.stale,
      }
    })
  },
})
