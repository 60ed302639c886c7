import { createHmac, randomUUID } from 'node:crypto'
import { readIntegration } from '../../../src/domain/integrations/integration-store.ts'
import { readShopWebhooks } from '../../../src/domain/shop-webhooks/shop-webhooks-store.ts'
import type { Settings } from '../../support/program.ts'
import type { Fleet, Merchant } from './fleet.ts'
import { withContext } from './identities.ts'
import type { ShopProcess } from './shop-process.ts'
import { until } from './until.ts'

/** A WooCommerce shop; what we send in its name is thin, and asked for there. */
export interface TellingShop {
  /** Of the integration. */
  id: number
  orders: readonly number[]
  path: string
  secret: string
}

/** Once its webhooks are registered, for which a worker has to be there. */
export async function tellingShop(
  { shop: process, merchant, id }: { shop: ShopProcess; merchant: Merchant; id: number },
  settings: Settings,
): Promise<TellingShop> {
  const { shop } = await withContext(settings, ({ db }) => readIntegration(db, id))
  const known = await withContext(settings, ({ db, keys }) =>
    until('the webhooks are registered', async () => {
      const found = await readShopWebhooks(db, keys, id)
      return found?.registered_at ? found : null
    }),
  )
  const path = `/api/1.0/webhook_callback/woocommerce/${merchant.accountId}/${shop}`
  const orders = (await process.truth()).map(({ remote_id }) => Number(remote_id))
  return { id, path, orders, secret: known.secrets[0] ?? '' }
}

export interface ToldMessage {
  id: string
  headers: Readonly<Record<string, string>>
  body: object
}

/** About one order after the other. */
export function toldMessage({ orders, secret }: TellingShop, n: number): ToldMessage {
  const id = randomUUID()
  const body = { id: orders[n % orders.length], date_modified_gmt: new Date().toISOString().slice(0, 19) }
  const headers = {
    'content-type': 'application/json',
    'x-wc-webhook-topic': 'order.updated',
    'x-wc-webhook-delivery-id': id,
    'x-wc-webhook-signature': createHmac('sha256', secret).update(JSON.stringify(body)).digest('base64'),
  }
  return { id, headers, body }
}

export interface Stored {
  /** Of the messages, as often as each is stored. */
  ids: string[]
  failed: number
}

/** When none waits any more. */
export async function storedMessages(fleet: Fleet, { id }: TellingShop, seconds: number): Promise<Stored> {
  await until(
    'all that was stored has been worked on',
    async () =>
      (await fleet.query('select from shop_messages where processed_at is null limit 1').catch(() => [0])).length === 0,
    { seconds, everyMs: 200 },
  )
  const stored = await fleet.query<{ delivery_id: string; outcome: string }>(
    'select delivery_id, outcome from shop_messages where integration_id = $1',
    [id],
  )
  return {
    // Kept under the shop's id and a hash of what was said.
    ids: stored.map(({ delivery_id }) => delivery_id.slice(0, randomUUID().length)),
    failed: stored.filter(({ outcome }) => outcome === 'failed').length,
  }
}
