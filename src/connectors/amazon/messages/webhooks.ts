import type {
  ConnectorWebhooks,
  Delivery,
  DeliveryReading,
  WebhookSecrets,
} from '../../../commerce/connector/webhooks.ts'
import { type Fields, fieldsIn, fieldsOf, isFields, maybeFields, maybeTime, textIn } from '../../../commerce/reading.ts'
import { isSame } from '../../../lib/hmac.ts'
import { parseForeignJson } from '../../../lib/parse-json.ts'
import type { Credentials, Settings } from '../settings.ts'
import { queue } from './queue.ts'

/**
 * Amazon writes to queues of its cloud alone. They are emptied from here, or the operator lets EventBridge carry their
 * messages on to the address of all shops, with a key in a header.
 */
export const webhooks: ConnectorWebhooks<Settings, Credentials> = {
  // Of changes it tells statuses and wishes alone: what it does not tell proves nothing about its messages.
  topics: { 'order.created': ['ORDER_CHANGE'] },
  registration: { kind: 'portal' },
  verify,
  shopOf,
  read,
  queue,
}

const minKeyLength = 16

/**
 * What EventBridge sends is not signed: a key that only the operator has given it says who sends, and nothing vouches for
 * what is sent. So no word of it is believed: the order that it names is asked for.
 */
function verify({ headers }: Delivery, { client: { notification_key: key } }: WebhookSecrets): boolean {
  const given = headers['x-api-key']
  return typeof key === 'string' && key.length >= minKeyLength && given !== undefined && isSame(given, key)
}

const maxDepth = 32

/** By itself, as the detail of an event, or as the text of a message that was carried on as a whole. */
function notificationIn({ raw }: Pick<Delivery, 'raw'>): Fields {
  const [first] = [parseForeignJson(raw.toString(), maxDepth)].flat()
  const received = fieldsOf(first)
  if (isFields(received['detail'])) return received['detail']
  const text = received['body'] ?? received['Body']
  return typeof text === 'string' ? fieldsOf(parseForeignJson(text, maxDepth)) : received
}

const changeIn = (notification: Fields): Fields =>
  fieldsIn(fieldsIn(notification, 'Payload'), 'OrderChangeNotification')

/** Null for what is about something else. */
function shopOf(delivery: Delivery): string | null {
  try {
    return textIn(changeIn(notificationIn(delivery)), 'SellerId').toLowerCase()
  } catch {
    return null
  }
}

/** What it tells of the order lacks most: it only says which one is to be read. */
function read(delivery: Delivery): DeliveryReading {
  const notification = notificationIn(delivery)
  const change = changeIn(notification)
  const trigger = maybeFields(change, 'OrderChangeTrigger') ?? {}
  return {
    deliveryId: textIn(fieldsIn(notification, 'NotificationMetadata'), 'NotificationId'),
    topic: 'order.updated',
    changes: [{ kind: 'order', remoteId: textIn(change, 'AmazonOrderId'), raw: null }],
    at: maybeTime(trigger, 'TimeOfOrderChange') ?? maybeTime(notification, 'EventTime'),
  }
}
