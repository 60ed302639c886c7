import type {
  ConnectorWebhooks,
  Delivery,
  DeliveryReading,
  WebhookSecrets,
  WebhookTopic,
} from '../../commerce/connector/webhooks.ts'
import { fieldsOf, idIn, textIn, timeOfUnix } from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { parseForeignJson } from '../../lib/parse-json.ts'
import { isStandardSigned, standardSentAt } from '../../lib/standard-webhooks.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import type { Credentials, EtsyFacts, Settings } from './settings.ts'

const topics: Readonly<Partial<Record<WebhookTopic, readonly string[]>>> = {
  'order.created': ['order.paid'],
  'order.updated': ['order.shipped', 'order.delivered'],
  'order.cancelled': ['order.canceled'],
}

/** Etsy sends them to apps that it has looked at, to an address that is entered on its own pages. */
export const webhooks: ConnectorWebhooks<Settings, Credentials> = {
  topics,
  registration: { kind: 'portal' },
  verify,
  sentAt: standardSentAt,
  identityOf,
  read,
}

const prefix = 'whsec_'

function verify(delivery: Delivery, { client: { webhook_secret: secret } }: WebhookSecrets): boolean {
  if (typeof secret !== 'string' || !secret.startsWith(prefix)) return false
  return isStandardSigned(delivery, Buffer.from(secret.slice(prefix.length), 'base64'))
}

/** They name shops by their number, whatever the merchant called it. */
function identityOf({ raw }: Delivery): string | null {
  try {
    return idIn(fieldsOf(parseForeignJson(raw.toString(), 16)), 'shop_id')
  } catch {
    return null
  }
}

/** Never more than what it is about: the rest is read from the shop. */
function read({ headers, raw }: Delivery, { settings }: EtsyFacts): DeliveryReading {
  const body = fieldsOf(parseForeignJson(raw.toString(), 16))
  if (idIn(body, 'shop_id') !== String(settings.shop_id)) throw new Unreadable(say('webhook_of_another'))
  const word = textIn(body, 'event_type')
  const found = Object.entries(topics).find(([, words]) => words.includes(word))
  const receipt = /\/receipts\/([1-9]\d*)$/.exec(textIn(body, 'resource_url'))?.[1]
  if (found && !receipt) throw new Unreadable(say('webhook_no_subject'))
  return {
    deliveryId: textIn(headers, 'webhook-id'),
    topic: found ? (found[0] as WebhookTopic) : null,
    changes: found && receipt ? [{ kind: 'order', remoteId: receipt, raw: null }] : [],
    at: timeOfUnix(standardSentAt({ headers })),
  }
}
