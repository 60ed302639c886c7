import { sql } from 'kysely'
import { countInto } from '../../src/domain/descriptions/compare-orders.ts'
import { countDifferences } from '../../src/domain/descriptions/differences.ts'
import { readIntegration } from '../../src/domain/integrations/integration-store.ts'
import { connectorOf } from '../../src/domain/shop/shop-remote.ts'
import { startSimulator } from '../../src/simulator/start.ts'
import { data, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { linked } from '../support/described-services.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { proof } from './support/proof.ts'
import { until } from './support/until.ts'

/** A description that reads taxes otherwise: which of the stored orders would change is known before it counts. */
export const releaseCompared = proof({
  name: 'release-compared',
  asked:
    'a release that changes tax handling, over 10,000 stored raw orders: every order that changes is found, 0 others, the answer of the API within 10 s',
  full: { orders: 10_000, seconds: 10 },
  // How long it takes is no matter of a test.
  quick: { orders: 150, seconds: Number.POSITIVE_INFINITY },
  async run({ orders, seconds }, lab) {
    const server = await startTestServer({
      ...{ databaseUrl: await lab.database('migrated'), works: true, egressAllow: ['127.0.0.1'] },
    })
    const shop = await startSimulator({ platform: 'custom', variant: { manner: 'links' }, orders, products: 1 })
    try {
      const merchant = await makeMerchant(server)
      lab.progress('copying the shop')
      const id = await copied(merchant, `${shop.baseUrl}/rest`, shop.credentials)
      lab.progress('comparing')
      const wanted = await sentOrders(server, id)
      const found = await changedOrders(server, id)
      const [missed, wrong] = [
        [...wanted].filter((one) => !found.has(one)),
        [...found].filter((one) => !wanted.has(one)),
      ]
      const begun = performance.now()
      const report = data(await merchant.asUser('POST', '/services/compare', { integration_id: id, definition: next }))
      const took = (performance.now() - begun) / 1000
      const { compared, changed, failed } = report
      return {
        measured: `${compared} orders compared, ${changed} of them change, ${failed} not understood; ${missed.length} missed, ${wrong.length} wrongly named; answered in ${took.toFixed(1)} s`,
        pass:
          [missed.length, wrong.length, failed, compared, changed].join() === [0, 0, 0, orders, wanted.size].join() &&
          wanted.size > 0 &&
          wanted.size < orders &&
          took <= seconds,
      }
    } finally {
      await server.close()
      await shop.close()
    }
  },
})

/** What was sent is taxed, and nothing else; until now nothing was. */
const next = {
  ...linked,
  orders: {
    ...linked.orders,
    fields: { ...linked.orders?.fields, tax_total: { select: 'state == `2` && `100` || `0`' } },
  },
}

async function copied(merchant: Merchant, address: string, credentials: object): Promise<number> {
  const body = {
    type: 'released',
    name: 'Released',
    definition: { ...linked, budget: { capacity: 1000, per_second: 100 } },
  }
  const service = data(await merchant.asUser('POST', '/api/1.0/services', body))
  await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: service['id'] })
  const { id } = data(
    await merchant.asApp('POST', '/released/install', {
      ...{ name: 'Released', shop: 'released.example', remote_id: merchant.remoteId, credentials },
      settings: { base_url: address },
    }),
  )
  const isOver = async () => {
    const runs = rows(await merchant.asApp('GET', `/integrations/${id}/runs`))
    return runs.length === 3 && runs.every(({ finished_at: ended }) => ended !== null)
  }
  await until('the shop is copied', isOver, { seconds: 900, everyMs: 200 })
  return Number(id)
}

/** By the shop's own word, which the tax is to depend on. */
async function sentOrders({ context }: TestServer, id: number): Promise<Set<string>> {
  const { rows: sent } = await sql<{ remote_id: string }>`
    select remote_id from orders where integration_id = ${id} and remote_status = '2'`.execute(context.db)
  return new Set(sent.map((order) => order.remote_id))
}

/** Each order that the comparison calls changed: reports name five. */
async function changedOrders({ context }: TestServer, id: number): Promise<Set<string>> {
  const integration = await readIntegration(context.db, id)
  const present = connectorOf(context, integration)
  const changed = context.connectors.define?.(integration.type, next)
  const found = new Set<string>()
  const whole = countDifferences()
  const counting = {
    ...whole,
    add(remoteId: string, before: unknown, after: unknown) {
      const alone = countDifferences()
      alone.add(remoteId, before, after)
      if (alone.result().changed > 0) found.add(remoteId)
    },
  }
  if (changed) await countInto(counting, context, integration, { next: changed, present, max: Number.MAX_SAFE_INTEGER })
  return found
}
