import { type Fleet, withFleet } from './support/fleet.ts'
import { proof } from './support/proof.ts'
import { finished, firstSync, startRun } from './support/runs.ts'

/** Reading what has not changed writes none of it. */
export const secondSync = proof({
  name: 'second-sync',
  asked: 'second sync of an unchanged shop of 20,000 orders, incremental and full: 0 rows written',
  full: { orders: 20_000, products: 500, seconds: 600 },
  quick: { orders: 200, products: 10, seconds: 300 },
  async run({ orders, products, seconds }, lab) {
    return await withFleet(await lab.database('migrated'), async (fleet) => {
      const [shop, merchant] = await Promise.all([
        fleet.startShop({ platform: 'shopify', orders, products }),
        fleet.makeMerchant(),
        fleet.startWorker(),
      ])
      const id = await merchant.install(shop)
      lab.progress('first sync')
      await firstSync(fleet, id, seconds)
      const before = await versions(fleet, id)
      lab.progress('second sync')
      for (const mode of ['incremental', 'full']) {
        for (const resource of ['sync_orders', 'sync_products', 'sync_inventory']) {
          await startRun(merchant, id, resource, { mode })
        }
      }
      await finished(fleet, id, seconds)
      const after = await versions(fleet, id)
      const written = [...after].filter(([row, version]) => before.get(row) !== version).map(([row]) => row)
      const gone = [...before.keys()].filter((row) => !after.has(row)).length
      return {
        measured: `${written.length} of ${after.size} rows written${written.length > 0 ? ` (${written.slice(0, 3).join(', ')})` : ''}, ${gone} gone`,
        pass: written.length === 0 && gone === 0 && after.size > orders,
      }
    })
  },
})

const keys = {
  orders: 'id',
  order_history: 'id',
  products: 'id',
  inventory: "sku || ' at ' || location",
  row_counters: "kind || ' ' || bucket",
}

/** The transaction that wrote each row last. */
async function versions(fleet: Fleet, integrationId: number): Promise<Map<string, string>> {
  const all = new Map<string, string>()
  for (const [table, key] of Object.entries(keys)) {
    const text = `select (${key})::text as key, xmin::text as version from ${table} where integration_id = $1`
    for (const { key, version } of await fleet.query<{ key: string; version: string }>(text, [integrationId])) {
      all.set(`${table} ${key}`, version)
    }
  }
  return all
}
