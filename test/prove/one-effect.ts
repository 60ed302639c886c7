import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { actionsOf } from '../../src/commerce/action.ts'
import { connectors } from '../../src/connectors/index.ts'
import { drawLots } from '../support/chance.ts'
import { earlier } from '../support/earlier.ts'
import { type CrashPoint, crashPoints, makeBarrier } from './support/crash-point.ts'
import { type Fleet, type Merchant, withFleet } from './support/fleet.ts'
import type { Reply } from './support/http.ts'
import { proof } from './support/proof.ts'
import type { ShopProcess } from './support/shop-process.ts'
import { until } from './support/until.ts'

const lots = drawLots('one-effect')

const platforms = ['woocommerce', 'shopify', 'walmart', 'amazon'] as const
type Platform = (typeof platforms)[number]
type Step = CrashPoint | 'any moment'

/** Whoever dies over a change in a shop, and wherever: asked for again, it is there once. */
export const oneEffect = proof({
  name: 'one-effect',
  asked:
    'the process killed at each step of each write action, 20 times, and the same asked for again: ≤ 1 effect each in the shop’s ledger',
  full: { rounds: 20, steps: [...crashPoints, 'any moment'] as readonly Step[], orders: 3000 },
  quick: { rounds: 1, steps: [{ status: 'confirmed', when: 'before' }] as readonly Step[], orders: 100 },
  async run({ rounds, steps, orders }, lab) {
    const databaseUrl = await lab.database('migrated')
    return await withFleet(databaseUrl, async (fleet) => {
      const merchant = await fleet.makeMerchant()
      const used = platforms.slice(0, Math.min(platforms.length, rounds))
      const shops = await Promise.all(used.map((platform) => connect(fleet, merchant, platform, orders)))
      const barrier = await makeBarrier(fleet, databaseUrl)
      const tally = { crashes: 0, asked: 0, done: 0, refused: [] as string[] }
      let api = fleet.api
      try {
        for (let round = 0; round < rounds; round++) {
          for (const step of steps) {
            const shop = shops[round % shops.length]
            if (!shop) throw new Error('There is no shop.')
            const changes = shop.changes()
            // Each change under a key of its own, as whoever must not do anything twice asks.
            const keys = new Map(changes.map((change) => [change, randomUUID()]))
            const ask = (change: (typeof changes)[number]) =>
              fleet.http.call(`${api.url}/api/2.0/app/integrations/${shop.id}/action`, {
                method: 'POST',
                token: merchant.appToken,
                body: change,
                headers: { 'idempotency-key': keys.get(change) ?? '' },
              })
            let answered = 0
            if (step === 'any moment') await shop.process.post('/_weather', { slow_body: 1, slow_ms: 200 })
            else await barrier.raise(step.status)
            const asked = changes.map((change) =>
              ask(change).then(
                () => answered++,
                () => undefined,
              ),
            )
            if (step === 'any moment') await sleep(lots.below(1500))
            else await barrier.waiting(() => changes.length - answered)
            api.signal('SIGKILL')
            await api.exited
            await Promise.all(asked)
            if (step === 'any moment') await shop.process.post('/_weather', { slow_body: 0 })
            else await barrier.lower(step.when)
            tally.crashes++
            api = await fleet.startApi()
            for (const change of changes) {
              const { status, json } = await askUntilDone(fleet, () => ask(change))
              tally.asked++
              if (status < 300) tally.done++
              else tally.refused.push(`${shop.platform} ${change.resource}: ${json['message']}`)
            }
            lab.progress('crashes', tally.crashes, rounds * steps.length)
          }
        }
      } finally {
        await barrier.close()
      }
      const doubles = await Promise.all(
        shops.map(({ process }) => process.get<{ operation: string; count: number }[]>('/_ledger/doubles')),
      )
      const tooMany = (await Promise.all(shops.map(surplus))).flat()
      const twice = [...doubles.flat().map(({ operation, count }) => `${count} × ${operation}`), ...tooMany]
      const reasons = [...new Set([...twice, ...tally.refused])].slice(0, 4)
      return {
        measured: `${tally.crashes} crashes over ${tally.asked} changes; ${tally.done} done when asked for again; ${twice.length} with more than one effect${reasons.length > 0 ? ` (${reasons.join('; ')})` : ''}`,
        pass: twice.length === 0 && tally.done === tally.asked,
      }
    })
  },
})

/** As a caller does who got no answer; minutes go by between two tries. */
async function askUntilDone(fleet: Fleet, ask: () => Promise<Reply>): Promise<Reply> {
  return await until('a change is made', async () => {
    await fleet.query(
      `update operations set lease_until = ${earlier('lease_until', 300)}, sent_at = ${earlier('sent_at', 300)}`,
    )
    await fleet.query(`update idempotency_keys set locked_until = locked_until - interval '5 minutes'`)
    await fleet.query('update rate_budgets set blocked_until = null, tokens = capacity')
    const answer = await ask()
    return answer.status < 500 && answer.status !== 429 && answer.status !== 409 && answer
  })
}

const effectsOf: Readonly<Record<string, readonly string[]>> = {
  create_order: ['order.create'],
  create_shipment: ['shipment.create'],
  cancel_order: ['order.cancel'],
  create_refund: ['refund.create'],
  export_products: ['product.create'],
  acknowledge_orders: ['order.acknowledge'],
  set_inventory: ['inventory.set'],
}

/** Walmart sends only what has been acknowledged: whoever ships has that done first. */
const implied: Partial<Record<Platform, Readonly<Record<string, string>>>> = {
  walmart: { create_shipment: 'acknowledge_orders' },
}

/**
 * Changes that the shop has made more often than they were asked for. The doubles of the ledger are those of one key and
 * one subject: an order made twice is two subjects, and a change sent under a new name has another key. No order is
 * acknowledged or cancelled twice, whatever the key.
 */
async function surplus({ platform, process, asked }: ConnectedShop): Promise<string[]> {
  const effects = (await process.ledger()).filter(({ kind }) => kind === 'effect')
  const tooMany = Object.entries(effectsOf).flatMap(([resource, operations]) => {
    const made = effects.filter(({ operation }) => operations.includes(operation)).length
    const wanted = asked.get(resource) ?? 0
    return made > wanted ? [`${platform} ${resource}: ${made} effects for ${wanted}`] : []
  })
  const ofOrders = effects.filter(({ operation }) => /^(order\.acknowledge|order\.cancel)$/.test(operation))
  const again = ofOrders.length - new Set(ofOrders.map(({ operation, subject }) => `${operation} ${subject}`)).size
  return again > 0 ? [...tooMany, `${platform}: ${again} orders acknowledged or cancelled again`] : tooMany
}

interface ConnectedShop {
  platform: Platform
  process: ShopProcess
  id: number
  /** How often, by action; asking for the same again does not count. */
  asked: Map<string, number>
  /** One of each that nobody has asked for yet. */
  changes(): { resource: string; [field: string]: unknown }[]
}

async function connect(fleet: Fleet, merchant: Merchant, platform: Platform, orders: number): Promise<ConnectedShop> {
  const shop = await fleet.startShop({ platform, orders, products: 20 })
  const id = await merchant.install(shop)
  const open = (await shop.truth()).filter(
    ({ stage, custom_status, acknowledged, parcels }) =>
      stage === 'paid' && custom_status === null && !acknowledged && parcels === 0,
  )
  const stock = await shop.get<{ sku: string; location_remote_id: string | null }[]>('/_truth/inventory')
  const { sku = '', location_remote_id: location = null } = stock[0] ?? {}
  const take = () => {
    const order = open.pop()
    if (!order) throw new Error(`The ${platform} shop has no open orders left.`)
    return order.remote_id
  }
  const connector = connectors.get(platform)
  const byAmount = connector?.refunds?.by.includes('amount') ?? false
  const asked = new Map<string, number>()
  let n = 0
  return {
    ...{ platform, process: shop, id, asked },
    changes: () => {
      n++
      const price = `${n}.50`
      const can = new Set<string>(connector ? actionsOf(connector) : [])
      const changes = [
        { resource: 'create_shipment', order_remote_id: take(), tracking_number: `T-${n}`, carrier: 'DHL' },
        { resource: 'cancel_order', remote_id: take() },
        ...(byAmount ? [{ resource: 'create_refund', order_remote_id: take(), amount: '1' }] : []),
        { resource: 'set_inventory', items: [{ sku, quantity: 1000 + n, location }] },
        { resource: 'export_products', products: [{ sku: `NEW-${n}`, title: `New ${n}`, price, currency: 'EUR' }] },
        { resource: 'acknowledge_orders', remote_ids: [take()] },
        { resource: 'create_order', currency: 'EUR', lines: [{ sku, quantity: 1, unit_price: price }], note: `${n}` },
      ].filter(({ resource }) => can.has(resource))
      const brought = changes.flatMap(({ resource }) => [resource, implied[platform]?.[resource] ?? []].flat())
      for (const resource of brought) asked.set(resource, (asked.get(resource) ?? 0) + 1)
      return changes
    },
  }
}
