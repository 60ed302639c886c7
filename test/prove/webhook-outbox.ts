import pg from 'pg'
import type { Context } from '../../src/domain/context.ts'
import { insertOrder } from '../../src/domain/orders/order-store.ts'
import { createSubscription } from '../../src/domain/webhooks/create-subscription.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeApp } from '../support/identity.ts'
import { orderInput } from '../support/orders.ts'
import { withContext } from './support/identities.ts'
import { proof } from './support/proof.ts'
import { settingsFor } from './support/settings.ts'

const takenBack = new Error('taken back')

/** An event is there if what it tells of is there, and only then. */
export const webhookOutbox = proof({
  name: 'webhook-outbox',
  asked:
    '10,000 transactions, half of them rolled back, while 100 connections are cut: as many events as orders, each of one order that is there',
  full: { transactions: 10_000, cuts: 100, integrations: 20 },
  quick: { transactions: 300, cuts: 5, integrations: 4 },
  async run({ transactions, cuts, integrations }, lab) {
    const url = await lab.database('migrated')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return await withContext(settingsFor(url, { WEBHOOK_ALLOW: '127.0.0.1' }), async (context) => {
        const appId = await makeApp(context)
        const owner = { appId, integrationId: null }
        await createSubscription(context, owner, { url: 'http://127.0.0.1:9/', events: ['order.created'] })
        const ids = await Promise.all(
          Array.from({ length: integrations }, async () => (await makeIntegration(context, { appId })).integration.id),
        )
        const tally = { committed: 0, rolledBack: 0, cut: 0 }
        let begun = 0
        const everyCut = Math.floor(transactions / (cuts + 1))
        const work = async () => {
          for (let n = begun++; n < transactions; n = begun++) {
            if (n > 0 && n % everyCut === 0) await cutOne(client)
            await transact(context, ids[n % ids.length] ?? 0, n, tally)
            if (n % 500 === 0) lab.progress('transactions', n, transactions)
          }
        }
        await Promise.all(Array.from({ length: 8 }, work))
        const { rows } = await client.query<{ orders: number; events: number; both: number }>(`
          select (select count(*)::int from orders) as orders, (select count(*)::int from webhook_events) as events,
            (select count(distinct o.id)::int from orders o
              join webhook_events e on e.subject = 'order:' || o.integration_id || ':' || o.id) as both`)
        const { orders = 0, events = 0, both = 0 } = rows[0] ?? {}
        return {
          measured: `${tally.committed} committed, ${tally.rolledBack} rolled back, ${tally.cut} cut; ${orders} orders, ${events} events, ${both} of them together`,
          pass:
            orders === events && orders === both && orders >= tally.committed && tally.rolledBack > transactions / 3,
        }
      })
    } finally {
      await client.end()
    }
  },
})

async function transact(
  context: Context,
  integrationId: number,
  n: number,
  tally: { committed: number; rolledBack: number; cut: number },
): Promise<void> {
  try {
    const [id = 0] = await takeIds(context.db, 'orders', 1)
    await context.transaction(async (trx) => {
      await insertOrder(trx, integrationId, { ...orderInput(), id, remote_id: `r${n}`, sandbox: false })
      if (n % 2 === 1) throw takenBack
    })
    tally.committed++
  } catch (error) {
    if (error === takenBack) tally.rolledBack++
    // Whether it was committed before the line was cut only the database knows.
    else tally.cut++
  }
}

/** Ends the connection of somebody who is at work. */
const cutOne = (client: pg.Client) =>
  client.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'entrepot%'
      and application_name not like '%listener%' and state <> 'idle' limit 1`)
