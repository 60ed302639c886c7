import { randomUUID } from 'node:crypto'
import type { Delivery, PrivacySubject, WebhookTopic } from '../../src/commerce/connector/webhooks.ts'
import type { Connector } from '../../src/commerce/connector.ts'
import type { Context } from '../../src/domain/context.ts'
import { processInbound } from '../../src/domain/inbound/process-inbound.ts'
import { receiveDelivery } from '../../src/domain/inbound/receive-delivery.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { saveShopSecrets } from '../../src/domain/shop-webhooks/shop-webhooks-store.ts'
import { hmac } from '../../src/lib/hmac.ts'
import { makeIntegration } from './gateway.ts'
import { makeApp } from './identity.ts'

/**
 * The sandbox in this process with the voice of WooCommerce, whose messages bring the whole record: it signs what it sends,
 * its orders are at hand to be changed behind our back, and it can be away.
 */
export interface TellingShop {
  context: Context
  integration: Integration
  /** What the shop holds, as it would tell it. */
  orders: Map<string, ShopOrder>
  /** Ids that it was asked for. */
  asked: string[]
  away: boolean
  /** It has removed us: our key is refused. */
  closed: boolean
  /** What was put into the queue. */
  queued: { name: string; input: unknown; startAfterSeconds: number }[]
  /** A message about an order, whole by default, as it is taken in. */
  tell(order: ShopOrder, options?: Tell): Promise<boolean>
  tellPrivacy(topic: WebhookTopic, subject: PrivacySubject): Promise<boolean>
  send(headers: Record<string, string>, body: unknown): Promise<boolean>
  /** Works on all that is due. */
  work(): Promise<void>
  /** One batch, by a worker that has to stop as soon as it has begun. */
  workHastily(): Promise<void>
}

export type ShopOrder = Record<string, unknown> & { id: string; status: string; updated_at: string }

export interface Tell {
  thin?: boolean
  topic?: 'order.created' | 'order.updated' | 'order.deleted'
  id?: string
}

const secret = 'of this shop'
const privacyTopic = 'x-privacy'

export async function tellingShop(given: Context): Promise<TellingShop> {
  const sandbox = given.connectors.get('sandbox')
  const webhooks = given.connectors.get('woocommerce')?.webhooks
  if (!sandbox?.orders || !webhooks) throw new Error('There is no shop to speak with.')
  const shop: TellingShop = {
    orders: new Map(),
    asked: [],
    queued: [],
    away: false,
    closed: false,
  } as unknown as TellingShop
  const connector: Connector = {
    ...sandbox,
    remote: {
      ...sandbox.remote,
      async inProcess({ path }) {
        if (shop.away) return { status: 503, headers: {}, body: null }
        if (shop.closed) return { status: 401, headers: {}, body: null }
        if (path === '/shop') return { status: 200, headers: {}, body: {} }
        const id = path.replace('/orders/', '')
        shop.asked.push(id)
        const order = shop.orders.get(id)
        return { status: order ? 200 : 404, headers: {}, body: structuredClone(order ?? null) }
      },
    },
    webhooks: {
      ...webhooks,
      read(delivery, facts) {
        const topic = delivery.headers[privacyTopic] as WebhookTopic | undefined
        if (!topic) return webhooks.read(delivery, facts)
        const privacy: PrivacySubject = JSON.parse(delivery.raw.toString())
        return { deliveryId: delivery.headers['x-id'] ?? '', topic, changes: [], at: null, privacy }
      },
    },
  }
  const context: Context = {
    ...given,
    connectors: new Map([['sandbox', connector]]),
    enqueue: async (_trx, { name }, input, { startAfterSeconds = 0 } = {}) => {
      shop.queued.push({ name, input, startAfterSeconds })
    },
  }
  const { integration } = await makeIntegration(context, { appId: await makeApp(context) })
  await saveShopSecrets(context.db, context.keys, integration.id, { address: 'https://here.test', secrets: [secret] })
  const send = async (headers: Record<string, string>, body: unknown): Promise<boolean> => {
    const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const delivery: Delivery = {
      method: 'POST',
      headers: { 'x-wc-webhook-signature': hmac(raw, secret, 'base64'), ...headers },
      query: {},
      raw,
    }
    const address = { channel: 'sandbox', accountId: null, store: integration.shop }
    const result = await receiveDelivery(context, null, { ...address, delivery })
    return result.kind === 'stored' && !result.duplicate
  }
  return Object.assign(shop, {
    context,
    integration,
    send,
    tell: (order: ShopOrder, { thin = false, topic = 'order.updated', id = randomUUID() }: Tell = {}) =>
      send({ 'x-wc-webhook-topic': topic, 'x-wc-webhook-delivery-id': id }, thin ? { id: order.id } : order),
    tellPrivacy: (topic: WebhookTopic, subject: PrivacySubject) =>
      send({ [privacyTopic]: topic, 'x-id': randomUUID() }, subject),
    async work() {
      while ((await processInbound(context, integration.id, new AbortController().signal)) === 'more');
    },
    async workHastily() {
      await processInbound(context, integration.id, AbortSignal.abort())
    },
  })
}

/** An order of the sandbox, as the shop tells it at that moment. */
export const shopOrder = (id: string, second: number, more: Record<string, unknown> = {}): ShopOrder => ({
  id,
  number: `#${id}`,
  status: 'awaiting_shipment',
  currency: 'EUR',
  ...{ goods_total: 1000, discount: 0, shipping: 0, tax: 0, tax_included: true, total: 1000, refunded: 0 },
  shipping_method: 'standard',
  lines: [
    {
      ...{ id: '1', sku: 'A-1', title: 'Kettle', quantity: 1, shipped: 0, cancelled: 0 },
      ...{ unit_price: 1000, discount: 0, tax: 0, total: 1000 },
    },
  ],
  buyer: { id: `buyer-${id}`, email: 'ada@example.com', first_name: 'Ada', last_name: 'Byron' },
  ship_to: { name: 'Ada Byron', street: 'Dock 1', city: 'Gent', zip: '9000', country: 'BE' },
  bill_to: { name: 'Ada Byron', street: 'Dock 1', city: 'Gent', zip: '9000', country: 'BE' },
  shipments: [],
  note: null,
  placed_at: '2026-11-15T10:00:00.000000Z',
  updated_at: `2026-11-15T10:00:${String(second).padStart(2, '0')}.000000Z`,
  ...more,
})
