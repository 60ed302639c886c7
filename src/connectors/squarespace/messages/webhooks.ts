import { createHmac } from 'node:crypto'
import {
  type ConnectorWebhooks,
  type Delivery,
  type DeliveryReading,
  type RegisteredWebhook,
  registerEach,
  type WantedWebhooks,
  type WebhookSecrets,
  type WebhookTopic,
} from '../../../commerce/connector/webhooks.ts'
import { type Fields, fieldsIn, fieldsOf, idIn, maybeText, textIn, timeOf } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { bytesIn, isSame } from '../../../lib/hmac.ts'
import { parseForeignJson } from '../../../lib/parse-json.ts'
import type { Credentials, Settings, SquareShop } from '../settings.ts'
import { eachOf, listSubscriptions, renewSecret, subscribe, unsubscribe, widen } from './registrations.ts'

const topics: Readonly<Partial<Record<WebhookTopic, readonly string[]>>> = {
  'order.created': ['order.create'],
  'order.updated': ['order.update'],
  'app.uninstalled': ['extension.uninstall'],
}

export const webhooks: ConnectorWebhooks<Settings, Credentials> = {
  topics,
  registration: {
    kind: 'api',
    list: async (shop) => (isKey(shop) ? [] : (await listSubscriptions(shop)).flatMap(eachOf)),
    register,
    remove: unsubscribe,
    // They are one, whatever the number of its topics.
    removeAll: async (shop, ids) => {
      for (const id of new Set(ids)) await unsubscribe(shop, id)
    },
  },
  verify,
  identityOf,
  read,
}

const isKey = ({ credentials: { api_key: key } }: SquareShop): boolean => key !== undefined

/** A secret of theirs, and not one of ours that was there before it. */
const isTheirs = (secret: string): boolean => /^(?:[0-9a-f]{2}){16,128}$/i.test(secret)

/** One subscription for all. If nobody knows its secret, because the answer with it was lost, there is another one. */
async function register(shop: SquareShop, wanted: WantedWebhooks): Promise<readonly RegisteredWebhook[]> {
  const words = wanted.topics.flatMap((topic) => topics[topic] ?? [])
  if (isKey(shop)) return await registerEach(words, wanted, keysCannot)
  const there = (await listSubscriptions(shop)).find(({ url }) => url === wanted.url)
  if (!there) {
    const { made, secret } = await subscribe(shop, { url: wanted.url, topics: words })
    await wanted.keepSecret?.(secret)
    return eachOf(made)
  }
  if (!isTheirs(wanted.secret)) await wanted.keepSecret?.(await renewSecret(shop, there.id))
  const isWhole = words.every((word) => there.topics.includes(word))
  return eachOf(isWhole ? there : await widen(shop, there.id, [...new Set([...there.topics, ...words])]))
}

async function keysCannot(): Promise<never> {
  throw refused(say('extension_needed'))
}

/** What signs is what the digits of the secret stand for. */
function verify({ headers, raw }: Delivery, { registration }: WebhookSecrets): boolean {
  const given = bytesIn(headers['squarespace-signature'], 'hex')
  if (given === null) return false
  return registration.some((secret) => {
    const key = bytesIn(secret.toLowerCase(), 'hex')
    return key !== null && isSame(given, createHmac('sha256', key).update(raw).digest())
  })
}

const bodyOf = ({ raw }: Pick<Delivery, 'raw'>): Fields => fieldsOf(parseForeignJson(raw.toString(), 16))

/** They name sites by their id, whatever the merchant called it. */
function identityOf(delivery: Delivery): string | null {
  try {
    return idIn(bodyOf(delivery), 'websiteId')
  } catch {
    return null
  }
}

/** Never more than what it is about: the rest is read from the shop. */
function read(delivery: Delivery): DeliveryReading {
  const body = bodyOf(delivery)
  const word = textIn(body, 'topic')
  const found = Object.entries(topics).find(([, words]) => words.includes(word))
  const topic = found ? (found[0] as WebhookTopic) : null
  const isOrder = topic !== null && topic !== 'app.uninstalled'
  return {
    deliveryId: textIn(body, 'id'),
    topic,
    changes: isOrder ? [{ kind: 'order', remoteId: textIn(fieldsIn(body, 'data'), 'orderId'), raw: null }] : [],
    at: momentIn(body),
  }
}

/** Some are written without seconds: `2020-04-22T22:18+00:00`. */
function momentIn(body: Fields): string | null {
  const text = maybeText(body, 'createdOn')
  return text === null ? null : timeOf(text.replace(/T(\d\d:\d\d)(?=Z|[+-])/, 'T$1:00'))
}
