import { createHmac, hash } from 'node:crypto'
import { second } from '../../clock.ts'
import { answer, type RouteRow } from '../../http/route.ts'
import { listOf, textOf } from '../../json.ts'
import type { Message } from '../../platform.ts'
import { createSubscriptions, type Subscription } from '../../subscriptions.ts'
import { webhookRoutes } from '../../webhook-routes.ts'
import type { World } from '../../world.ts'
import { orderIdOf, productIdOf, variantIdOf } from './ids.ts'
import { orderView } from './order-views.ts'
import { isVariable, productView, variationView } from './products.ts'
import { invalid, notFound, pageFrom } from './reply.ts'
import { dates, type Site } from './site.ts'

const topicPattern = /^(order|product|customer|coupon)\.(created|updated|deleted|restored)$/
/** After so many failures in a row a webhook is switched off, until somebody switches it on. */
const patience = 6

export function createWebhooks(world: World, site: Site, path: string) {
  const { shop, courier, clock } = world
  const sender = { 'user-agent': 'WooCommerce Hookshot (simulator)', 'x-wc-webhook-source': `${site.url}/` }

  const messageTo = ({ topic, id, secret }: Pick<Subscription, 'topic' | 'id' | 'secret'>, record: object) => {
    const body = JSON.stringify(record)
    const [resource = '', event = ''] = topic.split('.')
    // Made of the webhook and the second: two messages of one second have the same.
    const delivery = hash('md5', `${id}${Math.floor(clock.now() / second)}`)
    const headers = {
      ...sender,
      'content-type': 'application/json',
      'x-wc-webhook-topic': topic,
      'x-wc-webhook-resource': resource,
      'x-wc-webhook-event': event,
      'x-wc-webhook-id': String(id),
      'x-wc-webhook-delivery-id': delivery,
      'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
    }
    return { headers, body, delivery }
  }
  const subscriptions = createSubscriptions(world, { messageTo, patience, once: site.sendsOnce })
  const { tell } = subscriptions
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
    const about = { topic: 'ping', subject: `webhook ${id}`, delivery: `ping-${id}`, url }
    courier.send({ ...about, headers, body: `webhook_id=${id}`, done: () => {} })
  }

  const removeMany: RouteRow[3] = (call, record) => {
    const ids = listOf(call.fields()['delete']).map(Number)
    for (const id of ids) if (subscriptions.remove(id)) record.effect('webhook.delete', String(id))
    return answer(200, { delete: ids.map((id) => ({ id })) })
  }

  const routes = webhookRoutes(world, {
    ...{ path, subscriptions, missing: () => notFound('shop_webhook') },
    read(call) {
      const { name, topic: received, delivery_url, secret } = call.fields()
      const [url, topic] = [textOf(delivery_url), textOf(received)]
      if (url === null || !/^https?:\/\//.test(url)) return invalid('delivery_url')
      if (topic === null || !topicPattern.test(topic)) return invalid('topic')
      return { name: textOf(name) ?? topic, topic, url, secret: textOf(secret) ?? '', record: `${topic} ${url}` }
    },
    amend(one, call) {
      const { status, secret, delivery_url } = call.fields()
      const wakes = status === 'active' && !one.active
      if (typeof status === 'string') one.active = status === 'active'
      if (wakes) one.failures = 0
      one.secret = textOf(secret) ?? one.secret
      one.url = textOf(delivery_url) ?? one.url
      if (wakes) ping(one)
    },
    list: (call, all) => pageFrom(call, all, view),
    show(one, status) {
      if (status === 201) ping(one)
      return answer(status, view(one))
    },
  })

  return {
    routes: [['POST', `${path}/batch`, 'webhooks.delete', removeMany] as const, ...routes],
    messages(secret: string): readonly Message[] {
      const [first = 0, second = 0, third = 0] = shop.book.byNumber()
      const [product] = shop.stockroom.byChange()
      const messages: readonly (readonly [string, object])[] = [
        ['order.updated', orderRecord(first)],
        ['order.created', orderRecord(second)],
        ['order.deleted', { id: orderIdOf(third) }],
        ...(product ? [['product.updated', productView(product, site)] as const] : []),
      ]
      return messages.map(([topic, record], n) => messageTo({ topic, id: n + 1, secret }, record))
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
