import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { saveShopSecrets } from '../../src/domain/shop-webhooks/shop-webhooks-store.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { settingsFor } from '../../test/prove/support/settings.ts'
import { drawLots } from '../../test/support/chance.ts'
import { makeIntegration } from '../../test/support/gateway.ts'
import { incomingOrder } from '../../test/support/orders.ts'
import { openProgram } from '../../test/support/program.ts'
import { makeTenant } from '../../test/support/server.ts'
import { startEntrepot } from '../support/child.ts'
import type { Json, Place, Way, Work } from './peer.ts'

const lots = drawLots('peers: ours')

export interface Ours {
  ways: Readonly<Record<Work, Way>>
  order: Place['order']
  stop(): Promise<void>
}

const atOnce = 500

/** What `npm start` starts, with a shop that has so many orders, and two others that are written to. */
export async function startOurs(options: { databaseUrl: string; orders: number; perPage: number }): Promise<Ours> {
  const { databaseUrl, orders, perPage } = options
  // What was taken in waits: a peer does nothing more with it either.
  const settings = settingsFor(databaseUrl, { ENTREPOT_ROLE: 'api' })
  const { appToken, userToken, shop, writtenTo, telling, secret } = await prepare(settings, orders)
  const { url, stop } = await startEntrepot(settings)
  const headers = { authorization: `Bearer ${appToken}`, accept: 'application/json' }
  const list = `${url}/api/2.0/app/orders?integration_id=${shop}&sort=-id&per_page=${perPage}`
  const newest: Json = await fetch(list, { headers }).then((answer) => answer.json())
  const [order] = newest.data
  // They were stored one after the other, so that these are their ids.
  const last: number = order.id
  const pathOf = (id: number) => `/api/2.0/app/orders/${id}?integration_id=${shop}`
  const message = messageOf(secret)
  return {
    order,
    stop,
    ways: {
      list: {
        ...{ work: 'list', url: list, headers },
        holds: ({ data, meta }) => data.length === perPage && meta.total === orders,
      },
      read: {
        ...{ work: 'read', url: `${url}${pathOf(last)}`, headers },
        next: () => ({ path: pathOf(last - lots.below(orders)) }),
        holds: ({ data }) => data.items.length > 0,
      },
      create: {
        ...{ work: 'create', url: `${url}/api/1.0/orders` },
        headers: {
          ...{ authorization: `Bearer ${userToken}`, 'x-gateway-key': writtenTo },
          ...{ accept: 'application/json', 'content-type': 'application/json' },
        },
        next: () => ({ body: newOrder }),
        holds: ({ data }) => data.id > 0,
      },
      intake: {
        ...{ work: 'intake', url: `${url}/api/1.0/webhook_callback/woocommerce/0/${telling}` },
        next: () => message(),
        holds: () => true,
      },
    },
  }
}

async function prepare(settings: Readonly<Record<string, string>>, orders: number) {
  const { context, close } = await openProgram(settings)
  try {
    const tenant = await makeTenant(context)
    const owner = { appId: tenant.appId, accountId: tenant.accountId }
    const { integration } = await makeIntegration(context, owner)
    for (let from = 0; from < orders; from += atOnce) {
      const told = Array.from({ length: Math.min(atOnce, orders - from) }, (_, n) => orderOfShop(from + n))
      const ids = await takeIds(context.db, 'orders', told.length)
      await context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders: told }))
    }
    await sql`vacuum analyze`.execute(context.db)
    const written = await makeIntegration(context, { ...owner, userId: tenant.userId })
    const telling = await makeIntegration(context, { appId: tenant.appId }, { type: 'woocommerce' })
    const secret = randomBytes(32).toString('hex')
    await saveShopSecrets(context.db, context.keys, telling.integration.id, {
      ...{ address: 'https://here.test', secrets: [secret] },
    })
    return {
      ...{ appToken: tenant.appToken, userToken: tenant.userToken, shop: integration.id },
      ...{ writtenTo: written.gatewayKey, telling: telling.integration.shop, secret },
    }
  } finally {
    await close()
  }
}

const address = { name: 'Ada Lovelace', line1: '12 St James’s Square', city: 'London', zip: 'SW1Y 4JH', country: 'GB' }
const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }
const items = [
  { sku: 'A-1', name: 'Kettle', quantity: 1, price: '33.20' },
  { sku: 'B-2', name: 'Teapot', quantity: 1, price: '33.20' },
]

const orderOfShop = (n: number) => {
  const told = incomingOrder(`r${n}`)
  const [like] = told.items
  return {
    ...told,
    ...{ customer: { ...customer, remote_id: `c${n}`, phone: null }, billing_address: address },
    ...{ shipping_address: { ...address, phone: '+44 20 7946 0000' }, total: '66.40', subtotal: '66.40' },
    items: items.flatMap((item) => (like ? [{ ...like, ...item }] : [])),
  }
}

/** With a time of its own it is kept here and not made in a shop. */
const newOrder = JSON.stringify({
  ...{ number: '#1001', currency: 'EUR', total: '66.40', customer, items },
  ...{ billing_address: address, shipping_address: address, placed_at: '2026-11-01T10:00:00Z' },
})

/** An order that the shop reports, signed, with the size of one; each message is another one. */
function messageOf(secret: string) {
  const lines = Array.from({ length: 20 }, (_, n) => ({ id: n, sku: `SKU-${n}`, title: `Thing ${n}`, price: '12.50' }))
  const body = JSON.stringify({ id: 1001, name: '#1001', updated_at: '2026-11-15T10:00:00Z', line_items: lines })
  const headers = {
    'content-type': 'application/json',
    'x-wc-webhook-topic': 'order.updated',
    'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
  }
  return () => ({ body, headers: { ...headers, 'x-wc-webhook-delivery-id': randomUUID() } })
}
