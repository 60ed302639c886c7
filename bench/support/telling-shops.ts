import { createHmac, randomUUID } from 'node:crypto'
import { Agent } from 'undici'
import { oauth1Parameters } from '../../src/commerce/wire/oauth1.ts'
import type { Context } from '../../src/domain/context.ts'
import { readIntegration } from '../../src/domain/integrations/integration-store.ts'
import { readShopWebhooks } from '../../src/domain/shop-webhooks/shop-webhooks-store.ts'
import type { Fleet, Merchant } from '../../test/prove/support/fleet.ts'
import { firstSync } from '../../test/prove/support/runs.ts'
import type { ShopProcess } from '../../test/prove/support/shop-process.ts'
import { until } from '../../test/prove/support/until.ts'

/** A simulated WooCommerce shop that a merchant has installed, and whose messages we send in its name. */
export interface TellingShop {
  integrationId: number
  merchant: Merchant
  /** So many orders are placed; what the shop would say of them, signed with the secret that it was given. */
  place(count: number): Promise<Message[]>
}

export interface Message {
  url: string
  headers: Record<string, string>
  body: string
}

export async function openTellingShop(fleet: Fleet, context: Context, shop: ShopProcess): Promise<TellingShop> {
  const merchant = await fleet.makeMerchant()
  const integrationId = await merchant.install(shop)
  await firstSync(fleet, integrationId, 60)
  const { shop: name } = await readIntegration(context.db, integrationId)
  const known = await until('the webhooks are registered', async () => {
    const found = await readShopWebhooks(context.db, context.keys, integrationId)
    return found?.registered_at ? found : null
  })
  const url = `${fleet.api.url}/api/1.0/webhook_callback/woocommerce/${merchant.accountId}/${name}`
  const [secret = ''] = known.secrets

  const messageOf = (order: object): Message => {
    const body = JSON.stringify(order)
    const headers = {
      'content-type': 'application/json',
      'x-wc-webhook-topic': 'order.created',
      'x-wc-webhook-delivery-id': randomUUID(),
      'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
    }
    return { url, headers, body }
  }
  return {
    integrationId,
    merchant,
    async place(count) {
      const { new_orders: ids } = await shop.post<{ new_orders: string[] }>('/_shop/change', { new_orders: count })
      const messages: Message[] = []
      for (let from = 0; from < ids.length; from += 100) {
        const orders = await readOrders(shop, ids.slice(from, from + 100))
        messages.push(...orders.map(messageOf))
      }
      if (messages.length !== count) throw new Error(`The shop has ${messages.length} of ${count} orders.`)
      return messages
    },
  }
}

/** As the shop shows them to whoever has keys, which is what its messages hold. */
async function readOrders({ baseUrl, install }: ShopProcess, ids: readonly string[]): Promise<object[]> {
  const { consumer_key: consumerKey = '', consumer_secret: consumerSecret = '' } = { ...install.credentials }
  const keys = { consumerKey: String(consumerKey), consumerSecret: String(consumerSecret) }
  const url = `${baseUrl}/wp-json/wc/v3/orders`
  const query = { per_page: String(ids.length), include: ids.join(',') }
  const seconds = Math.floor(Date.now() / 1000)
  const signed = oauth1Parameters({ ...{ method: 'GET', url, query, keys, seconds }, nonce: randomUUID() })
  const answer = await fetch(`${url}?${new URLSearchParams({ ...query, ...signed })}`)
  if (!answer.ok) throw new Error(`The simulator says ${answer.status}: ${await answer.text()}`)
  return JSON.parse(await answer.text())
}

/** Posts all of them, so many at once; every one must be taken. */
export async function postAll(messages: readonly Message[], atOnce: number): Promise<void> {
  const agent = new Agent({ connections: atOnce })
  let next = 0
  const post = async () => {
    for (let message = messages[next++]; message; message = messages[next++]) {
      const { origin, pathname } = new URL(message.url)
      const { headers, body } = message
      const answer = await agent.request({ origin, path: pathname, method: 'POST', headers, body })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`A message was answered with ${answer.statusCode}.`)
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, post))
  } finally {
    await agent.close()
  }
}
