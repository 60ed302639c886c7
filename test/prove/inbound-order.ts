import { drawLots } from '../support/chance.ts'
import { type Collected, openCollector, passOn } from './support/collector.ts'
import { type Fleet, withFleet } from './support/fleet.ts'
import { proof } from './support/proof.ts'
import { compare, firstSync } from './support/runs.ts'
import type { ShopProcess } from './support/shop-process.ts'
import { until } from './support/until.ts'

/** In whatever order messages come, and however often: what holds in the end is what the shop says. */
export const inboundOrder = proof({
  name: 'inbound-order',
  asked:
    '10,000 messages of two shops, 30 % of them duplicates, shuffled: each distinct one is worked on once, and the newest state wins everywhere',
  full: { orders: 1000, messages: 10_000, duplicates: 0.3, seconds: 900 },
  quick: { orders: 40, messages: 120, duplicates: 0.3, seconds: 300 },
  async run({ orders, messages, duplicates, seconds }, lab) {
    const collector = await openCollector()
    try {
      return await withFleet(
        await lab.database('migrated'),
        async (fleet) => {
          const [woo, shopify, merchant] = await Promise.all([
            fleet.startShop({ platform: 'woocommerce', orders }),
            fleet.startShop({ platform: 'shopify', orders }),
            fleet.makeMerchant(),
            fleet.startWorker(),
          ])
          const shops = [woo, shopify]
          const ids = await Promise.all([merchant.install(woo), merchant.installByBrowser(shopify)])
          lab.progress('first sync')
          for (const id of ids) await firstSync(fleet, id, seconds)
          await until('the webhooks are registered', async () => (await registered(fleet)) === shops.length, {
            seconds,
          })
          const distinct = await collect(shops, collector.messages, Math.round(messages * (1 - duplicates)))
          const lots = drawLots('inbound-order')
          const twice = lots.shuffled(distinct).slice(0, messages - distinct.length)
          const all = lots.shuffled([...distinct, ...twice])
          lab.progress('messages', 0, all.length)
          const statuses = await passOn(fleet.api.url, all, 16)
          await until('all have been worked on', async () => (await waiting(fleet)) === 0, { seconds, everyMs: 200 })
          const [row] = await fleet.query<{ stored: string; failed: string }>(
            `select count(*) as stored, count(*) filter (where outcome = 'failed') as failed from shop_messages`,
          )
          const copies = await Promise.all(shops.map((shop, at) => compare(fleet, shop, ids[at] ?? 0)))
          const taken = statuses.get(200) ?? 0
          return {
            measured: `${taken} of ${all.length} taken, ${twice.length} of them twice; ${row?.stored} stored of ${distinct.length} distinct, ${row?.failed} failed; ${copies.map(({ text }) => text).join('; ')}`,
            pass:
              taken === all.length &&
              Number(row?.stored) === distinct.length &&
              Number(row?.failed) === 0 &&
              copies.every(({ same }) => same),
          }
        },
        { PUBLIC_URL: collector.url },
      )
    } finally {
      await collector.close()
    }
  },
})

const registered = async (fleet: Fleet): Promise<number> =>
  (await fleet.query('select from shop_webhooks where registered_at is not null')).length

const waiting = async (fleet: Fleet): Promise<number> =>
  (await fleet.query('select from shop_messages where processed_at is null limit 1')).length

/** Lets things happen in the shops until so many messages have left them; those that say hello are not counted. */
async function collect(shops: readonly ShopProcess[], messages: readonly Collected[], wanted: number) {
  // A shop that had no answer in time sends the same again.
  const real = () => [
    ...new Map(
      messages.filter(({ body }) => body.toString().startsWith('{')).map((message) => [idOf(message), message]),
    ).values(),
  ]
  while (real().length < wanted) {
    for (const shop of shops) await shop.post('/_shop/change', { orders: 40, new_orders: 5, delete_orders: 2 })
    let before = -1
    const isQuiet = async () => {
      const quiet = messages.length === before
      before = messages.length
      return quiet
    }
    await until('the shops have sent all there is to tell', isQuiet, { seconds: 120, everyMs: 300 })
  }
  return real()
}

/** WooCommerce makes its ids of the second: two orders that change at once come under the same one. */
const idOf = ({ headers, body }: Collected): string =>
  `${headers['x-wc-webhook-delivery-id'] ?? headers['x-shopify-webhook-id']} ${body}`
