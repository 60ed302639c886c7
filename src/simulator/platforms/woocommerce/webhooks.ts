import { createHmac, hash } from 'node:crypto'
import { second } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { textOf } from '../../json.ts'
import type { Message } from '../../platform.ts'
import { createSubscriptions, type Subscription } from '../../subscriptions.ts'
import { answer, type World } from '../../world.ts'
import { orderIdOf, productIdOf, variantIdOf } from './ids.ts'
import { orderView } from './order-views.ts'
import { isVariable, productView, variationView } from './product-views.ts'
import { invalid, notFound, pageFrom } from './reply.ts'
import { dates, type Site } from './site.ts'

const topicPattern = /^(order|product|customer|coupon)\.(created|updated|deleted|restored)$/
/** After so many failures in a row a webhook is switched off, until somebody switches it on. */
const patience = 6

export function createWebhooks(world: World, site: Site) {
  const { shop, courier, clock } = world
  const subscriptions = createSubscriptions(clock)
  const sender = { 'user-agent': 'WooCommerce Hookshot (simulator)', 'x-wc-webhook-source': `${site.url}/` }

  function messageOf({ topic, id, secret }: Pick<Subscription, 'topic' | 'id' | 'secret'>, record: object): Message {
    const body = JSON.stringify(record)
    const [resource = '', event = ''] = topic.split('.')
    const headers = {
      ...sender,
      'content-type': 'application/json',
      'x-wc-webhook-topic': topic,
      'x-wc-webhook-resource': resource,
      'x-wc-webhook-event': event,
      'x-wc-webhook-id': String(id),
      // Made of the webhook and the second: two messages of one second have the same.
      'x-wc-webhook-delivery-id': hash('md5', `${id}${Math.floor(clock.now() / second)}`),
      'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
    }
    return { headers, body }
  }

  function tell(topic: string, subject: string, record: () => object): void {
    for (const subscription of subscriptions.to(topic)) {
      const message = messageOf(subscription, record())
      courier.send({
        ...{ topic, subject, url: subscription.url, ...message, once: site.sendsOnce },
        delivery: message.headers['x-wc-webhook-delivery-id'] ?? '',
        done: (delivered) => {
          if (subscriptions.count(subscription, delivered, patience)) subscription.active = false
        },
      })
    }
  }
  const eventOf = (kind: string) => (kind === 'created' || kind === 'deleted' ? kind : 'updated')
  const orderRecord = (index: number): object => {
    const order = shop.book.get(index)
    return order ? orderView(order, site) : { id: orderIdOf(index) }
  }
  shop.book.onChange(({ kind, index }) =>
    tell(`order.${eventOf(kind)}`, `order ${orderIdOf(index)}`, () => orderRecord(index)),
  )
  shop.stockroom.onChange((news) => {
    const { kind, product } = news
    const apart = site.variationsApart && news.kind === 'stock' && isVariable(product) ? news.variant : null
    const id = apart ? variantIdOf(product, apart) : productIdOf(product.index)
    tell(`product.${eventOf(kind)}`, `product ${id}`, () => {
      if (kind === 'deleted') return { id }
      return apart ? variationView(product, apart, site) : productView(product, site)
    })
  })

  /** The one message without signature: a form that says which webhook is on now. */
  function ping({ id, url }: Subscription): void {
    const headers = { ...sender, 'content-type': 'application/x-www-form-urlencoded' }
    const body = `webhook_id=${id}`
    courier.send({
      topic: 'ping',
      subject: `webhook ${id}`,
      delivery: `ping-${id}`,
      url,
      headers,
      body,
      done: () => {},
    })
  }

  const found = (id: string, use: (one: Subscription) => void): Answer => {
    const subscription = subscriptions.get(Number(id))
    if (!subscription) return notFound('shop_webhook')
    use(subscription)
    return answer(200, view(subscription))
  }

  return {
    list: (call: Call) => pageFrom(call, subscriptions.all(), view),
    get: (id: string) => found(id, () => {}),
    create(call: Call, record: Recorder): Answer {
      const { name, topic: received, delivery_url, secret } = call.fields()
      const url = textOf(delivery_url)
      const topic = textOf(received)
      if (url === null || !/^https?:\/\//.test(url)) return invalid('delivery_url')
      if (topic === null || !topicPattern.test(topic)) return invalid('topic')
      const made = subscriptions.add({ name: textOf(name) ?? topic, topic, url, secret: textOf(secret) ?? '' })
      record.effect('webhook.create', String(made.id), null, `${topic} ${url}`)
      ping(made)
      return answer(201, view(made))
    },
    update: (id: string, call: Call, record: Recorder) =>
      found(id, (subscription) => {
        const { status, secret, delivery_url } = call.fields()
        const wakes = status === 'active' && !subscription.active
        if (typeof status === 'string') subscription.active = status === 'active'
        if (wakes) subscription.failures = 0
        subscription.secret = textOf(secret) ?? subscription.secret
        subscription.url = textOf(delivery_url) ?? subscription.url
        subscription.updatedAt = clock.tick()
        record.effect('webhook.update', id)
        if (wakes) ping(subscription)
      }),
    remove: (id: string, record: Recorder) =>
      found(id, () => {
        subscriptions.remove(Number(id))
        record.effect('webhook.delete', id)
      }),
    messages(secret: string): readonly Message[] {
      const [first = 0, second = 0, third = 0] = shop.book.byNumber()
      const [product] = shop.stockroom.byChange()
      const messages: readonly (readonly [string, object])[] = [
        ['order.updated', orderRecord(first)],
        ['order.created', orderRecord(second)],
        ['order.deleted', { id: orderIdOf(third) }],
        ...(product ? [['product.updated', productView(product, site)] as const] : []),
      ]
      return messages.map(([topic, record], n) => messageOf({ topic, id: n + 1, secret }, record))
    },
  }
}

/** The secret is never shown again. */
const view = ({ id, name, topic, url, active, createdAt, updatedAt }: Subscription) => ({
  ...{ id, name, status: active ? 'active' : 'disabled', topic, resource: topic.split('.')[0] },
  ...{ event: topic.split('.')[1], hooks: [], delivery_url: url },
  ...dates('date_created', createdAt),
  ...dates('date_modified', updatedAt),
})
