import type { Message } from '../../platform.ts'
import type { World } from '../../world.ts'
import { lineIdOf, listingIdOf, orderIdOf, time } from './orders.ts'

import { signatureOf } from './signatures.ts'

/** A message for every line that is sold, to the one address that was entered for the app at the portal. */
export function createNotifications({ settings, clock, shop, courier, secretFor }: World, user: object) {
  const url = settings.variant['notification_url']
  let sent = 0

  function messagesOf(index: number): (Message & { id: string })[] {
    const { lines = [] } = shop.book.get(index) ?? {}
    return lines.map(({ line, product, quantity }) => {
      const id = secretFor(`notification ${++sent}`, 32)
      const orderLineItem = { orderLineItemId: lineIdOf(index, line), listingId: listingIdOf(product ?? 0), quantity }
      const data = { user, order: { orderId: orderIdOf(index), orderLineItems: [orderLineItem] } }
      const now = time(clock.now())
      const notification = { notificationId: id, eventDate: now, publishDate: now, publishAttemptCount: 1, data }
      const metadata = { topic: 'ORDER_CONFIRMATION', schemaVersion: '1.0', deprecated: false }
      const body = JSON.stringify({ metadata, notification })
      return { id, body, headers: { 'content-type': 'application/json', 'x-ebay-signature': signatureOf(body) } }
    })
  }

  shop.book.onChange(({ kind, index }) => {
    if (url === undefined || kind !== 'created') return
    const subject = `order ${orderIdOf(index)}`
    for (const { id, headers, body } of messagesOf(index))
      courier.send({ topic: 'ORDER_CONFIRMATION', subject, delivery: id, url, headers, body, done: () => {} })
  })
  return (): readonly Message[] => [0, 1, 2].flatMap((index) => messagesOf(index).slice(0, 1))
}
