import { createHmac } from 'node:crypto'
import type { Answer, Call, Recorder, RouteRow } from '../../http/route.ts'
import { textOf } from '../../json.ts'
import type { Message } from '../../platform.ts'
import { createSubscriptions, type MessageRules } from '../../subscriptions.ts'
import type { World } from '../../world.ts'
import { orderIdOf, packageIdOf, productIdOf } from './ids.ts'
import { statusOf, unix } from './order-view.ts'
import { invalid, ok } from './reply.ts'

/** Messages say by a number what they are about, and not by the name that was registered. */
const types: Readonly<Record<string, number>> = {
  ...{ ORDER_STATUS_CHANGE: 1, RECIPIENT_ADDRESS_UPDATE: 3, PACKAGE_UPDATE: 4, PRODUCT_STATUS_CHANGE: 5 },
  ...{ SELLER_DEAUTHORIZATION: 6, UPCOMING_AUTHORIZATION_EXPIRATION: 7, CANCELLATION_STATUS_CHANGE: 11 },
  ...{ RETURN_STATUS_CHANGE: 12, PRODUCT_INFORMATION_CHANGE: 15, PRODUCT_CREATION: 16 },
}

const maxAddress = 255

/** One address for each event of a shop: the next one takes its place. Signed with the secret of the app. */
export function createWebhooks(world: World, app: { app_key: string; app_secret: string }, shopId: string) {
  const { clock, shop, secretFor } = world
  const { book, stockroom } = shop
  let sent = 0
  const messageFor = (topic: string, data: object, secret: string): Message & { delivery: string } => {
    const delivery = `73${String(Number.parseInt(secretFor(`message ${++sent}`, 12), 16)).padStart(17, '0')}`
    const head = { type: types[topic] ?? 99, tts_notification_id: delivery, shop_id: shopId }
    const body = JSON.stringify({ ...head, timestamp: Math.floor(Date.now() / 1000), data })
    const authorization = createHmac('sha256', secret)
      .update(app.app_key + body)
      .digest('hex')
    return { delivery, body, headers: { 'content-type': 'application/json', authorization } }
  }
  const rules: MessageRules = {
    patience: 5,
    messageTo: ({ topic }, data) => messageFor(topic, data, app.app_secret),
  }
  const subscriptions = createSubscriptions(world, rules)

  const aboutOrder = (index: number) => {
    const order = book.get(index)
    const order_status = order ? statusOf(order) : 'CANCELLED'
    const update_time = unix(book.updatedAt(index))
    return { order_id: orderIdOf(index), order_status, is_on_hold_order: order?.stage === 'held', update_time }
  }
  // Only where it stands is told: neither words nor amounts.
  book.onChange(({ kind, index, from }) => {
    if (kind === 'deleted' || (kind !== 'created' && from === undefined)) return
    subscriptions.tell('ORDER_STATUS_CHANGE', `order ${orderIdOf(index)}`, () => aboutOrder(index))
  })
  stockroom.onChange(({ kind, product }) => {
    const topic = { created: 'PRODUCT_CREATION', updated: 'PRODUCT_INFORMATION_CHANGE', stock: '', deleted: '' }[kind]
    const id = productIdOf(product.index)
    subscriptions.tell(topic, `product ${id}`, () => ({ product_id: id, update_time: unix(product.updatedAt) }))
  })

  function put(call: Call, record: Recorder): Answer {
    const { address, event_type: event } = call.fields()
    const [url, topic] = [textOf(address), textOf(event)]
    if (topic === null || types[topic] === undefined) return invalid('event_type is not known.')
    if (url === null || url.length > maxAddress || URL.parse(url) === null) return invalid('address is not valid.')
    const known = subscriptions.all().find((one) => one.topic === topic)
    if (known?.url === url) return ok()
    if (known) subscriptions.remove(known.id)
    const made = subscriptions.add({ topic, url })
    record.effect('webhook.create', String(made.id), null, `${topic} ${url}`)
    return ok()
  }
  /** Says that it was done, whether there was one or not. */
  function remove(call: Call, record: Recorder): Answer {
    const known = subscriptions.all().find((one) => one.topic === call.fields()['event_type'])
    if (known && subscriptions.remove(known.id)) record.effect('webhook.delete', known.topic)
    return ok()
  }
  const list = (): Answer => {
    const webhooks = subscriptions.all().map(({ topic, url, createdAt, updatedAt }) => ({
      ...{ address: url, event_type: topic, create_time: unix(createdAt), update_time: unix(updatedAt) },
    }))
    return ok({ webhooks, total_count: webhooks.length })
  }
  const path = '/event/202309/webhooks'
  const routes: readonly RouteRow[] = [
    ['GET', path, 'webhooks.list', list],
    ['PUT', path, 'webhooks.put', put],
    ['DELETE', path, 'webhooks.delete', remove],
  ]
  const messages = (secret: string): readonly Message[] => {
    const update_time = unix(clock.now())
    const packages = [{ package_id: packageIdOf(0, 0), order_id_list: [orderIdOf(0), orderIdOf(1)] }]
    const about: readonly (readonly [topic: string, data: object])[] = [
      ['ORDER_STATUS_CHANGE', aboutOrder(0)],
      ['RECIPIENT_ADDRESS_UPDATE', { order_id: orderIdOf(0), update_time }],
      ['PACKAGE_UPDATE', { sc_type: 'COMBINE', role_type: 'SELLER', package_list: packages, update_time }],
      ['CANCELLATION_STATUS_CHANGE', { order_id: orderIdOf(1), cancel_id: '4035', cancel_status: 'X', update_time }],
      ['PRODUCT_STATUS_CHANGE', { product_id: productIdOf(0), status: 'PRODUCT_AUDIT_PASS', update_time }],
      ['SELLER_DEAUTHORIZATION', { message: `Shop_id ${shopId} is deauthorized from your APP by merchant.` }],
      ['UNHEARD_OF', { something: 'else' }],
    ]
    return about.map(([topic, data]) => messageFor(topic, data, secret))
  }
  return { routes, messages }
}
