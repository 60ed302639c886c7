import { createPublicKey, verify as verifySignature } from 'node:crypto'
import type {
  ConnectorWebhooks,
  Delivery,
  DeliveryReading,
  WebhookSecrets,
  WebhookTopic,
} from '../../commerce/connector/webhooks.ts'
import { type Fields, fieldsOf, maybeText, maybeTime, textIn, timeOfUnix } from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { bytesIn } from '../../lib/hmac.ts'
import { parseForeignJson } from '../../lib/parse-json.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { type Credentials, isId, type Settings, type WixFacts } from './settings.ts'

const order = 'wix.ecom.v1.order_'
const catalog = 'wix.stores.catalog.v3.'

const topics: Readonly<Partial<Record<WebhookTopic, readonly string[]>>> = {
  'order.created': [`${order}created`, `${order}approved`],
  'order.updated': [`${order}updated`, `${order}payment_status_updated`],
  'order.cancelled': [`${order}canceled`],
  'shipment.updated': ['wix.ecom.v1.fulfillments_updated'],
  'product.updated': [`${catalog}product_created`, `${catalog}product_updated`],
  'product.deleted': [`${catalog}product_deleted`],
  'inventory.updated': [`${catalog}inventory_item_created`, `${catalog}inventory_item_updated`],
  'app.uninstalled': ['AppRemoved'],
}

const kinds: Readonly<Partial<Record<WebhookTopic, DeliveryReading['changes'][number]['kind']>>> = {
  ...{ 'order.created': 'order', 'order.updated': 'order', 'order.cancelled': 'order', 'shipment.updated': 'order' },
  ...{ 'product.updated': 'product', 'product.deleted': 'product', 'inventory.updated': 'inventory' },
}

/** Wix sends them to the address that is entered on the pages of the app, for all sites that have it. */
export const webhooks: ConnectorWebhooks<Settings, Credentials> = {
  topics,
  registration: { kind: 'portal' },
  verify,
  sentAt,
  identityOf,
  read,
}

const form = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/

/** The whole body is one signed text. Whatever algorithm it says otherwise, it is RS256 with the key of the app. */
function verify({ raw }: Delivery, { client: { public_key: pem } }: WebhookSecrets): boolean {
  const [, head = '', body, signature = ''] = form.exec(raw.toString('latin1')) ?? []
  if (typeof pem !== 'string' || body === undefined) return false
  try {
    if (decoded(head)['alg'] !== 'RS256') return false
    // Keys are pasted from pages, where their lines may have become one.
    const key = createPublicKey(pem.replaceAll('\\n', '\n'))
    if (key.asymmetricKeyType !== 'rsa') return false
    // Another way to write the same bytes is another text.
    const given = bytesIn(signature, 'base64url')
    return given !== null && verifySignature('RSA-SHA256', Buffer.from(`${head}.${body}`), key, given)
  } catch {
    return false
  }
}

const decoded = (part: string): Fields => fieldsOf(parseForeignJson(Buffer.from(part, 'base64url').toString(), 8))

const claimsIn = ({ raw }: Delivery): Fields => decoded(form.exec(raw.toString('latin1'))?.[2] ?? '')

/** A text in the claims has the message, and a text in that what it is about. */
const messageIn = (claims: Fields): Fields => fieldsOf(parseForeignJson(textIn(claims, 'data'), 8))

function sentAt(delivery: Delivery): number | null {
  const { iat } = claimsIn(delivery)
  return typeof iat === 'number' && Number.isSafeInteger(iat) ? iat : null
}

/** The installation of the app, which every site has one of. */
function identityOf(delivery: Delivery): string | null {
  try {
    return maybeText(messageIn(claimsIn(delivery)), 'instanceId')
  } catch {
    return null
  }
}

/** Messages bring the order without its parcels and refunds, and may be older than they seem: it is read from the shop. */
function read(delivery: Delivery, { settings }: WixFacts): DeliveryReading {
  const claims = claimsIn(delivery)
  const message = messageIn(claims)
  const instance = textIn(message, 'instanceId')
  if (instance !== settings.instance_id) throw new Unreadable(say('webhook_of_another'))
  const word = textIn(message, 'eventType')
  const event = fieldsOf(parseForeignJson(maybeText(message, 'data') ?? '{}', 64))
  const found = Object.entries(topics).find(([, words]) => words.includes(word))
  const topic = found ? (found[0] as WebhookTopic) : null
  const kind = topic === null ? undefined : kinds[topic]
  const id = maybeText(event, 'entityId')
  if (kind && (id === null || !isId(id))) throw new Unreadable(say('webhook_no_subject'))
  const at = typeof claims['iat'] === 'number' ? claims['iat'] : 0
  return {
    deliveryId: maybeText(event, 'id') ?? `${word} ${instance} ${at}`,
    topic,
    changes: kind && id !== null ? [{ kind, remoteId: id, raw: null }] : [],
    at: maybeTime(event, 'eventTime') ?? timeOfUnix(at),
  }
}
