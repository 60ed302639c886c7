import { createHmac, hash } from 'node:crypto'
import { second } from '../../clock.ts'
import { isLoopback } from '../../courier.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import type { Parts } from '../../http/route-table.ts'
import { isFields, textOf } from '../../json.ts'
import type { Message } from '../../platform.ts'
import { createSubscriptions, type Subscription } from '../../subscriptions.ts'
import type { World } from '../../world.ts'
import { orderIdOf, partIdOf, productIdOf, variantIdOf } from './ids.ts'
import { isCountedAsProduct } from './product-views.ts'
import { dataOf, gone, pageOf, problem } from './reply.ts'

const scopePattern = /^store\/(order|product|sku|shipment|app)\/[\w/*]+$/
/** A webhook whose messages fail so often is switched off, until somebody switches it on. */
const patience = 11

interface HookFacts {
  hash: string
  client: { client_id: string; client_secret: string }
}

/** Thin messages: what changed, never how. They carry the headers that were asked for, and the signature of the app. */
export function createHooks(world: World, { hash: storeHash, client }: HookFacts) {
  const { shop, clock, courier } = world
  const subscriptions = createSubscriptions(clock)
  const headersOf = new Map<number, Readonly<Record<string, string>>>()
  const producer = `stores/${storeHash}`
  let sent = 0

  function messageOf(scope: string, data: object, secret: string): Message & { id: string } {
    const at = Math.floor(clock.now() / second)
    const id = `msg_${++sent}`
    const content = { scope, store_id: '1025646', data, created_at: at, producer }
    const body = JSON.stringify({ ...content, hash: hash('sha1', `${JSON.stringify(content)} ${sent}`) })
    const signature = createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64')
    return {
      ...{ id, body },
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(at),
        'webhook-signature': `v1,${signature}`,
      },
    }
  }

  function tell(scope: string, subject: string, data: object): void {
    for (const subscription of subscriptions.to(scope)) {
      const { id, headers, body } = messageOf(scope, data, client.client_secret)
      courier.send({
        ...{ topic: scope, subject, delivery: id, url: subscription.url, body },
        headers: { ...headersOf.get(subscription.id), ...headers },
        done: (delivered) => {
          if (subscriptions.count(subscription, delivered, patience)) subscription.active = false
        },
      })
    }
  }

  shop.book.onChange(({ kind, index }) => {
    const id = orderIdOf(index)
    const say = (event: string, data: object = { type: 'order', id }) => tell(`store/${event}`, `order ${id}`, data)
    if (kind === 'created') return say('order/created')
    if (kind === 'deleted') return say('order/archived')
    const parcels = kind === 'sent' ? (shop.book.get(index)?.parcels.length ?? 0) : 0
    if (parcels > 0) say('shipment/created', { type: 'shipment', id: partIdOf(index, parcels), orderId: id })
    say('order/updated')
  })
  shop.stockroom.onChange((news) => {
    const { product, kind } = news
    const id = productIdOf(product.index)
    if (kind !== 'stock') return tell(`store/product/${kind}`, `product ${id}`, { type: 'product', id })
    const { variant } = news
    const counted = {
      ...{ product_id: id, method: 'absolute', value: variant.stock.reduce((sum, count) => sum + count, 0) },
    }
    tell('store/product/inventory/updated', `product ${id}`, { type: 'product', id, inventory: counted })
    if (isCountedAsProduct(product)) return
    const variant_id = variantIdOf(variant)
    const data = { type: 'sku', id: variant_id, inventory: { ...counted, variant_id } }
    tell('store/sku/inventory/updated', `product ${id}`, data)
  })

  const view = ({ id, topic, url, active, createdAt, updatedAt }: Subscription) => ({
    ...{ id, client_id: client.client_id, store_hash: storeHash, scope: topic, destination: url, is_active: active },
    headers: headersOf.get(id) ?? {},
    ...{ created_at: Math.floor(createdAt / second), updated_at: Math.floor(updatedAt / second) },
  })
  const found = (id: string, use: (subscription: Subscription) => Answer): Answer => {
    const subscription = subscriptions.get(Number(id))
    return subscription ? use(subscription) : gone('webhook')
  }

  function create(call: Call, record: Recorder): Answer {
    const input = call.fields()
    const [scope, url] = [textOf(input['scope']) ?? '', textOf(input['destination']) ?? '']
    if (!scopePattern.test(scope)) return problem(400, 'Invalid scope')
    if (!/^https:\/\/[^/:]+(:443)?(\/|$)/.test(url) && !isLoopback(url))
      return problem(422, 'The destination must be an https address on port 443')
    if (subscriptions.all().some((one) => one.topic === scope && one.url === url))
      return problem(422, 'A webhook with this scope and destination exists already')
    const made = subscriptions.add({ name: scope, topic: scope, url, secret: '' })
    headersOf.set(made.id, headersIn(input['headers']) ?? {})
    record.effect('webhook.create', String(made.id))
    return dataOf(view(made))
  }

  return {
    create,
    list: (call: Call) => pageOf(call, subscriptions.all(), view),
    get: (_: Call, __: Recorder, [id]: Parts) => found(id, (one) => dataOf(view(one))),
    update: (call: Call, record: Recorder, [id]: Parts) =>
      found(id, (one) => {
        const { is_active, destination, headers } = call.fields()
        if (typeof is_active === 'boolean') one.active = is_active
        if (one.active) one.failures = 0
        one.url = textOf(destination) ?? one.url
        headersOf.set(one.id, headersIn(headers) ?? headersOf.get(one.id) ?? {})
        one.updatedAt = clock.tick()
        record.effect('webhook.update', id)
        return dataOf(view(one))
      }),
    remove: (_: Call, record: Recorder, [id]: Parts) =>
      found(id, (one) => {
        subscriptions.remove(one.id)
        record.effect('webhook.delete', id)
        return dataOf(view(one))
      }),
    messages(secret: string): readonly Message[] {
      const inventory = { product_id: productIdOf(0), method: 'absolute', value: 4, variant_id: 60 }
      const events: readonly (readonly [scope: string, data: object])[] = [
        ['store/order/updated', { type: 'order', id: orderIdOf(0) }],
        ['store/shipment/created', { type: 'shipment', id: partIdOf(0, 1), orderId: orderIdOf(0) }],
        ['store/sku/inventory/updated', { type: 'sku', id: 60, inventory }],
        ['store/app/uninstalled', { type: 'app', id: 1 }],
      ]
      return events.map(([scope, data]) => messageOf(scope, data, secret))
    },
  }
}

const headersIn = (value: unknown): Readonly<Record<string, string>> | null =>
  isFields(value)
    ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name.toLowerCase(), String(text)]))
    : null
