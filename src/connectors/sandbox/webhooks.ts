import type {
  ConnectorWebhooks,
  Delivery,
  DeliveryReading,
  RegisteredWebhook,
  WebhookTopic,
} from '../../commerce/connector-webhooks.ts'
import { type Fields, fieldsOf, idIn, maybeText } from '../../commerce/reading.ts'
import { isSigned } from '../../lib/hmac.ts'
import { parseForeignJson } from '../../lib/parse-json.ts'
import type { ChooseDialect } from './parts.ts'
import type { Credentials, Settings } from './settings.ts'

/** Our topics in the words of the dialects that send messages: one writes in capitals, the other with a dot. */
const topics: Readonly<Partial<Record<WebhookTopic, readonly string[]>>> = {
  'order.created': ['ORDERS_CREATE', 'order.created'],
  'order.updated': ['ORDERS_UPDATED', 'ORDERS_DELETE', 'order.updated', 'order.deleted'],
  'order.cancelled': ['ORDERS_CANCELLED'],
  'product.updated': ['PRODUCTS_CREATE', 'PRODUCTS_UPDATE', 'product.created', 'product.updated'],
  'product.deleted': ['PRODUCTS_DELETE', 'product.deleted'],
  'inventory.updated': ['INVENTORY_LEVELS_UPDATE'],
  'shipment.updated': ['FULFILLMENTS_CREATE'],
  'app.uninstalled': ['APP_UNINSTALLED'],
}

/** Those of which a dialect has any. */
const topicsKnown = (knows: (word: string) => boolean): ConnectorWebhooks['topics'] =>
  Object.fromEntries(
    Object.entries(topics)
      .map(([topic, words]) => [topic, words.filter(knows)] as const)
      .filter(([, words]) => words.length > 0),
  )

const topicOfWord = new Map(
  Object.entries(topics).flatMap(([topic, words]) => words.map((word) => [word, topic as WebhookTopic])),
)
const topicOf = (word: string): WebhookTopic | null => topicOfWord.get(word) ?? null

export const webhooksFor = (
  dialectOf: ChooseDialect,
  knows: (word: string) => boolean = () => true,
): ConnectorWebhooks<Settings, Credentials> => ({
  topics: topicsKnown(knows),
  registration: {
    kind: 'api',
    list: async (shop) => (await dialectOf(shop).webhooks?.list(shop)) ?? [],
    async register(shop, { url, topics: wanted, secret }) {
      const { webhooks: hooks } = dialectOf(shop)
      if (!hooks) return []
      const there = (await hooks.list(shop)).filter((one) => one.url === url)
      const registered: RegisteredWebhook[] = []
      for (const topic of wanted.flatMap((name) => topics[name] ?? []).filter(hooks.knows)) {
        registered.push(there.find((one) => one.topic === topic) ?? (await hooks.create(shop, { url, topic, secret })))
      }
      return registered
    },
    async remove(shop, remoteId) {
      await dialectOf(shop).webhooks?.remove(shop, remoteId)
    },
  },
  verify({ headers, raw }, { registration, client }) {
    const platform = headers['x-shopify-hmac-sha256']
    const signature = platform ?? headers['x-wc-webhook-signature']
    if (!signature) return false
    const shared =
      platform !== undefined && typeof client['client_secret'] === 'string' ? [client['client_secret']] : []
    return [...registration, ...shared].some((secret) => isSigned(raw, { secret, signature, encoding: 'base64' }))
  },
  read: (delivery) => (delivery.headers['x-shopify-topic'] ? readShopify(delivery) : readWoo(delivery)),
  /** A new webhook is pinged once, unsigned: a form that says no more than its number. */
  handshake({ headers, raw }) {
    const form = (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
    const isPing = form && raw.length < 40 && /^webhook_id=\d+$/.test(raw.toString())
    return isPing ? { status: 200, contentType: 'text/plain', body: 'ok' } : null
  },
})

const bodyIn = ({ raw }: Delivery): Fields => fieldsOf(parseForeignJson(raw.toString(), 64))

/** Thin on purpose: an older form of the record that says what to read again. */
function readShopify(delivery: Delivery): DeliveryReading {
  const { headers } = delivery
  const word = (headers['x-shopify-topic'] ?? '').replaceAll('/', '_').toUpperCase()
  const topic = topicOf(word)
  return {
    deliveryId: idOf(headers['x-shopify-webhook-id']),
    topic,
    changes: topic === null || topic === 'app.uninstalled' ? [] : [changeIn(word, bodyIn(delivery))],
    at: headers['x-shopify-triggered-at'] ?? null,
  }
}

function changeIn(word: string, body: Fields): DeliveryReading['changes'][number] {
  const named = (kind: string, name: string) => `gid://shopify/${kind}/${idIn(body, name)}`
  if (word.startsWith('PRODUCTS_')) return { kind: 'product', remoteId: named('Product', 'id'), raw: null }
  if (word.startsWith('INVENTORY_')) {
    return { kind: 'inventory', remoteId: named('InventoryItem', 'inventory_item_id'), raw: null }
  }
  // What was sent is told with the order.
  const id = word.startsWith('FULFILLMENTS_') ? 'order_id' : 'id'
  return { kind: 'order', remoteId: named('Order', id), raw: null }
}

/** The whole record; but products come without their variations, and what is gone comes with its id alone. */
function readWoo(delivery: Delivery): DeliveryReading {
  const { headers } = delivery
  const word = headers['x-wc-webhook-topic'] ?? ''
  const topic = topicOf(word)
  const body = bodyIn(delivery)
  const kind = word.startsWith('product.') ? 'product' : 'order'
  const whole = kind === 'order' && maybeText(body, 'status') !== null
  return {
    deliveryId: idOf(headers['x-wc-webhook-delivery-id']),
    topic,
    changes: topic === null ? [] : [{ kind, remoteId: idIn(body, 'id'), raw: whole ? body : null }],
    at: null,
  }
}

function idOf(header: string | undefined): string {
  if (!header) throw new TypeError('The message has no id.')
  return header
}
