import { createHmac, hash } from 'node:crypto'
import { inSeconds } from '../../clock.ts'
import { type Answer, answer, type Call, type RouteRow } from '../../http/route.ts'
import { rowsOf, textOf, wholeOf } from '../../json.ts'
import type { Message } from '../../platform.ts'
import type { World } from '../../world.ts'
import { marketplace, orderIdOf, statuses } from './orders.ts'
import { invalid, no } from './reply.ts'

export const queueHost = 'sqs.eu-west-1.amazonaws.com'

const refused = (type: string, message: string) => answer(400, { __type: `com.amazonaws.sqs#${type}`, message })

interface Waiting {
  id: string
  body: string
  /** Nobody else is given it before. */
  hiddenUntil: number
  receipt: string
}

/** Where notifications go: subscriptions of the seller, and a queue of the operator's (variant `queue: yes`). */
export function createQueue({ clock, settings, shop, secretFor }: World, seller: string) {
  const keys = { id: `AKIA${secretFor('aws', 16).toUpperCase()}`, secret: secretFor('aws secret') }
  const client = {
    ...{ destination_id: secretFor('destination', 32), queue_url: `https://${queueHost}/123456789012/orders` },
    ...{ aws_access_key_id: keys.id, aws_secret_access_key: keys.secret },
  }
  const waiting: Waiting[] = []
  let [subscribed, sent] = [false, 0]

  shop.book.onChange(({ kind, index }) => {
    if (!subscribed || kind === 'deleted') return
    const id = secretFor(`notification ${++sent}`, 32)
    waiting.push({ id, body: JSON.stringify(notification(id, index)), hiddenUntil: 0, receipt: '' })
  })

  function notification(id: string, index: number) {
    const now = inSeconds(clock.now())
    const Summary = { MarketplaceId: marketplace.id, OrderStatus: statuses[shop.book.stageAt(index)] }
    const OrderChangeNotification = {
      ...{ NotificationLevel: 'OrderLevel', SellerId: seller, AmazonOrderId: orderIdOf(index), Summary },
      ...{ OrderChangeType: 'OrderStatusChange', OrderChangeTrigger: { TimeOfOrderChange: now } },
    }
    return {
      ...{ NotificationVersion: '1.0', NotificationType: 'ORDER_CHANGE', PayloadVersion: '1.0', EventTime: now },
      Payload: { OrderChangeNotification },
      NotificationMetadata: { SubscriptionId: 'subscription-1', PublishTime: now, NotificationId: id },
    }
  }

  function asked(call: Call): Answer {
    if (!isSigned(call, keys)) return refused('InvalidSignature', 'The request signature does not match.')
    const fields = call.fields()
    if (fields['QueueUrl'] !== client.queue_url) return refused('QueueDoesNotExist', 'There is no such queue.')
    switch (call.header('x-amz-target')) {
      case 'AmazonSQS.ReceiveMessage':
        return answer(200, receive(fields['MaxNumberOfMessages'], fields['VisibilityTimeout']))
      case 'AmazonSQS.DeleteMessageBatch':
        return answer(200, remove(rowsOf(fields['Entries'])))
      default:
        return refused('UnsupportedOperation', 'Unknown operation.')
    }
  }

  function receive(count: unknown, seconds: unknown) {
    const now = clock.now()
    const some = waiting.filter(({ hiddenUntil }) => hiddenUntil <= now).slice(0, wholeOf(count) ?? 1)
    for (const one of some) {
      one.hiddenUntil = now + (wholeOf(seconds) ?? 30) * 1_000_000
      one.receipt = secretFor(`receipt ${one.id} ${now}`)
    }
    const Messages = some.map(({ id, body, receipt }) => ({ MessageId: id, ReceiptHandle: receipt, Body: body }))
    return some.length === 0 ? {} : { Messages }
  }

  function remove(entries: readonly Readonly<Record<string, unknown>>[]) {
    for (const { ReceiptHandle } of entries) {
      const at = waiting.findIndex(({ receipt }) => receipt !== '' && receipt === ReceiptHandle)
      if (at >= 0) waiting.splice(at, 1)
    }
    return { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] }
  }

  const shown = () => ({
    payload: { subscriptionId: '1', payloadVersion: '1.0', destinationId: client.destination_id },
  })
  function subscribe(call: Call): Answer {
    if (textOf(call.fields()['destinationId']) !== client.destination_id) return invalid('destinationId')
    subscribed = true
    return answer(200, shown())
  }
  const path = '/notifications/v1/subscriptions/ORDER_CHANGE'
  const rows: readonly RouteRow[] = [
    ['POST', '/', 'queue', asked, { open: true }],
    [
      ...(['GET', path, 'getSubscription'] as const),
      () => (subscribed ? answer(200, shown()) : no(404, 'NotFound', 'There is no such subscription.')),
    ],
    ['POST', path, 'createSubscription', subscribe],
  ]
  /** As a pipe of EventBridge carries them on. */
  const messages = (key: string): readonly Message[] =>
    [0, 1, 2].map((index) => ({
      headers: { 'content-type': 'application/json', 'x-api-key': `key of the operator ${key}` },
      body: JSON.stringify({ id: `event ${index}`, detail: notification(secretFor(`event ${index}`, 32), index) }),
    }))
  return { rows, messages, client: settings.variant['queue'] === 'yes' ? client : {} }
}

/** Signature Version 4, reckoned anew from what was signed. */
function isSigned(call: Call, keys: { id: string; secret: string }): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/sqs\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w+)$/
  const [, id, date = '', region = '', names = '', signature] = pattern.exec(call.header('authorization') ?? '') ?? []
  const at = call.header('x-amz-date') ?? ''
  const headerOf = (name: string) => (name === 'host' ? new URL(call.origin).host : (call.header(name) ?? ''))
  const headers = names.split(';').map((name) => `${name}:${headerOf(name)}\n`)
  const canonical = `${call.method}\n${call.path}\n\n${headers.join('')}\n${names}\n${hash('sha256', call.raw)}`
  const text = `AWS4-HMAC-SHA256\n${at}\n${date}/${region}/sqs/aws4_request\n${hash('sha256', canonical)}`
  const sign = (key: string | Buffer, part: string) => createHmac('sha256', key).update(part).digest()
  const key = sign(sign(sign(sign(`AWS4${keys.secret}`, date), region), 'sqs'), 'aws4_request')
  return id === keys.id && at.startsWith(date) && sign(key, text).toString('hex') === signature
}
