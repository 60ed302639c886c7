import { createHmac } from 'node:crypto'
import { decimal } from '../../amounts.ts'
import { hour, inMicroseconds, type Moment, withoutZone } from '../../clock.ts'
import { isLoopback } from '../../courier.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../../json.ts'
import type { Message } from '../../platform.ts'
import type { Product, Variant } from '../../shop/goods.ts'
import type { Parcel, ShopOrder } from '../../shop/order.ts'
import { createSubscriptions, type MessageRules, type Subscription } from '../../subscriptions.ts'
import type { World } from '../../world.ts'
import { type Asked, may, pageOf } from './asked.ts'
import { gid, indexOf, numberOf, orderName, part, partOf } from './ids.ts'
import { done, userError } from './order-mutations.ts'
import { books, financialStatus, fulfillmentOrderStatus } from './words.ts'

const orderTopics = {
  created: ['ORDERS_CREATE'],
  updated: ['ORDERS_UPDATED'],
  cancelled: ['ORDERS_CANCELLED', 'ORDERS_UPDATED'],
  sent: ['ORDERS_FULFILLED', 'ORDERS_UPDATED'],
  deleted: ['ORDERS_DELETE'],
} as const

/** What must be granted before a topic may be asked for. Those about privacy are entered on the pages of the app. */
const scopesOf: readonly (readonly [start: string, scope: string | null])[] = [
  ['RETURNS_', 'read_returns'],
  ['ORDERS_', 'read_orders'],
  ['FULFILLMENTS_', 'read_fulfillments'],
  ['FULFILLMENT_ORDERS_', 'read_merchant_managed_fulfillment_orders'],
  ['PRODUCTS_', 'read_products'],
  ['INVENTORY_LEVELS_', 'read_inventory'],
  ['APP_UNINSTALLED', null],
]

/** After so many failures in a row the platform deletes the subscription. */
const patience = 8

/** Messages to subscribers, shaped like the platform's older REST records and signed with the app's secret. */
export function createWebhooks(world: World, appSecret: string) {
  const { shop, settings, clock, secretFor } = world
  let events = 0

  const messageTo: MessageRules['messageTo'] = ({ topic, name, secret, wishes }, record) => {
    const wanted = listOf(wishes['fields']).map(String)
    const known: Fields = { ...record }
    const body = JSON.stringify(
      wanted.length === 0 ? known : Object.fromEntries(wanted.map((key) => [key, known[key]])),
    )
    const delivery = idOf(secretFor(`delivery ${++events}`))
    const headers = {
      'content-type': 'application/json',
      'x-shopify-topic': topicPath(topic),
      'x-shopify-shop-domain': name,
      'x-shopify-api-version': '2026-10',
      'x-shopify-webhook-id': delivery,
      'x-shopify-event-id': idOf(secretFor(`event ${events}`)),
      'x-shopify-triggered-at': inMicroseconds(clock.now()).replace('Z', '000Z'),
      'x-shopify-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
    }
    return { body, headers, delivery }
  }
  const subscriptions = createSubscriptions(world, { messageTo, patience, removes: true })
  const tell = (topics: readonly string[], subject: string, record: () => Fields) => {
    for (const topic of topics) subscriptions.tell(topic, subject, record)
  }

  shop.book.onChange(({ kind, index, from }) => {
    const subject = gid('Order', index)
    const order = shop.book.get(index)
    // A hold is one of its parts, and no change of the order.
    const hold = order?.stage === 'held' ? 'PLACED_ON_HOLD' : from === 'held' ? 'HOLD_RELEASED' : null
    if (order && from && hold && kind === 'updated')
      return tell([`FULFILLMENT_ORDERS_${hold}`], subject, () => partBody(order))
    tell(orderTopics[kind], subject, () => (order ? orderBody(order) : { id: numberOf('Order', index) }))
    const parcel = kind === 'sent' ? order?.parcels.at(-1) : undefined
    if (order && parcel) tell(['FULFILLMENTS_CREATE'], subject, () => parcelBody(order, parcel))
  })
  shop.stockroom.onChange((news) => {
    const { product } = news
    const subject = gid('Product', product.index)
    if (news.kind === 'stock') tell(['INVENTORY_LEVELS_UPDATE'], subject, () => levelBody(news.variant, news.place))
    if (news.kind === 'deleted') tell(['PRODUCTS_DELETE'], subject, () => ({ id: numberOf('Product', product.index) }))
    else tell([news.kind === 'created' ? 'PRODUCTS_CREATE' : 'PRODUCTS_UPDATE'], subject, () => productBody(product))
  })

  const view = ({ id, topic, url }: Subscription) => ({
    ...{ id: gid('WebhookSubscription', id), topic, uri: url },
  })

  const app = () => ({ id: numberOf('Shop', 0), name: 'Harbour', myshopify_domain: settings.shop })

  return {
    fields: {
      webhookSubscriptions({ uri, ...args }: Fields, asked: Asked) {
        const rows = subscriptions.all().filter(({ url }) => uri == null || uri === url)
        return pageOf(rows, args, asked, view, ({ id }) => ({ at: 0, index: id }))
      },
      webhookSubscriptionCreate({ topic, webhookSubscription }: Fields, asked: Asked) {
        const { uri, includeFields } = fieldsOf(webhookSubscription)
        const [name, url] = [String(topic), textOf(uri) ?? '']
        const known = scopesOf.find(([start]) => name.startsWith(start))
        if (!known) return userError(['topic'], 'Topic is invalid')
        if (known[1] !== null && !may(asked, known[1]))
          return userError(['topic'], `You do not have permission to create webhooks with ${topicPath(name)} topic.`)
        if (!url.startsWith('https://') && !isLoopback(url))
          return userError(['webhookSubscription', 'uri'], 'Address is invalid')
        if (subscriptions.to(name).some((one) => one.url === url))
          return userError(['webhookSubscription', 'uri'], 'Address for this topic has already been taken')
        const wishes = { fields: listOf(includeFields).map(String) }
        const made = subscriptions.add({ name: asked.shop, topic: name, url, secret: appSecret, wishes })
        asked.record.effect('webhook.create', gid('WebhookSubscription', made.id))
        return done({ webhookSubscription: view(made) })
      },
      webhookSubscriptionDelete({ id }: Fields, asked: Asked) {
        if (!subscriptions.remove(indexOf('WebhookSubscription', id)))
          return userError(['id'], 'Webhook subscription does not exist')
        asked.record.effect('webhook.delete', String(id))
        return done({ deletedWebhookSubscriptionId: id })
      },
    },

    uninstalled() {
      tell(['APP_UNINSTALLED'], settings.shop, app)
      subscriptions.clear()
    },

    /** One of each kind, those about privacy among them. */
    messages(secret: string): readonly Message[] {
      const order = shop.book.get(shop.book.byNumber().at(-1) ?? -1)
      const [product] = shop.stockroom.byChange()
      const variant = product?.variants[0]
      if (!order || !product || !variant) return []
      const id = numberOf('Order', order.index)
      const customer = { id: numberOf('Customer', order.buyer.id ?? 0), email: order.buyer.email, phone: null }
      const about = { shop_id: numberOf('Shop', 0), shop_domain: settings.shop }
      const records: Readonly<Record<string, Fields>> = {
        ORDERS_CREATE: orderBody(order),
        ORDERS_EDITED: { order_edit: { id: 1, order_id: id, created_at: local(order.updatedAt) } },
        ORDERS_DELETE: { id },
        FULFILLMENTS_UPDATE: { id: numberOf('Fulfillment', part(order.index, 1)), order_id: id, status: 'success' },
        FULFILLMENT_ORDERS_PLACED_ON_HOLD: partBody(order),
        FULFILLMENT_ORDERS_MOVED: { moved_fulfillment_order: { id: partId(order), status: 'open' } },
        RETURNS_REQUEST: { id: 1, status: 'requested', order: { id } },
        PRODUCTS_UPDATE: productBody(product),
        INVENTORY_LEVELS_UPDATE: levelBody(variant, 0),
        APP_UNINSTALLED: app(),
        CUSTOMERS_DATA_REQUEST: { ...about, customer, orders_requested: [id], data_request: { id: 1 } },
        CUSTOMERS_REDACT: { ...about, customer, orders_to_redact: [id] },
        SHOP_REDACT: about,
      }
      const to = { id: 0, name: settings.shop, secret, wishes: {} }
      return Object.entries(records).map(([topic, record]) => messageTo({ ...to, topic }, record))
    },
  }
}

const partId = ({ index }: ShopOrder) => gid('FulfillmentOrder', part(index, 0))

const partBody = (order: ShopOrder): Fields => ({
  fulfillment_order: { id: partId(order), status: fulfillmentOrderStatus(order.stage).toLowerCase() },
})

const idOf = (hex: string) => hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** ORDERS_CREATE is told as orders/create, INVENTORY_LEVELS_UPDATE as inventory_levels/update. */
const topicPath = (topic: string): string =>
  topic
    .toLowerCase()
    .replace(/^(fulfillment_orders)_|_(data_request|[a-z]+)$/, (_, first, last) => `${first ?? ''}/${last ?? ''}`)

/** Records of the older kind tell times in the zone of the shop. */
const local = (at: Moment): string => `${withoutZone(at + hour)}+01:00`

const orderBody = (order: ShopOrder): Fields => ({
  ...{ id: numberOf('Order', order.index), admin_graphql_api_id: gid('Order', order.index) },
  ...{ name: orderName(order.index), created_at: local(order.placedAt), updated_at: local(order.updatedAt) },
  cancelled_at: order.cancelledAt === null ? null : local(order.cancelledAt),
  financial_status: financialStatus(order).toLowerCase(),
  ...{ currency: books, total_price: decimal(order.total, books), email: order.buyer.email, note: order.note },
})

const parcelBody = (order: ShopOrder, { parcel, trackingNumber, carrier }: Parcel): Fields => ({
  ...{ id: numberOf('Fulfillment', part(order.index, parcel)), order_id: numberOf('Order', order.index) },
  ...{ status: 'success', tracking_number: trackingNumber, tracking_company: carrier },
  updated_at: local(order.updatedAt),
})

const productBody = ({ index, title, status, updatedAt, variants }: Product): Fields => ({
  ...{ id: numberOf('Product', index), admin_graphql_api_id: gid('Product', index), title, status },
  updated_at: local(updatedAt),
  variants: variants.map((one) => ({ id: numberOf('ProductVariant', partOf(one)), sku: one.sku })),
})

const levelBody = (variant: Variant, at: number): Fields => ({
  ...{ inventory_item_id: numberOf('InventoryItem', partOf(variant)), location_id: numberOf('Location', at) },
  ...{ available: variant.stock[at] ?? 0, updated_at: local(variant.stockUpdatedAt) },
})
