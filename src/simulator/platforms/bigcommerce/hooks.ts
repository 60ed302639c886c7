import { createHmac, hash } from 'node:crypto'
import { second } from '../../clock.ts'
import { isLoopback } from '../../courier.ts'
import { fieldsOf, isFields, textOf } from '../../json.ts'
import type { Message } from '../../platform.ts'
import { totalOf } from '../../shop/goods.ts'
import { createSubscriptions, type MessageRules, type Subscription } from '../../subscriptions.ts'
import { webhookRoutes } from '../../webhook-routes.ts'
import type { World } from '../../world.ts'
import { isCountedAsProduct } from './catalog.ts'
import { orderIdOf, partIdOf, productIdOf, variantIdOf } from './ids.ts'
import { dataOf, gone, pageOf, problem } from './reply.ts'

const scopePattern = /^store\/(order|product|sku|shipment|app)\/[\w/*]+$/
/** A webhook whose messages fail so often is switched off, until somebody switches it on. */
const patience = 11

interface HookFacts {
  path: string
  hash: string
  client: { client_id: string; client_secret: string }
}

/** Thin messages: what changed, never how. They carry the headers that were asked for, and the signature of the app. */
export function createHooks(world: World, { path, hash: storeHash, client }: HookFacts) {
  const { shop, clock } = world
  const producer = `stores/${storeHash}`
  let sent = 0

  const messageTo: MessageRules['messageTo'] = ({ topic, secret, wishes }, data) => {
    const at = Math.floor(clock.now() / second)
    const id = `msg_${++sent}`
    const content = { scope: topic, store_id: '1025646', data, created_at: at, producer }
    const body = JSON.stringify({ ...content, hash: hash('sha1', `${JSON.stringify(content)} ${sent}`) })
    const sentAt = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', secret).update(`${id}.${sentAt}.${body}`).digest('base64')
    const marks = { 'webhook-id': id, 'webhook-timestamp': String(sentAt), 'webhook-signature': `v1,${signature}` }
    const wanted = Object.entries(wishes).map(([name, text]) => [name.toLowerCase(), String(text)])
    const headers = { ...Object.fromEntries(wanted), 'content-type': 'application/json', ...marks }
    return { delivery: id, body, headers }
  }
  const subscriptions = createSubscriptions(world, { messageTo, patience })
  const tell = (scope: string, subject: string, data: object) => subscriptions.tell(scope, subject, () => data)

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
    const counted = { product_id: id, method: 'absolute', value: totalOf(variant) }
    tell('store/product/inventory/updated', `product ${id}`, { type: 'product', id, inventory: counted })
    if (isCountedAsProduct(product)) return
    const variant_id = variantIdOf(variant)
    const data = { type: 'sku', id: variant_id, inventory: { ...counted, variant_id } }
    tell('store/sku/inventory/updated', `product ${id}`, data)
  })

  const view = ({ id, topic, url, active, wishes: headers, createdAt, updatedAt }: Subscription) => ({
    ...{ id, client_id: client.client_id, store_hash: storeHash, scope: topic, destination: url, is_active: active },
    ...{ headers, created_at: Math.floor(createdAt / second), updated_at: Math.floor(updatedAt / second) },
  })
  const routes = webhookRoutes(world, {
    ...{ path, subscriptions, missing: () => gone('webhook') },
    read(call) {
      const { scope, destination, headers } = call.fields()
      const [topic, url] = [textOf(scope) ?? '', textOf(destination) ?? '']
      if (!scopePattern.test(topic)) return problem(400, 'Invalid scope')
      if (!/^https:\/\/[^/:]+(:443)?(\/|$)/.test(url) && !isLoopback(url))
        return problem(422, 'The destination must be an https address on port 443')
      if (subscriptions.all().some((one) => one.topic === topic && one.url === url))
        return problem(422, 'A webhook with this scope and destination exists already')
      return { topic, url, secret: client.client_secret, wishes: fieldsOf(headers) }
    },
    amend(one, call) {
      const { is_active, destination, headers } = call.fields()
      if (typeof is_active === 'boolean') one.active = is_active
      if (one.active) one.failures = 0
      one.url = textOf(destination) ?? one.url
      if (isFields(headers)) one.wishes = headers
    },
    list: (call, all) => pageOf(call, all, view),
    show: (one) => dataOf(view(one)),
  })

  return {
    routes,
    messages(secret: string): readonly Message[] {
      const inventory = { product_id: productIdOf(0), method: 'absolute', value: 4, variant_id: 60 }
      const events = {
        'store/order/updated': { type: 'order', id: orderIdOf(0) },
        'store/shipment/created': { type: 'shipment', id: partIdOf(0, 1), orderId: orderIdOf(0) },
        'store/sku/inventory/updated': { type: 'sku', id: 60, inventory },
        'store/app/uninstalled': { type: 'app', id: 1 },
      }
      return Object.entries(events).map(([topic, data]) =>
        messageTo({ id: 0, name: '', topic, secret, wishes: {} }, data),
      )
    },
  }
}
