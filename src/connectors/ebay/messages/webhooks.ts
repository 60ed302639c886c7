import { createPublicKey, hash, verify as isSignedWith } from 'node:crypto'
import type {
  ConnectorWebhooks,
  Delivery,
  DeliveryReading,
  WebhookSecrets,
  WebhookTopic,
} from '../../../commerce/connector/webhooks.ts'
import {
  type Fields,
  fieldsIn,
  fieldsOf,
  isFields,
  maybeFields,
  maybeText,
  maybeTime,
  textIn,
} from '../../../commerce/reading.ts'
import type { Remote } from '../../../commerce/remote.ts'
import type { AnyFields } from '../../../commerce/shop.ts'
import { bytesIn } from '../../../lib/hmac.ts'
import { parseForeignJson } from '../../../lib/parse-json.ts'
import { notificationApi } from '../ask.ts'
import { askAsApp } from '../auth.ts'
import { type Credentials, type Settings, shopNameOf } from '../settings.ts'
import { subscribe } from './registrations.ts'

const topics: Readonly<Partial<Record<WebhookTopic, readonly string[]>>> = {
  'order.created': ['ORDER_CONFIRMATION'],
  'privacy.customer_redact': ['MARKETPLACE_ACCOUNT_DELETION'],
}

/**
 * eBay sends all that an app has asked for to addresses of the app, not of a shop: they are entered at developer.ebay.com. What
 * concerns a seller is asked for besides.
 */
export const webhooks: ConnectorWebhooks<Settings, Credentials> = {
  topics,
  registration: { kind: 'portal', subscribe },
  verify,
  publicKey: { idOf: (delivery) => signatureOf(delivery)?.kid ?? null, ask: askKey },
  shopOf,
  identityOf,
  read,
  handshake,
}

interface Signature {
  kid: string
  digest: string
  signature: Buffer
}

const digests = ['SHA1', 'SHA256', 'SHA384', 'SHA512']

/**
 * The header is JSON in base64: with which key and how it was signed, and the signature, in base64 once more. Nothing of
 * it is signed itself, so it has to be what eBay writes, to the letter, or it is nothing.
 */
function signatureOf({ headers }: Delivery): Signature | null {
  const text = bytesIn(headers['x-ebay-signature'], 'base64')
  if (text === null) return null
  try {
    const { alg, kid, signature, digest, ...others } = fieldsOf(parseForeignJson(text.toString(), 4))
    const bytes = bytesIn(signature, 'base64')
    const isKnown = alg === 'ecdsa' && typeof digest === 'string' && digests.includes(digest)
    const isKey = typeof kid === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(kid)
    if (!isKnown || !isKey || bytes === null || Object.keys(others).length > 0) return null
    const isWrittenSo = text.equals(Buffer.from(JSON.stringify({ alg, kid, signature, digest })))
    return isWrittenSo ? { kid, digest, signature: bytes } : null
  } catch {
    return null
  }
}

async function askKey(remote: Remote, id: string, client: AnyFields): Promise<string> {
  const { body } = await askAsApp(remote, client, { path: `${notificationApi}/public_key/${id}` })
  const reported = fieldsOf(body)
  const der = textIn(reported, 'key').replace(/-----[A-Z ]+-----|\s/g, '')
  return `${textIn(reported, 'digest')} ${der}`
}

function verify(delivery: Delivery, { publicKey }: WebhookSecrets): boolean {
  const signature = signatureOf(delivery)
  const [digest = '', der = ''] = (publicKey ?? '').split(' ')
  if (!signature || der === '' || digest !== signature.digest) return false
  const key = createPublicKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'spki' })
  return isSignedWith(digest, delivery.raw, key, signature.signature)
}

/** Before it sends anything, eBay asks whether the address is ours. */
function handshake({ method, query }: Delivery, { client }: WebhookSecrets) {
  const { challenge_code: challenge } = query
  const { verification_token: token, notification_url: endpoint } = client
  if (method !== 'GET' || !challenge || typeof token !== 'string' || typeof endpoint !== 'string') return null
  const challengeResponse = hash('sha256', challenge + token + endpoint, 'hex')
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ challengeResponse }) }
}

const messageOf = ({ raw }: Delivery): Fields => fieldsOf(parseForeignJson(raw.toString(), 32))

const dataIn = (message: Fields): Fields => fieldsIn(fieldsIn(message, 'notification'), 'data')

/** Whose sale it is. Those about buyers name no shop. */
function userIn(delivery: Delivery): Fields {
  try {
    return maybeFields(dataIn(messageOf(delivery)), 'user') ?? {}
  } catch {
    return {}
  }
}

function identityOf(delivery: Delivery): string | null {
  return maybeText(userIn(delivery), 'userId')
}

function shopOf(delivery: Delivery): string | null {
  const user = userIn(delivery)
  const name = maybeText(user, 'username') ?? maybeText(user, 'userId')
  return name ? shopNameOf(name) : null
}

function read(delivery: Delivery): DeliveryReading {
  const message = messageOf(delivery)
  const notification = fieldsIn(message, 'notification')
  const word = textIn(fieldsIn(message, 'metadata'), 'topic')
  const found = Object.entries(topics).find(([, words]) => words.includes(word))
  const topic = found ? (found[0] as WebhookTopic) : null
  const data = isFields(notification['data']) ? notification['data'] : {}
  return {
    deliveryId: textIn(notification, 'notificationId'),
    topic,
    changes:
      topic === 'order.created'
        ? [{ kind: 'order', remoteId: textIn(fieldsIn(data, 'order'), 'orderId'), raw: null }]
        : [],
    at: maybeTime(notification, 'eventDate'),
    privacy:
      topic === 'privacy.customer_redact'
        ? { customer: { remoteId: buyerIn(data), email: null, phone: null }, orderRemoteIds: [] }
        : null,
  }
}

/** Orders know buyers by this name; where eBay hides names, it reports the id in their place, there as here. */
const buyerIn = (data: Fields): string => maybeText(data, 'username') ?? textIn(data, 'userId')
