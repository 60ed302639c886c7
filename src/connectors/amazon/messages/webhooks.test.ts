import { describe, expect, test } from 'vitest'
import { hasSpecifications, noSpecifications, readSample } from '../../../../test/support/vendor-specification.ts'
import type { Settings } from '../settings.ts'
import { webhooks } from './webhooks.ts'

const us: { shop: string; settings: Settings } = { shop: 'a3th9s8bh6gogm', settings: { marketplace: 'US' } }
const key = 'a key that nobody else has'
const secrets = { registration: [], client: { notification_key: key } }

const delivery = (body: unknown, headers: Record<string, string> = { 'x-api-key': key }) => ({
  method: 'POST',
  headers,
  query: {},
  raw: Buffer.from(JSON.stringify(body)),
})

const notification = {
  NotificationType: 'ORDER_CHANGE',
  EventTime: '2026-11-15T10:00:01.000Z',
  Payload: {
    OrderChangeNotification: {
      SellerId: 'A3TH9S8BH6GOGM',
      AmazonOrderId: '903-8868176-2219830',
      OrderChangeTrigger: { TimeOfOrderChange: '2026-11-15T10:00:00.000Z' },
    },
  },
  NotificationMetadata: { NotificationId: 'd0e9e693' },
}

describe('messages', () => {
  test('are believed by the key that the operator gave, and by nothing else', () => {
    expect(webhooks.verify(delivery(notification), secrets)).toBe(true)
    const others = [{}, { 'x-api-key': '' }, { 'x-api-key': `${key} ` }, { 'x-api-key': key.toUpperCase() }]
    for (const headers of others) expect(webhooks.verify(delivery(notification, headers), secrets)).toBe(false)
    for (const client of [{}, { notification_key: '' }, { notification_key: 'short' }]) {
      const given = delivery(notification, { 'x-api-key': client.notification_key ?? '' })
      expect(webhooks.verify(given, { registration: [], client })).toBe(false)
    }
  })

  test.each([
    ['by itself', notification],
    ['as the detail of an event', { id: '1', 'detail-type': 'ORDER_CHANGE', detail: notification }],
    ['as a message of a queue that was carried on', [{ messageId: '1', body: JSON.stringify(notification) }]],
  ])('name the seller and the order: %s', (_, body) => {
    expect(webhooks.shopOf?.(delivery(body))).toBe(us.shop)
    expect(webhooks.read(delivery(body), us)).toEqual({
      deliveryId: 'd0e9e693',
      topic: 'order.updated',
      changes: [{ kind: 'order', remoteId: '903-8868176-2219830', raw: null }],
      at: '2026-11-15T10:00:00.000000Z',
    })
  })

  test('about something else name nobody', () => {
    for (const body of [{}, [], 'text', { NotificationType: 'FEED_PROCESSING_FINISHED', Payload: {} }])
      expect(webhooks.shopOf?.(delivery(body))).toBeNull()
  })

  test.skipIf(!hasSpecifications)(`are understood as the official sample has them (else: ${noSpecifications})`, () => {
    const sample = delivery(readSample('amazon-spapi/samples/notification.ORDER_CHANGE.json'))
    expect(webhooks.shopOf?.(sample)).toBe(us.shop)
    expect(webhooks.read(sample, us)).toMatchObject({
      deliveryId: 'd0e9e693-c3ad-4373-979f-ed4ec98dd746',
      changes: [{ remoteId: '903-8868176-2219830' }],
      at: '2022-11-29T19:42:04.284000Z',
    })
  })
})

describe('the queue', () => {
  const client = {
    queue_url: 'https://sqs.eu-west-1.amazonaws.com/123456789012/orders',
    aws_access_key_id: 'AKIA',
    aws_secret_access_key: 'secret',
  }
  const ask = (given: object) => webhooks.queue?.receive({ ...given }, { seconds: 1_800_000_000 })

  test('is asked where it is, signed for its region', () => {
    expect(ask(client)).toMatchObject({
      url: 'https://sqs.eu-west-1.amazonaws.com/',
      request: {
        headers: {
          'x-amz-target': 'AmazonSQS.ReceiveMessage',
          authorization: expect.stringContaining('/20270115/eu-west-1/sqs/aws4_request'),
        },
      },
    })
  })

  test('is on no other host, whatever the client says', () => {
    const hosts = [
      'https://sqs.eu-west-1.amazonaws.com.evil.example',
      'http://sqs.eu-west-1.amazonaws.com',
      'https://evil.example',
    ]
    for (const host of hosts) expect(ask({ ...client, queue_url: `${host}/123456789012/orders` })).toBeNull()
    for (const name of Object.keys(client)) expect(ask({ ...client, [name]: undefined })).toBeNull()
  })
})
