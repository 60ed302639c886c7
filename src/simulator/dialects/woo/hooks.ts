import { createHmac } from 'node:crypto'
import { withoutZone } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { textOf } from '../../json.ts'
import type { Subscription, Subscriptions } from '../../subscriptions.ts'
import { secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { orderIdOf, productIdOf } from './ids.ts'
import { invalid, notFound, pageIn, pageOf } from './reply.ts'
import { orderView, productView } from './views.ts'

const topicPattern = /^(order|product)\.(created|updated|deleted|restored)$/
/** After more than so many failures in a row a webhook is switched off, until somebody switches it on. */
const patience = 5

export function createWebhooks(world: World, subscriptions: Subscriptions) {
  const { shop, courier, settings } = world
  let sent = 0

  function post(subscription: Subscription, subject: string, record: object): void {
    const { topic, url, id, secret } = subscription
    const [resource = '', event = ''] = topic.split('.')
    const body = JSON.stringify(record)
    const delivery = secretFor(settings.seed, `delivery ${++sent}`, 32)
    courier.send({
      ...{ topic, subject, delivery, url, body },
      headers: {
        ...sender(settings.shop),
        'content-type': 'application/json',
        'x-wc-webhook-topic': topic,
        'x-wc-webhook-resource': resource,
        'x-wc-webhook-event': event,
        'x-wc-webhook-id': String(id),
        'x-wc-webhook-delivery-id': delivery,
        'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
      },
      done: (delivered) => {
        if (subscriptions.count(subscription, delivered, patience)) subscription.active = false
      },
    })
  }

  const tell = (topic: string, subject: string, record: () => object) => {
    for (const subscription of subscriptions.to(topic)) post(subscription, subject, record())
  }
  shop.book.onChange(({ kind, index }) => {
    const event = kind === 'created' || kind === 'deleted' ? kind : 'updated'
    tell(`order.${event}`, `order ${orderIdOf(index)}`, () => {
      const order = shop.book.get(index)
      return order ? orderView(order) : { id: orderIdOf(index) }
    })
  })
  shop.stockroom.onChange(({ kind, product }) => {
    const event = kind === 'created' || kind === 'deleted' ? kind : 'updated'
    const id = productIdOf(product.index)
    tell(`product.${event}`, `product ${id}`, () => (kind === 'deleted' ? { id } : productView(product)))
  })

  function list(call: Call): Answer {
    const page = pageIn(call)
    if (!page) return invalid('page, per_page')
    const all = subscriptions.all()
    const first = (page.page - 1) * page.perPage
    return pageOf(call, page, all.length, all.slice(first, first + page.perPage).map(view))
  }

  function create(call: Call, record: Recorder): Answer {
    const { name, topic, delivery_url, secret } = call.fields()
    const url = textOf(delivery_url)
    if (url === null || !/^https?:\/\//.test(url)) return invalid('delivery_url')
    const wanted = textOf(topic)
    if (wanted === null || !topicPattern.test(wanted)) return invalid('topic')
    const made = subscriptions.add({ name: textOf(name) ?? wanted, topic: wanted, url, secret: textOf(secret) ?? '' })
    record.effect('webhook.create', String(made.id))
    ping(made)
    return answer(201, view(made))
  }

  /** The one message without signature: a form that says which webhook has been made. */
  function ping({ id, url }: Subscription): void {
    courier.send({
      ...{ topic: 'ping', subject: `webhook ${id}`, delivery: `ping-${id}`, url, body: `webhook_id=${id}` },
      headers: { ...sender(settings.shop), 'content-type': 'application/x-www-form-urlencoded' },
      done: () => {},
    })
  }

  function update(subscription: Subscription, call: Call, record: Recorder): Answer {
    const { status, secret, delivery_url } = call.fields()
    if (status === 'active' || status === 'paused' || status === 'disabled') subscription.active = status === 'active'
    if (status === 'active') subscription.failures = 0
    subscription.secret = textOf(secret) ?? subscription.secret
    subscription.url = textOf(delivery_url) ?? subscription.url
    subscription.updatedAt = world.clock.tick()
    record.effect('webhook.update', String(subscription.id))
    return answer(200, view(subscription))
  }

  const found = (id: string, use: (subscription: Subscription) => Answer): Answer => {
    const subscription = subscriptions.get(Number(id))
    return subscription ? use(subscription) : notFound('webhook')
  }
  return {
    list,
    create,
    get: (id: string) => found(id, (one) => answer(200, view(one))),
    update: (id: string, call: Call, record: Recorder) => found(id, (one) => update(one, call, record)),
    remove: (id: string, record: Recorder) =>
      found(id, (one) => {
        subscriptions.remove(one.id)
        record.effect('webhook.delete', id)
        return answer(200, view(one))
      }),
  }
}

const sender = (shop: string) => ({
  'user-agent': 'WooCommerce Hookshot (simulator)',
  'x-wc-webhook-source': `https://${shop}/`,
})

/** The secret is never shown again. */
const view = ({ id, name, topic, url, active, createdAt, updatedAt }: Subscription) => ({
  id,
  name,
  status: active ? 'active' : 'disabled',
  topic,
  resource: topic.split('.')[0],
  event: topic.split('.')[1],
  delivery_url: url,
  date_created_gmt: withoutZone(createdAt),
  date_modified_gmt: withoutZone(updatedAt),
})
