import { createHmac } from 'node:crypto'
import { inSeconds } from '../../clock.ts'
import { answer, forOne, type RouteRow } from '../../http/route.ts'
import { fieldsOf, rowsOf, textOf } from '../../json.ts'
import type { Message } from '../../platform.ts'
import { createSubscriptions, type MessageRules, type Subscription } from '../../subscriptions.ts'
import { webhookRoutes } from '../../webhook-routes.ts'
import type { World } from '../../world.ts'
import { numberOf, orderIdOf } from './orders.ts'
import { invalid, notFound } from './reply.ts'

const path = '/v3/webhooks/subscriptions'

/** New orders and cancelled ones are told, thinly; the signature is made with what whoever subscribed has said. */
export function createWebhooks(world: World, partnerId: string) {
  const { clock, shop, secretFor } = world
  let sent = 0
  const rules: MessageRules = {
    patience: 10,
    messageTo({ topic, secret, wishes }, payload) {
      const delivery = secretFor(`event ${++sent}`, 32)
      const source = { eventType: topic, eventTime: inSeconds(clock.now()), eventId: delivery }
      const body = JSON.stringify({ source, payload })
      const signature = createHmac('sha256', secret).update(body).digest('base64')
      const headers = { 'content-type': 'application/json', [String(wishes['authHeaderName'])]: signature }
      return { delivery, body, headers }
    },
  }
  const subscriptions = createSubscriptions(world, rules)
  const about = (index: number, subEventType: string) => {
    const order = { purchaseOrderId: orderIdOf(index), customerOrderId: numberOf({ index }) }
    return { partnerId, subEventType, order }
  }
  shop.book.onChange(({ kind, index }) => {
    const words: Readonly<Record<string, string>> = { created: 'PO_CREATED', cancelled: 'PO_LINE_AUTOCANCELLED' }
    const subEventType = words[kind]
    if (subEventType === undefined) return
    subscriptions.tell('ORDER_UPDATES', `order ${orderIdOf(index)}`, () => about(index, subEventType))
  })

  const view = ({ id, topic, url, active }: Subscription) => ({
    ...{ subscriptionId: String(id), partnerId, eventType: topic, eventVersion: 'V1', resourceName: 'ORDER' },
    ...{ eventUrl: url, status: active ? 'ACTIVE' : 'INACTIVE' },
  })
  const show = (one: Subscription) => answer(200, { events: [view(one)] })
  const missing = () => notFound('WEBHOOKS')
  const amend = forOne((id: string) => subscriptions.get(Number(id)), missing)
  const messages = (secret: string): readonly Message[] =>
    [0, 1, 2].map((index) => {
      const wishes = { authHeaderName: 'x-walmart-signature' }
      const one = { id: 1, name: '', topic: 'ORDER_UPDATES', secret, wishes }
      return rules.messageTo(one, about(index, 'PO_CREATED'))
    })
  const rows: readonly RouteRow[] = [
    ...webhookRoutes(world, {
      ...{ path, subscriptions, show, missing },
      read(call) {
        const [{ eventType, eventUrl, authDetails } = {}] = rowsOf(call.fields()['events'])
        const [topic, url, wishes] = [textOf(eventType), textOf(eventUrl), fieldsOf(authDetails)]
        const secret = textOf(wishes['clientSecret'])
        if (topic !== 'ORDER_UPDATES' || url === null || secret === null || wishes['authMethod'] !== 'HMAC')
          return invalid('WEBHOOKS', 'The subscription is not complete.')
        return { topic, url, secret, wishes }
      },
      list: (_, all) => (all.length === 0 ? missing() : answer(200, { events: all.map(view) })),
      removed: ({ id }) => answer(200, { subscriptionId: String(id), message: 'Successfully deleted subscription' }),
    }),
    [
      ...(['PATCH', `${path}/:id`, 'webhooks.update'] as const),
      amend((one, call) => {
        const { status, authDetails } = call.fields()
        const wishes = fieldsOf(authDetails ?? one.wishes)
        Object.assign(one, {
          active: status === 'ACTIVE',
          wishes,
          secret: textOf(wishes['clientSecret']) ?? one.secret,
        })
        return answer(200, view(one))
      }),
    ],
  ]
  return { rows, messages }
}
