import { setTimeout as sleep } from 'node:timers/promises'
import { leftPrepared, liesThere, missingCluster, openCluster } from './support/citus-cluster.ts'
import { data, type Fleet, type Merchant, withFleet } from './support/fleet.ts'
import { openHookEndpoint } from './support/hook-endpoint.ts'
import { proof } from './support/proof.ts'
import { compare, finished, startRun } from './support/runs.ts'
import type { ShopProcess } from './support/shop-process.ts'
import { until } from './support/until.ts'

/** On Citus, one node that is away stops its own integrations, and those only; nothing is lost, and no commit is half of one. */
export const citusNodeAway = proof({
  name: 'citus-node-away',
  asked:
    'Citus, a coordinator and two nodes, one of them killed 3 times during syncs of 2,000 orders: 0 lost, 0 duplicate, an event for each order and none without, no transaction left prepared, no dead letter; schedules of the other node on time (every minute, none later than 20 s), its lists answer, those of the one away say 503',
  missing: missingCluster,
  full: { orders: 2000, each: 1, kills: 3, awaySeconds: 75, settleSeconds: 900 },
  quick: { orders: 100, each: 1, kills: 1, awaySeconds: 5, settleSeconds: 120 },
  async run({ orders, each, kills, awaySeconds, settleSeconds }, lab) {
    const cluster = await openCluster()
    const hook = await openHookEndpoint()
    try {
      return await withFleet(
        cluster.url,
        async (fleet) => {
          const [shop, merchant] = await Promise.all([
            fleet.startShop({ platform: 'woocommerce', orders }),
            fleet.makeMerchant(),
            fleet.startWorker(),
          ])
          const asUser = async (path: string, body: object) =>
            data(
              await fleet.http.call(`${fleet.api.url}/api/${path}`, {
                method: 'POST',
                token: merchant.userToken,
                body,
              }),
            )
          await asUser(`2.0/user/apps/${merchant.appId}/webhooks`, { url: hook.url, events: ['order.created'] })
          const { here, there } = await installOnBoth({ fleet, merchant, shop, node: cluster.node, each })
          for (const id of here) {
            await asUser('1.0/schedules', { integration_id: id, resource: 'sync_products', cron: '* * * * *' })
          }
          let refused = 0
          let unclear = 0
          for (let kill = 1; kill <= kills; kill++) {
            for (const id of [...here, ...there]) {
              await startRun(merchant, id, 'sync_orders', { mode: 'full' }).catch(() => undefined)
            }
            await sleep(1000)
            await cluster.kill()
            const back = performance.now() + awaySeconds * 1000
            while (performance.now() < back) {
              for (const id of here) if ((await listOf(merchant, id)) !== 200) refused++
              for (const id of there) if ((await listOf(merchant, id)) !== 503) unclear++
              await sleep(500)
            }
            await cluster.start()
            await until('the node answers again', () => countOrders(fleet, there[0] ?? 0).catch(() => null))
            lab.progress('kills', kill, kills)
          }
          const late = await latest(fleet, here)
          const copies = []
          for (const id of [...here, ...there]) {
            await finished(fleet, id, settleSeconds)
            await startRun(merchant, id, 'sync_orders', { mode: 'full' })
            await finished(fleet, id, settleSeconds)
            copies.push(await compare(fleet, shop, id))
          }
          const torn = await tornOrders(fleet, [...here, ...there])
          const prepared = await until(
            'nothing is left prepared',
            async () => ((await leftPrepared(fleet)) === 0 ? '0' : null),
            { seconds: 180 },
          )
          const same = copies.every((copy) => copy.same)
          const dead = await deadLetters(fleet)
          return {
            measured: `${kills} kills; ${copies.length} copies: ${copies.map(({ text }) => text).join('; ')}; ${torn} orders without their event or events without their order; ${prepared} prepared; ${dead} dead letters; schedules of the other node at most ${late.toFixed(1)} s late; ${refused} lists refused there; ${unclear} lists of the one away answered by anything but 503`,
            pass: same && torn + dead === 0 && late <= 20 && refused + unclear === 0,
          }
        },
        { WEBHOOK_ALLOW: '127.0.0.1' },
      )
    } finally {
      await cluster.start().catch(() => undefined)
      await hook.close()
    }
  },
})

/** Until there are enough on the node that is killed, and on others: where an integration lies follows from its number. */
async function installOnBoth({
  fleet,
  merchant,
  shop,
  node,
  each,
}: {
  fleet: Fleet
  merchant: Merchant
  shop: ShopProcess
  node: string
  each: number
}): Promise<{ here: number[]; there: number[] }> {
  const here: number[] = []
  const there: number[] = []
  while (here.length < each || there.length < each) {
    const id = await merchant.install(shop)
    const side = (await liesThere(fleet, node, id)) ? there : here
    side.push(id)
  }
  return { here, there }
}

const listOf = async (merchant: Merchant, integrationId: number): Promise<number> =>
  (await merchant.call('GET', `/orders?integration_id=${integrationId}&per_page=5`)).status

const countOrders = (fleet: Fleet, integrationId: number) =>
  fleet.query('select count(*) from orders where integration_id = $1', [integrationId])

/**
 * How much longer than a minute two appointments of a schedule were apart, in seconds, at most: each is a run, or word that the
 * one before is still under way.
 */
async function latest(fleet: Fleet, integrationIds: readonly number[]): Promise<number> {
  const kept: { schedule: number; at: Date }[] = []
  for (const id of integrationIds) {
    const runs = `select schedule_id::int as schedule, created_at as at from runs where integration_id = $1 and schedule_id is not null`
    const skipped = `select (context ->> 'schedule_id')::int as schedule, at from integration_logs
      where integration_id = $1 and event = 'schedule.skipped'`
    for (const text of [runs, skipped]) kept.push(...(await fleet.query<(typeof kept)[number]>(text, [id])))
  }
  const times = [...Map.groupBy(kept, ({ schedule }) => schedule).values()].map((all) =>
    all.map(({ at }) => at.getTime()).sort((a, b) => a - b),
  )
  const gaps = times.flatMap((all) => all.slice(1).map((at, n) => (at - (all[n] ?? at)) / 1000))
  return Math.max(0, ...gaps.map((gap) => gap - 60))
}

/** Work that somebody has given up, though it had only to wait. */
async function deadLetters(fleet: Fleet): Promise<number> {
  const [row] = await fleet.query<{ n: number }>(`select count(*)::int as n from pgboss.job where name like '%-dead'`)
  return row?.n ?? 0
}

/** What one plane has and the other has not, though one commit wrote both. */
async function tornOrders(fleet: Fleet, integrationIds: readonly number[]): Promise<number> {
  const orders = await fleet.query<{ key: string }>(
    `select 'order:' || integration_id || ':' || id as key from orders where integration_id = any($1)`,
    [integrationIds],
  )
  const events = await fleet.query<{ key: string }>(
    `select subject as key from webhook_events where integration_id = any($1) and type = 'order.created'`,
    [integrationIds],
  )
  const [held, told] = [new Set(orders.map(({ key }) => key)), new Set(events.map(({ key }) => key))]
  return held.symmetricDifference(told).size + (events.length - told.size)
}
