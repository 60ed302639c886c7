import { createHmac } from 'node:crypto'
import type { Moment } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { listOf, textOf } from '../../json.ts'
import type { Message } from '../../platform.ts'
import type { World } from '../../world.ts'
import { orderIdOf } from './ids.ts'
import { inMilliseconds, no, notFound } from './reply.ts'

interface Subscription {
  id: string
  url: string
  topics: readonly string[]
  /** Hexadecimal digits; what they stand for is the key. Made there, and shown once. */
  secret: string
  createdAt: Moment
  updatedAt: Moment
}

const known = ['order.create', 'order.update', 'extension.uninstall']
const mostOfAll = 25

/** One subscription is for several topics. Messages say which order it is about, and never what it looks like. */
export function createWebhooks(world: World, path: string, websiteId: string) {
  const { shop, clock, courier, secretFor } = world
  const all = new Map<string, Subscription>()
  let [made, sent, minted] = [0, 0, 0]
  const mint = () => secretFor(`webhook secret ${++minted}`, 64)

  function message(topic: string, data: object, subscription: string, key: Buffer): Message & { id: string } {
    const id = secretFor(`notification ${++sent}`, 24)
    // Without seconds, as it is written in what is said about them.
    const createdOn = `${inMilliseconds(clock.now()).slice(0, 16)}+00:00`
    const body = JSON.stringify({ id, websiteId, subscriptionId: subscription, topic, createdOn, data })
    const signature = createHmac('sha256', key).update(body).digest('hex')
    const headers = { 'user-agent': 'Squarespace/1.0', 'squarespace-signature': signature }
    return { id, headers: { 'content-type': 'application/json', ...headers }, body }
  }

  shop.book.onChange(({ kind, index }) => {
    if (kind === 'deleted') return
    const orderId = orderIdOf(index)
    const topic = kind === 'created' ? 'order.create' : 'order.update'
    const update = kind === 'sent' ? 'FULFILLED' : kind === 'cancelled' ? 'CANCELED' : 'EMAIL_UPDATED'
    const data = kind === 'created' ? { orderId } : { orderId, update }
    for (const { id, url, topics, secret } of all.values()) {
      if (!topics.includes(topic)) continue
      const { id: delivery, headers, body } = message(topic, data, id, Buffer.from(secret, 'hex'))
      courier.send({ topic, subject: `order ${orderId}`, delivery, url, headers, body, done: () => {} })
    }
  })

  const view = ({ id, url, topics, createdAt, updatedAt }: Subscription) => ({
    ...{ id, endpointUrl: url, topics, createdOn: inMilliseconds(createdAt), updatedOn: inMilliseconds(updatedAt) },
  })
  const ofOne = forOne((id) => all.get(id), notFound)

  function create(call: Call, record: Recorder): Answer {
    const { endpointUrl, topics: told } = call.fields()
    const [url, topics] = [textOf(endpointUrl) ?? '', listOf(told).map(String)]
    if (!/^https?:\/\//.test(url) || topics.length === 0 || !topics.every((topic) => known.includes(topic)))
      return no(400, 'endpointUrl or topics is invalid.', 'INVALID_ARGUMENT')
    if (all.size >= mostOfAll)
      return no(409, 'The website has reached its limit of 25 subscriptions.', 'WEBHOOK_SUBSCRIPTION_LIMIT_REACHED')
    const at = clock.tick()
    const id = secretFor(`subscription ${++made}`, 24)
    const subscription = { id, url, topics, secret: mint(), createdAt: at, updatedAt: at }
    all.set(id, subscription)
    record.effect('webhook.create', id, null, url)
    return answer(201, { ...view(subscription), secret: subscription.secret })
  }

  function amend(one: Subscription, call: Call, record: Recorder): Answer {
    const { endpointUrl, topics: told } = call.fields()
    const topics = told === undefined ? one.topics : listOf(told).map(String)
    if (topics.length === 0 || !topics.every((topic) => known.includes(topic)))
      return no(400, 'topics is invalid.', 'INVALID_ARGUMENT')
    Object.assign(one, { topics, url: textOf(endpointUrl) ?? one.url, updatedAt: clock.tick() })
    record.effect('webhook.update', one.id)
    return answer(200, view(one))
  }

  const routes: readonly RouteRow[] = [
    ['GET', path, 'webhooks.list', () => answer(200, { webhookSubscriptions: [...all.values()].map(view) })],
    ['POST', path, 'webhooks.create', create],
    ['POST', `${path}/:id`, 'webhooks.update', ofOne(amend)],
    [
      ...(['DELETE', `${path}/:id`, 'webhooks.delete'] as const),
      ofOne((one, _, record) => {
        all.delete(one.id)
        record.effect('webhook.delete', one.id)
        return answer(204)
      }),
    ],
    [
      ...(['POST', `${path}/:id/actions/rotateSecret`, 'webhooks.rotate'] as const),
      ofOne((one, _, record) => {
        one.secret = mint()
        record.effect('webhook.rotate', one.id, one.secret)
        return answer(200, { secret: one.secret })
      }),
    ],
  ]
  return {
    routes,
    messages(secret: string): readonly Message[] {
      const orderId = orderIdOf(0)
      const events = {
        'order.create': { orderId },
        'order.update': { orderId, update: 'FULFILLED' },
        'extension.uninstall': {},
        'contact.create': { contactId: '1' },
      }
      return Object.entries(events).map(([topic, data]) => message(topic, data, 'any', Buffer.from(secret)))
    },
  }
}
