import { createHmac } from 'node:crypto'
import { decimal } from '../../amounts.ts'
import { inMicroseconds, inSeconds } from '../../clock.ts'
import type { Product, Variant } from '../../shop/goods.ts'
import type { ShopOrder } from '../../shop/order.ts'
import type { Subscription, Subscriptions } from '../../subscriptions.ts'
import { secretFor } from '../../tokens.ts'
import type { World } from '../../world.ts'
import { gid, numberOf, part, partOf } from './ids.ts'
import { books } from './money.ts'
import { orderName } from './order-type.ts'
import { financialStatus } from './words.ts'

const topics = {
  created: ['ORDERS_CREATE'],
  updated: ['ORDERS_UPDATED'],
  cancelled: ['ORDERS_CANCELLED', 'ORDERS_UPDATED'],
  sent: ['ORDERS_FULFILLED', 'ORDERS_UPDATED'],
  deleted: ['ORDERS_DELETE'],
} as const

/** After so many failures in a row the platform deletes the subscription. */
const patience = 8

/** Messages to subscribers, shaped like the platform's older REST records and signed with the app's secret. */
export function createHooks(world: World, subscriptions: Subscriptions, appSecret: string) {
  const { shop, settings, courier, clock } = world
  const { seed } = settings
  let events = 0
  let sent = 0

  function tell(topicNames: readonly string[], subject: string, body: () => unknown): void {
    const event = ++events
    for (const topic of topicNames) {
      for (const subscription of subscriptions.to(topic)) post(subscription, subject, JSON.stringify(body()), event)
    }
  }

  function post(subscription: Subscription, subject: string, body: string, event: number): void {
    const { topic, url } = subscription
    const delivery = idOf(secretFor(seed, `delivery ${++sent}`))
    courier.send({
      topic,
      subject,
      delivery,
      url,
      body,
      headers: {
        'content-type': 'application/json',
        'x-shopify-topic': topicPath(topic),
        'x-shopify-shop-domain': settings.shop,
        'x-shopify-api-version': '2026-10',
        'x-shopify-webhook-id': delivery,
        'x-shopify-event-id': idOf(secretFor(seed, `event ${event}`)),
        'x-shopify-triggered-at': inMicroseconds(clock.now()),
        'x-shopify-hmac-sha256': sign(subscription.secret || appSecret, body),
      },
      done: (delivered) => {
        if (subscriptions.count(subscription, delivered, patience)) subscriptions.remove(subscription.id)
      },
    })
  }

  shop.book.onChange(({ kind, index }) => {
    if (subscriptions.all().length === 0) return
    const subject = gid('Order', index)
    const order = shop.book.get(index)
    tell(topics[kind], subject, () => (order ? orderBody(order) : { id: numberOf('Order', index) }))
    const parcel = kind === 'sent' ? order?.parcels.at(-1) : undefined
    if (order && parcel) tell(['FULFILLMENTS_CREATE'], subject, () => parcelBody(order, parcel.parcel))
  })
  shop.stockroom.onChange((news) => {
    if (subscriptions.all().length === 0) return
    const { product } = news
    const subject = gid('Product', product.index)
    if (news.kind === 'stock') {
      tell(['INVENTORY_LEVELS_UPDATE'], subject, () => levelBody(news.variant, news.place))
      tell(['PRODUCTS_UPDATE'], subject, () => productBody(product))
    } else if (news.kind === 'deleted') {
      tell(['PRODUCTS_DELETE'], subject, () => ({ id: numberOf('Product', product.index) }))
    } else tell([news.kind === 'created' ? 'PRODUCTS_CREATE' : 'PRODUCTS_UPDATE'], subject, () => productBody(product))
  })

  return {
    uninstalled: () => tell(['APP_UNINSTALLED'], settings.shop, () => ({ id: 1, myshopify_domain: settings.shop })),
  }
}

export const sign = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('base64')

const idOf = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`

/** ORDERS_CREATE is told as orders/create, INVENTORY_LEVELS_UPDATE as inventory_levels/update. */
const topicPath = (topic: string): string => {
  const words = topic.toLowerCase().split('_')
  return `${words.slice(0, -1).join('_')}/${words.at(-1)}`
}

const orderBody = (order: ShopOrder) => ({
  id: numberOf('Order', order.index),
  admin_graphql_api_id: gid('Order', order.index),
  name: orderName(order.index),
  created_at: inSeconds(order.placedAt),
  updated_at: inSeconds(order.updatedAt),
  cancelled_at: order.cancelledAt === null ? null : inSeconds(order.cancelledAt),
  financial_status: financialStatus(order.stage).toLowerCase(),
  fulfillment_status: order.parcels.length === 0 ? null : order.stage === 'part_sent' ? 'partial' : 'fulfilled',
  currency: books,
  total_price: decimal(order.total, books),
  email: order.buyer.email,
  note: order.note,
  line_items: order.lines.map((line) => ({
    id: numberOf('LineItem', part(order.index, line.line)),
    sku: line.sku,
    title: line.title,
    quantity: line.quantity,
    price: decimal(line.unitPrice, books),
  })),
})

const parcelBody = (order: ShopOrder, parcel: number) => ({
  id: numberOf('Fulfillment', part(order.index, parcel)),
  order_id: numberOf('Order', order.index),
  status: 'success',
  tracking_number: order.parcels[parcel - 1]?.trackingNumber ?? null,
  tracking_company: order.parcels[parcel - 1]?.carrier ?? null,
  updated_at: inSeconds(order.updatedAt),
})

const productBody = (product: Product) => ({
  id: numberOf('Product', product.index),
  admin_graphql_api_id: gid('Product', product.index),
  title: product.title,
  status: product.status,
  updated_at: inSeconds(product.updatedAt),
  variants: product.variants.map((variant) => ({
    id: numberOf('ProductVariant', partOf(variant)),
    sku: variant.sku,
    price: decimal(variant.price, books),
  })),
})

const levelBody = (variant: Variant, place: number) => ({
  inventory_item_id: numberOf('InventoryItem', partOf(variant)),
  location_id: numberOf('Location', place),
  available: variant.stock[place] ?? 0,
  updated_at: inSeconds(variant.stockUpdatedAt),
})
