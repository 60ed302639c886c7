import { type Answer, answer, below, type Call, type Handle, type Parts } from '../../http/route.ts'
import { type Fields, fieldsOf, textOf } from '../../json.ts'
import type { Message } from '../../platform.ts'
import type { World } from '../../world.ts'
import { lineIdOf, listingIdOf, orderIdOf, time } from './orders.ts'
import { badToken, no } from './reply.ts'
import { signatureOf } from './signatures.ts'

const base = '/commerce/notification/v1'

interface AppDoor {
  isApp(call: Call): boolean
}

/** A message for every line that is sold, to the one address of the app: entered at the portal, or subscribed to. */
export function createNotifications({ settings, clock, shop, courier, secretFor }: World, user: object, auth: AppDoor) {
  let sent = 0
  const destinations: Fields[] = []
  const subscriptions: Fields[] = []
  const ofApp =
    (handle: (call: Call) => Answer): Handle =>
    (call) =>
      auth.isApp(call) ? handle(call) : badToken()
  function subscribed(): string | undefined {
    const { destinationId } = subscriptions.find(({ status }) => status === 'ENABLED') ?? {}
    const found = destinations.find((one) => one['destinationId'] === destinationId)
    return textOf(fieldsOf(found?.['deliveryConfig'])['endpoint']) ?? undefined
  }
  const urlNow = () => settings.variant['notification_url'] ?? subscribed()
  function make(list: Fields[], kind: 'destination' | 'subscription', fields: Fields): Answer {
    const id = `${kind}-${list.length + 1}`
    list.push({ [`${kind}Id`]: id, ...fields })
    return answer(201, undefined, { location: `https://api.ebay.com${base}/${kind}/${id}` })
  }
  function createSubscription(call: Call): Answer {
    if (settings.variant['order_topic'] === 'refused') return no(403, 195_011, 'Not authorized for this topic.')
    if (subscriptions.length > 0) return no(409, 195_010, 'The subscription already exists.')
    return make(subscriptions, 'subscription', call.fields())
  }
  function changeSubscription(call: Call, _: unknown, [id]: Parts): Answer {
    const found = subscriptions.findIndex((one) => one['subscriptionId'] === id)
    if (found < 0) return no(404, 195_009, 'The subscription was not found.')
    subscriptions[found] = { ...subscriptions[found], ...call.fields() }
    return answer(204)
  }
  const open = { open: true } as const
  const routes = below(base, [
    ['GET', '/destination', 'destinations.list', ofApp(() => answer(200, { destinations })), open],
    [
      'POST',
      '/destination',
      'destinations.create',
      ofApp((call) => make(destinations, 'destination', call.fields())),
      open,
    ],
    ['PUT', '/config', 'notifications.config', ofApp(() => answer(204)), open],
    ['GET', '/subscription', 'subscriptions.list', () => answer(200, { subscriptions })],
    ['POST', '/subscription', 'subscriptions.create', createSubscription],
    ['PUT', '/subscription/:id', 'subscriptions.change', changeSubscription],
  ])

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
    const url = urlNow()
    if (url === undefined || kind !== 'created') return
    const subject = `order ${orderIdOf(index)}`
    for (const { id, headers, body } of messagesOf(index))
      courier.send({ topic: 'ORDER_CONFIRMATION', subject, delivery: id, url, headers, body, done: () => {} })
  })
  const messages = (): readonly Message[] => [0, 1, 2].flatMap((index) => messagesOf(index).slice(0, 1))
  return { messages, routes }
}
