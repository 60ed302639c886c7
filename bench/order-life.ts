import { setTimeout as sleep } from 'node:timers/promises'
import { rotateGatewayKey } from '../src/domain/integrations/rotate-gateway-key.ts'
import { createSubscription } from '../src/domain/webhooks/create-subscription.ts'
import { updateWebhook } from '../src/domain/webhooks/update-webhook.ts'
import { type Fleet, withFleet } from '../test/prove/support/fleet.ts'
import { withContext } from '../test/prove/support/identities.ts'
import { settingsFor } from '../test/prove/support/settings.ts'
import { until } from '../test/prove/support/until.ts'
import { listenHttp } from '../test/support/loopback.ts'
import { between, type Cost, openMeters, type Reading } from './support/cost.ts'
import { openTellingShop, postAll } from './support/telling-shops.ts'

export const stages = ['taken in', 'stored', 'acknowledged', 'shipped', 'told by webhook'] as const
export type Stage = (typeof stages)[number]

/** Of each stage the cost of one order, by round. */
export type LifeCosts = Record<Stage, Cost[]>

const atOnce = 8
/** The shop is asked for each, and no more than five things a second. */
const shippedAtMost = 30
const restMs = 5000
/** So long PostgreSQL may keep to itself how many pages it has touched. */
const countingMs = 11_000

/** Orders go through their life together, from stage to stage, so that each stage can be weighed. */
export async function measureOrderLife(options: {
  databaseUrl: string
  orders: number
  rounds: number
  progress: (text: string) => void
}): Promise<LifeCosts> {
  const { databaseUrl, orders, rounds, progress } = options
  const endpoint = await listenHttp((request, response) => {
    request.resume().on('end', () => response.end())
  })
  try {
    return await withFleet(databaseUrl, (fleet) =>
      withContext(settingsFor(databaseUrl, { WEBHOOK_ALLOW: '127.0.0.1' }), async (context) => {
        const worker = await fleet.startWorker()
        const simulator = await fleet.startShop({ platform: 'woocommerce', orders: 5, products: 10 })
        const shop = await openTellingShop(fleet, context, simulator)
        const { merchant, integrationId } = shop
        const owner = { appId: merchant.appId, integrationId: null }
        const url = `http://127.0.0.1:${endpoint.port}/hook`
        const { subscription } = await createSubscription(context, owner, { url, events: ['*'] })
        const gatewayKey = await rotateGatewayKey(context, merchant, integrationId)
        const meters = await openMeters({ api: fleet.api.pid, worker: worker.pid }, fleet.query)

        const call = async (path: string, body: object) => {
          const headers = { 'x-gateway-key': gatewayKey }
          const answer = await fleet.http.call(`${fleet.api.url}/api/1.0${path}`, {
            ...{ method: 'POST', token: merchant.userToken, headers, body },
          })
          if (answer.status >= 300)
            throw new Error(`${path} was answered with ${answer.status}: ${JSON.stringify(answer.json)}`)
        }
        const withEach = async (ids: readonly number[], many: number, work: (id: number) => Promise<void>) => {
          const left = [...ids]
          const one = async () => {
            for (let id = left.pop(); id !== undefined; id = left.pop()) await work(id)
          }
          await Promise.all(Array.from({ length: many }, one))
        }
        /** What happens is written down for the webhook and told later, all at once. */
        const mute = () =>
          fleet.query(`update webhook_subscriptions set disabled_at = now(), disabled_reason = 'gone' where id = $1`, [
            subscription.id,
          ])

        const costs: LifeCosts = {
          'taken in': [],
          stored: [],
          acknowledged: [],
          shipped: [],
          'told by webhook': [],
        }
        let rest: Cost | undefined
        // The first round warms everything up; what is spent at rest is looked at after it.
        for (let round = 0; round <= rounds; round++) {
          await mute()
          const messages = await shop.place(orders)
          const last = await lastOrder(fleet, integrationId)
          let ids: number[] = []
          const work: Record<Stage, () => Promise<unknown>> = {
            'taken in': async () => {
              worker.signal('SIGSTOP')
              await postAll(messages, atOnce)
            },
            stored: async () => {
              worker.signal('SIGCONT')
              ids = await until('all are stored', async () => {
                const found = await ordersAfter(fleet, integrationId, last)
                return found.length === orders && found
              })
            },
            acknowledged: () => withEach(ids, atOnce, (id) => call('/orders/acknowledge', { orders: [id] })),
            shipped: () =>
              withEach(ids.slice(0, shippedAtMost), 1, (id) =>
                call('/shipments', { order_id: id, tracking_number: `T-${id}`, carrier: 'DHL', force: true }),
              ),
            'told by webhook': async () => {
              await updateWebhook(context, subscription, { active: true })
              await until('all is told', async () => (await untold(fleet, subscription.id)) === 0)
            },
          }
          for (const stage of stages) {
            const before = await meters()
            await work[stage]()
            const after = await meters()
            // Pages are counted late; the time until then is nobody's. The last round pays for it.
            const pages = round === rounds ? await later(async () => (await meters()).pages) : Number.NaN
            const records = stage === 'shipped' ? Math.min(orders, shippedAtMost) : orders
            if (round > 0) costs[stage].push(between(before, { ...after, pages }, { records, ...(rest && { rest }) }))
          }
          rest ??= await costAtRest(meters)
          progress(`  round ${round} of ${rounds}`)
        }
        return costs
      }),
    )
  } finally {
    await endpoint.close()
  }
}

/** For a millisecond; the pages and the log of it are not worth speaking of. */
async function costAtRest(meters: () => Promise<Reading>): Promise<Cost> {
  const before = await meters()
  await sleep(restMs)
  const after = await meters()
  return { ...between(before, after, { records: after.at - before.at }), pages: 0, wal: 0 }
}

async function later<T>(read: () => Promise<T>): Promise<T> {
  await sleep(countingMs)
  return await read()
}

async function lastOrder(fleet: Fleet, integrationId: number): Promise<number> {
  const [row] = await fleet.query<{ id: string | null }>('select max(id) as id from orders where integration_id = $1', [
    integrationId,
  ])
  return Number(row?.id ?? 0)
}

async function ordersAfter(fleet: Fleet, integrationId: number, last: number): Promise<number[]> {
  const rows = await fleet.query<{ id: string }>('select id from orders where integration_id = $1 and id > $2', [
    integrationId,
    last,
  ])
  return rows.map(({ id }) => Number(id))
}

async function untold(fleet: Fleet, webhookId: number): Promise<number> {
  const [row] = await fleet.query<{ n: string }>(
    `select count(*) as n from webhook_deliveries where webhook_id = $1 and state in ('pending', 'held')`,
    [webhookId],
  )
  return Number(row?.n ?? 0)
}
