import type {
  ConnectorWebhooks,
  Delivery,
  DeliveryReading,
  WebhookSecrets,
  WebhookTopic,
} from '../../../commerce/connector/webhooks.ts'
import {
  arrayIn,
  type Fields,
  fieldsOf,
  maybeFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeOfUnix,
} from '../../../commerce/reading.ts'
import { say } from '../../../commerce/words/say.ts'
import { isSigned } from '../../../lib/hmac.ts'
import { parseForeignJson } from '../../../lib/parse-json.ts'
import { Unreadable } from '../../../lib/words/unreadable.ts'
import type { Credentials, Settings, TikTokFacts } from '../settings.ts'
import { listHooks, registerHooks, removeHook } from './registrations.ts'

/** New orders come as a change of their status. */
export const topics: Readonly<Partial<Record<WebhookTopic, readonly string[]>>> = {
  'order.updated': ['ORDER_STATUS_CHANGE', 'RECIPIENT_ADDRESS_UPDATE', 'CANCELLATION_STATUS_CHANGE'],
  'shipment.updated': ['PACKAGE_UPDATE'],
  'product.updated': ['PRODUCT_STATUS_CHANGE', 'PRODUCT_INFORMATION_CHANGE', 'PRODUCT_CREATION'],
  'app.uninstalled': ['SELLER_DEAUTHORIZATION'],
}

export const webhooks: ConnectorWebhooks<Settings, Credentials> = {
  topics,
  registration: {
    kind: 'api',
    list: listHooks,
    register: (shop, wanted) =>
      registerHooks(
        shop,
        wanted,
        wanted.topics.flatMap((topic) => topics[topic] ?? []),
      ),
    remove: removeHook,
    usesSecret: () => false,
    ownSecret: ({ typed, app_key: key, app_secret: secret }) => (typed ? `${key} ${secret}` : null),
  },
  verify,
  identityOf,
  read,
}

/** Signed with the secret of the app, its key before the message. Of apps of sellers' own both are kept as one secret. */
function verify({ headers, raw }: Delivery, { registration, client }: WebhookSecrets): boolean {
  const own = registration.flatMap((kept) => {
    const [, key, secret] = /^(\S+) (\S+)$/.exec(kept) ?? []
    return key && secret ? [{ key, secret }] : []
  })
  const { app_key: key, app_secret: secret } = client
  const ours = typeof key === 'string' && typeof secret === 'string' ? [{ key, secret }] : []
  const signature = headers['authorization'] ?? ''
  return [...ours, ...own].some((app) =>
    isSigned(Buffer.concat([Buffer.from(app.key), raw]), { secret: app.secret, signature, encoding: 'hex' }),
  )
}

const bodyOf = ({ raw }: Delivery): Fields => fieldsOf(parseForeignJson(raw.toString(), 16))

/** An app has one secret for all its shops: they are named by their number. */
function identityOf(delivery: Delivery): string | null {
  try {
    return maybeText(bodyOf(delivery), 'shop_id')
  } catch {
    return null
  }
}

const deauthorized = 6

/**
 * Thin, and without the name of the event: what it is about is in what it names. The numbers of events are not all
 * published; of those that name nothing only the one that ends all is known.
 */
function read(delivery: Delivery, { settings: { shop_id: own } }: TikTokFacts): DeliveryReading {
  const body = bodyOf(delivery)
  if (textIn(body, 'shop_id') !== own) throw new Unreadable(say('webhook_of_another'))
  const data = maybeFields(body, 'data') ?? {}
  const seconds = numberIn(body, 'timestamp')
  return {
    deliveryId: textIn(body, 'tts_notification_id'),
    ...(numberIn(body, 'type') === deauthorized ? { topic: 'app.uninstalled', changes: [] } : aboutIn(data)),
    at: timeOfUnix(seconds),
  }
}

function aboutIn(data: Fields): Pick<DeliveryReading, 'topic' | 'changes'> {
  const change = (kind: 'order' | 'product') => (remoteId: string) => ({ kind, remoteId, raw: null })
  const order = maybeText(data, 'order_id')
  if (order !== null) return { topic: 'order.updated', changes: [change('order')(order)] }
  const packages = data['package_list'] == null ? [] : recordsIn(data, 'package_list')
  const orders = packages.flatMap((one) =>
    one['order_id_list'] == null ? [] : arrayIn(one, 'order_id_list').map(String),
  )
  if (orders.length > 0) return { topic: 'shipment.updated', changes: [...new Set(orders)].map(change('order')) }
  const product = maybeText(data, 'product_id')
  return product === null
    ? { topic: null, changes: [] }
    : { topic: 'product.updated', changes: [change('product')(product)] }
}
