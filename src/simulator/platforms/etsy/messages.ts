import { createHmac } from 'node:crypto'
import type { Message } from '../../platform.ts'
import type { World } from '../../world.ts'
import { receiptIdOf } from './receipts.ts'

const events = { created: 'order.paid', sent: 'order.shipped', cancelled: 'order.canceled' } as const

/**
 * Etsy sends to an address that apps enter on its own pages: the variants `webhook_url` and `webhook_secret`. Signed as
 * Standard Webhooks say.
 */
export function createMessages({ settings, shop, courier, secretFor }: World, shopId: number) {
  let sent = 0
  function message(event: string, index: number, secret: string): Message & { id: string } {
    const id = `msg_${secretFor(`message ${++sent}`, 24)}`
    const at = String(Math.floor(Date.now() / 1000))
    const resource_url = `https://openapi.etsy.com/v3/application/shops/${shopId}/receipts/${receiptIdOf(index)}`
    const body = JSON.stringify({ event_type: event, resource_url, shop_id: shopId })
    const signature = createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64')
    const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` }
    return { id, headers: { 'content-type': 'application/json', ...headers }, body }
  }
  const { webhook_url: url, webhook_secret: secret = '' } = settings.variant
  shop.book.onChange(({ kind, index }) => {
    if (url === undefined || (kind !== 'created' && kind !== 'sent' && kind !== 'cancelled')) return
    const topic = events[kind]
    const { id, headers, body } = message(topic, index, secret)
    courier.send({ topic, subject: `order ${receiptIdOf(index)}`, delivery: id, url, headers, body, done: () => {} })
  })
  return (by: string): readonly Message[] =>
    [...Object.values(events), 'order.unheard_of'].map((event) => message(event, 0, by))
}
