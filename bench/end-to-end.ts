import { createSubscription } from '../src/domain/webhooks/create-subscription.ts'
import { withFleet } from '../test/prove/support/fleet.ts'
import { withContext } from '../test/prove/support/identities.ts'
import { settingsFor } from '../test/prove/support/settings.ts'
import { until } from '../test/prove/support/until.ts'
import { listenHttp } from '../test/support/loopback.ts'
import { openTellingShop, postAll, type TellingShop } from './support/telling-shops.ts'

const atOnce = 32
const shopCount = 4

/** From the message of a shop to the webhook that the app has of its order, by one worker: orders a second, by round. */
export async function measureEndToEnd(options: {
  databaseUrl: string
  orders: number
  rounds: number
  nodeOptions?: string
  progress: (text: string) => void
}): Promise<number[]> {
  const { databaseUrl, orders, rounds, nodeOptions = '', progress } = options
  const settings = settingsFor(databaseUrl, { WEBHOOK_ALLOW: '127.0.0.1' })
  let received = 0
  const endpoint = await listenHttp((request, response) => {
    request.resume().on('end', () => {
      received++
      response.end()
    })
  })
  try {
    return await withFleet(databaseUrl, (fleet) =>
      withContext(settings, async (context) => {
        const worker = await fleet.startWorker(nodeOptions)
        const shop = await fleet.startShop({ platform: 'woocommerce', orders: 5, products: 10 })
        const shops: TellingShop[] = []
        while (shops.length < shopCount) shops.push(await openTellingShop(fleet, context, shop))
        for (const { merchant } of shops) {
          const url = `http://127.0.0.1:${endpoint.port}/hook`
          const owner = { appId: merchant.appId, integrationId: null }
          await createSubscription(context, owner, { url, events: ['order.created'] })
        }
        const perSecond: number[] = []
        // The first round warms everything up.
        for (let round = 0; round <= rounds; round++) {
          const each = await Promise.all(shops.map((shop) => shop.place(orders / shopCount)))
          // As they would come: the shops take turns.
          const messages = each.flatMap((own) => own.map((message, n) => ({ message, n }))).sort((a, b) => a.n - b.n)
          received = 0
          const begun = performance.now()
          await postAll(
            messages.map(({ message }) => message),
            atOnce,
          )
          await until('the app knows of all orders', async () => received >= orders, { seconds: 300, everyMs: 5 })
          if (round === 0) continue
          perSecond.push((orders / (performance.now() - begun)) * 1000)
          progress(`  round ${round} of ${rounds}: ${Math.round(perSecond.at(-1) ?? 0)}/s`)
        }
        // A profile is written on the way out.
        if (nodeOptions !== '') await worker.stop()
        return perSecond
      }),
    )
  } finally {
    await endpoint.close()
  }
}
