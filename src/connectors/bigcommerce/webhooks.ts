import {
  type ConnectorWebhooks,
  type Delivery,
  type DeliveryReading,
  registerEach,
  type WebhookTopic,
} from '../../commerce/connector/webhooks.ts'
import { type Fields, fieldsIn, fieldsOf, idIn, numberIn, textIn, timeOfUnix } from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { isSame } from '../../lib/hmac.ts'
import { parseForeignJson } from '../../lib/parse-json.ts'
import { isStandardSigned, standardSentAt } from '../../lib/standard-webhooks.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { ofProduct } from './inventory.ts'
import { createHook, listHooks, removeHook, reviveHook, secretHeader } from './registrations.ts'
import { type BigFacts, type Credentials, hashOf, type Settings, shopOf as shopNamed } from './settings.ts'

const topics: Readonly<Partial<Record<WebhookTopic, readonly string[]>>> = {
  'order.created': ['store/order/created'],
  'order.updated': ['store/order/updated', 'store/order/archived'],
  'product.updated': ['store/product/created', 'store/product/updated'],
  'product.deleted': ['store/product/deleted'],
  'inventory.updated': ['store/product/inventory/updated', 'store/sku/inventory/updated'],
  'shipment.updated': ['store/shipment/created', 'store/shipment/updated', 'store/shipment/deleted'],
  'app.uninstalled': ['store/app/uninstalled'],
}

const topicOf = (word: string): WebhookTopic | null => {
  const found = Object.entries(topics).find(([, words]) => words.includes(word))
  return found ? (found[0] as WebhookTopic) : null
}

export const webhooks: ConnectorWebhooks<Settings, Credentials> = {
  topics,
  registration: {
    kind: 'api',
    list: listHooks,
    async register(shop, wanted) {
      const { url, topics: asked, secret } = wanted
      const there = (await listHooks(shop)).filter((hook) => hook.url === url)
      const header = shop.credentials.typed ? secret : null
      const scopes = asked.flatMap((topic) => topics[topic] ?? [])
      return await registerEach(scopes, wanted, async (scope) => {
        const known = there.find((hook) => hook.topic === scope)
        if (known && !known.active) await reviveHook(shop, known.remoteId, header)
        return known ? { ...known, active: true } : await createHook(shop, { scope, url, secret: header })
      })
    },
    remove: removeHook,
    usesSecret: ({ typed }) => typed === true,
  },
  verify,
  // What carries our secret is not signed by anything that we could check.
  sentAt: (delivery) => (delivery.headers[secretHeader] === undefined ? standardSentAt(delivery) : null),
  shopOf,
  read,
}

/**
 * Messages to an app are signed with its secret. Those to an API account are as well, but with a secret that we were
 * never given: they carry one of ours in a header, which the platform shows nobody else.
 */
function verify(delivery: Delivery, { registration, client }: Parameters<typeof webhooks.verify>[1]): boolean {
  const shown = delivery.headers[secretHeader]
  if (shown !== undefined) return registration.some((secret) => secret !== '' && isSame(shown, secret))
  const { client_secret: secret } = client
  return typeof secret === 'string' && isStandardSigned(delivery, secret)
}

/** An app has one secret for all its stores, so what a message is about is part of what must be right. */
function shopOf({ raw }: Delivery): string | null {
  try {
    const { producer } = fieldsOf(parseForeignJson(raw.toString(), 32))
    return shopNamed(producer)
  } catch {
    return null
  }
}

/** Never more than what it is about: the rest is read from the store. */
function read({ raw }: Delivery, facts: BigFacts): DeliveryReading {
  const body = fieldsOf(parseForeignJson(raw.toString(), 32))
  if (textIn(body, 'producer') !== `stores/${hashOf(facts)}`) throw new Unreadable(say('webhook_of_another'))
  const scope = textIn(body, 'scope')
  const topic = topicOf(scope)
  return {
    deliveryId: textIn(body, 'hash'),
    topic,
    changes: topic === null || topic === 'app.uninstalled' ? [] : [changeIn(scope, fieldsIn(body, 'data'))],
    at: timeOfUnix(numberIn(body, 'created_at')),
  }
}

function changeIn(scope: string, data: Fields): DeliveryReading['changes'][number] {
  // What was sent comes with the order.
  if (scope.startsWith('store/shipment/')) return { kind: 'order', remoteId: idIn(data, 'orderId'), raw: null }
  if (scope.startsWith('store/order/')) return { kind: 'order', remoteId: idIn(data, 'id'), raw: null }
  if (scope === 'store/sku/inventory/updated') {
    return { kind: 'inventory', remoteId: idIn(fieldsIn(data, 'inventory'), 'variant_id'), raw: null }
  }
  const id = idIn(data, 'id')
  if (scope.includes('/inventory/')) return { kind: 'inventory', remoteId: ofProduct(id), raw: null }
  return { kind: 'product', remoteId: id, raw: null }
}
