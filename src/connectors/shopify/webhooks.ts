import {
  type ConnectorWebhooks,
  type Delivery,
  type DeliveryReading,
  type PrivacySubject,
  registerEach,
  type WebhookTopic,
} from '../../commerce/connector/webhooks.ts'
import {
  arrayIn,
  type Fields,
  fieldsIn,
  fieldsOf,
  idIn,
  maybeFields,
  maybeText,
  textIn,
  timeOf,
} from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { isSigned } from '../../lib/hmac.ts'
import { parseForeignJson } from '../../lib/parse-json.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { returnScope } from './refunds/read-returns.ts'
import { createSubscription, listSubscriptions, removeSubscription } from './registrations.ts'
import type { Credentials, Settings, ShopifyFacts } from './settings.ts'

const topics = {
  'order.created': ['ORDERS_CREATE'],
  'order.updated': [
    'ORDERS_UPDATED',
    'ORDERS_EDITED',
    'ORDERS_DELETE',
    // What is held, planned or moved is not reported as a change of the order.
    'FULFILLMENT_ORDERS_PLACED_ON_HOLD',
    'FULFILLMENT_ORDERS_HOLD_RELEASED',
    'FULFILLMENT_ORDERS_MOVED',
    'FULFILLMENT_ORDERS_RESCHEDULED',
    'FULFILLMENT_ORDERS_SCHEDULED_FULFILLMENT_ORDER_READY',
    // Nor is what buyers send back.
    'RETURNS_REQUEST',
    'RETURNS_APPROVE',
    'RETURNS_DECLINE',
    'RETURNS_CANCEL',
    'RETURNS_CLOSE',
    'RETURNS_REOPEN',
    'RETURNS_UPDATE',
    'RETURNS_PROCESS',
  ],
  'order.cancelled': ['ORDERS_CANCELLED'],
  'product.updated': ['PRODUCTS_CREATE', 'PRODUCTS_UPDATE'],
  'product.deleted': ['PRODUCTS_DELETE'],
  'inventory.updated': ['INVENTORY_LEVELS_CONNECT', 'INVENTORY_LEVELS_UPDATE', 'INVENTORY_LEVELS_DISCONNECT'],
  'shipment.updated': ['FULFILLMENTS_CREATE', 'FULFILLMENTS_UPDATE'],
  'app.uninstalled': ['APP_UNINSTALLED'],
  'privacy.customer_data': ['CUSTOMERS_DATA_REQUEST'],
  'privacy.customer_redact': ['CUSTOMERS_REDACT'],
  'privacy.shop_redact': ['SHOP_REDACT'],
} as const satisfies Partial<Record<WebhookTopic, readonly string[]>>

const wordsOf = (topic: WebhookTopic): readonly string[] =>
  Object.entries(topics).find(([ours]) => ours === topic)?.[1] ?? []

const topicOf = (word: string): WebhookTopic | null => {
  const found = Object.entries(topics).find(([, words]) => words.some((one) => one === word))
  return found ? (found[0] as WebhookTopic) : null
}

export const webhooks: ConnectorWebhooks<Settings, Credentials> = {
  topics,
  registration: {
    kind: 'api',
    list: listSubscriptions,
    async register(shop, wanted) {
      const { url, topics: asked } = wanted
      // Messages are signed with the secret of the merchant's own app then, which we do not have.
      if (shop.credentials.typed && !shop.credentials.client_secret) return []
      const there = (await listSubscriptions(shop)).filter((one) => one.url === url)
      // Those about privacy are entered on the app's own pages, and come from every shop that has the app.
      const words = asked.filter((topic) => !topic.startsWith('privacy.')).flatMap(wordsOf)
      const allowed = words.filter((word) => !word.startsWith('RETURNS_') || shop.granted?.includes(returnScope))
      return await registerEach(
        allowed,
        wanted,
        async (word) => there.find(({ topic }) => topic === word) ?? (await createSubscription(shop, word, url)),
      )
    },
    remove: removeSubscription,
    // The secret of the app signs.
    usesSecret: () => false,
    ownSecret: ({ client_secret: secret }) => secret ?? null,
  },
  /** Signed with the secret of the app: ours, or the merchant's own, which is kept with the registration. */
  verify({ headers, raw }, { registration, client: { client_secret: ours } }) {
    const signature = headers['x-shopify-hmac-sha256'] ?? ''
    const secrets = [...(typeof ours === 'string' ? [ours] : []), ...registration].filter((secret) => secret !== '')
    return secrets.some((secret) => isSigned(raw, { secret, signature, encoding: 'base64' }))
  },
  shopOf: ({ headers }) => headers['x-shopify-shop-domain'] ?? null,
  read,
}

/** Taken as the news that something changed: what it says may be older than what the shop would say now. */
function read({ headers, raw }: Delivery, facts: ShopifyFacts): DeliveryReading {
  const word = (headers['x-shopify-topic'] ?? '').replaceAll('/', '_').toUpperCase()
  const topic = topicOf(word)
  const body = fieldsOf(parseForeignJson(raw.toString(), 64))
  checkShop(body, headers['x-shopify-shop-domain'], facts)
  if (topic !== null && topicsOfWhole.test(topic)) checkSigned(topic, body, facts)
  const at = headers['x-shopify-triggered-at']
  return {
    deliveryId: idOf(headers['x-shopify-webhook-id']),
    topic,
    changes: topic === null || topicsOfWhole.test(topic) ? [] : [changeIn(word, body)],
    at: at ? timeOf(at) : null,
    privacy: topic?.startsWith('privacy.') ? subjectIn(body) : null,
  }
}

/** The secret is the same for all shops of an app: a message that was meant for another one is signed as well. */
function checkShop(body: Fields, header: string | undefined, { shop }: ShopifyFacts): void {
  const domains = [header, body['shop_domain'], body['myshopify_domain']].filter((one) => typeof one === 'string')
  if (domains.some((one) => one !== shop)) throw new Unreadable(say('webhook_of_another'))
}

const topicsOfWhole = /^(app|privacy)\./

/**
 * Topic and shop stand in headers, which nothing vouches for: whoever has seen one signed message could send it again as
 * another. So what takes away or deletes has to be said by the body itself.
 */
function checkSigned(topic: WebhookTopic, body: Fields, { shop }: ShopifyFacts): void {
  const names = topic === 'app.uninstalled' ? ['myshopify_domain', 'domain'] : ['shop_domain']
  if (!names.some((name) => body[name] === shop)) throw new Unreadable(say('webhook_no_shop'))
  if (topic !== 'app.uninstalled' && topic !== requestIn(body)) throw new Unreadable(say('webhook_no_subject'))
}

/** Which of the requests about privacy has this body. */
function requestIn(body: Fields): WebhookTopic {
  if ('orders_requested' in body || 'data_request' in body) return 'privacy.customer_data'
  return 'customer' in body || 'orders_to_redact' in body ? 'privacy.customer_redact' : 'privacy.shop_redact'
}

function idOf(header: string | undefined): string {
  if (!header) throw new Unreadable(say('webhook_no_id'))
  return header
}

function changeIn(word: string, body: Fields): DeliveryReading['changes'][number] {
  const gid = (kind: string, fields: Fields, name: string) => `gid://shopify/${kind}/${idIn(fields, name)}`
  if (word.startsWith('PRODUCTS_')) return { kind: 'product', remoteId: gid('Product', body, 'id'), raw: null }
  if (word.startsWith('INVENTORY_')) {
    return { kind: 'inventory', remoteId: gid('InventoryItem', body, 'inventory_item_id'), raw: null }
  }
  // What was sent comes with the order; so are changes of its lines.
  if (word.startsWith('FULFILLMENTS_')) return { kind: 'order', remoteId: gid('Order', body, 'order_id'), raw: null }
  if (word.startsWith('FULFILLMENT_ORDERS_')) return { kind: 'order', remoteId: partIn(body), raw: null }
  if (word.startsWith('RETURNS_')) return { kind: 'order', remoteId: returnedIn(body), raw: null }
  if (word === 'ORDERS_EDITED') {
    return { kind: 'order', remoteId: gid('Order', fieldsIn(body, 'order_edit'), 'order_id'), raw: null }
  }
  return { kind: 'order', remoteId: gid('Order', body, 'id'), raw: null }
}

/** Some name the order as a record, some by its number, some only the return: whose that is, is asked when the order is read. */
function returnedIn(body: Fields): string {
  const order = maybeFields(body, 'order')
  if (order) return `gid://shopify/Order/${idIn(order, 'id')}`
  if (body['order_id'] != null) return `gid://shopify/Order/${idIn(body, 'order_id')}`
  return maybeText(body, 'admin_graphql_api_id') ?? `gid://shopify/Return/${idIn(body, 'id')}`
}

/** They name a part of an order, by its whole id; whose it is, is asked when the order is read. */
const partIn = (body: Fields): string =>
  textIn(maybeFields(body, 'moved_fulfillment_order') ?? fieldsIn(body, 'fulfillment_order'), 'id')

function subjectIn(body: Fields): PrivacySubject {
  const customer = maybeFields(body, 'customer')
  const orders = ['orders_requested', 'orders_to_redact'].flatMap((name) => (body[name] ? arrayIn(body, name) : []))
  return {
    customer: customer && {
      remoteId: customer['id'] == null ? null : `gid://shopify/Customer/${idIn(customer, 'id')}`,
      email: maybeText(customer, 'email'),
      phone: maybeText(customer, 'phone'),
    },
    orderRemoteIds: orders.map((id) => `gid://shopify/Order/${idIn({ id }, 'id')}`),
  }
}
