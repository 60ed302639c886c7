import { hash } from 'node:crypto'
import {
  type ConnectorWebhooks,
  type Delivery,
  type RegisteredWebhook,
  registerEach,
  type WantedWebhooks,
  type WebhookTopic,
  webhookTopics,
} from '../../commerce/connector/webhooks.ts'
import { bodyOf, type Fields, fieldsOf, idIn, maybeText, textIn } from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { isSigned } from '../../lib/hmac.ts'
import { parseForeignJson } from '../../lib/parse-json.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { hasFulfillments } from './fulfillments.ts'
import { isUnknownId, listAll } from './pages.ts'
import { hasRefunds } from './refunds/read-refunds.ts'
import { type Credentials, root, type Settings, type WooShop } from './settings.ts'

const path = `${root}/webhooks`

const topics: Readonly<Partial<Record<WebhookTopic, readonly string[]>>> = {
  'order.created': ['order.created'],
  'order.updated': ['order.updated', 'order.deleted', 'order.restored'],
  'product.updated': ['product.created', 'product.updated', 'product.restored'],
  'product.deleted': ['product.deleted'],
}

const topicOf = (word: string): WebhookTopic | null =>
  webhookTopics.find((topic) => topics[topic]?.includes(word)) ?? null

export const webhooks: ConnectorWebhooks<Settings, Credentials> = {
  topics,
  registration: {
    kind: 'api',
    list: async (shop) => (await listAll(shop, path)).map(toWebhook),
    register,
    async remove({ remote }, remoteId) {
      const request = {
        method: 'DELETE',
        path: `${path}/${remoteId}`,
        query: { force: true },
        repeatable: true,
      } as const
      const answer = await remote.request(request)
      if (!isUnknownId(answer)) bodyOf(answer)
    },
    async removeAll({ remote }, remoteIds) {
      const body = { delete: remoteIds.map(Number) }
      bodyOf(await remote.request({ method: 'POST', path: `${path}/batch`, body, repeatable: true }))
    },
  },
  verify({ headers, raw }, { registration }) {
    const signature = headers['x-wc-webhook-signature']
    if (!signature) return false
    return registration.some((secret) => isSigned(raw, { secret, signature, encoding: 'base64' }))
  },
  read,
  /** A webhook that is made or switched on is pinged once, unsigned: a form that says no more than its number. */
  handshake({ headers, raw }) {
    const form = (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
    const isPing = form && raw.length < 40 && /^webhook_id=\d+$/.test(raw.toString())
    return isPing ? { status: 200, contentType: 'text/plain', body: 'ok' } : null
  },
}

const isActive = ({ status }: Fields): boolean => status === 'active'

const toWebhook = (hook: Fields): RegisteredWebhook => ({
  remoteId: idIn(hook, 'id'),
  topic: textIn(hook, 'topic'),
  url: textIn(hook, 'delivery_url'),
  active: isActive(hook),
})

/** What is there stays, what was switched off is switched on again, what is missing is made. */
async function register(shop: WooShop, wanted: WantedWebhooks): Promise<RegisteredWebhook[]> {
  const { url, topics: asked, secret } = wanted
  const there = (await listAll(shop, path)).filter((hook) => hook['delivery_url'] === url)
  const words = asked.flatMap((name) => topics[name] ?? [])
  return await registerEach(words, wanted, async (topic) => {
    const same = there.filter((hook) => hook['topic'] === topic)
    return toWebhook(same.find(isActive) ?? (await write(shop, same[0] ?? null, { url, topic, secret })))
  })
}

async function write(
  { remote }: WooShop,
  known: Fields | null,
  { url, topic, secret }: { url: string; topic: string; secret: string },
): Promise<Fields> {
  const body = { status: 'active', secret }
  const request = known
    ? ({ method: 'PUT', path: `${path}/${idIn(known, 'id')}`, body, repeatable: true } as const)
    : ({ method: 'POST', path, body: { ...body, name: `Entrepot: ${topic}`, topic, delivery_url: url } } as const)
  return fieldsOf(bodyOf(await remote.request(request)))
}

/** The whole record; but products come without their variations, and what is gone comes with its id alone. */
function read({ headers, raw }: Delivery) {
  const word = headers['x-wc-webhook-topic'] ?? ''
  const topic = topicOf(word)
  const body = fieldsOf(parseForeignJson(raw.toString(), 64))
  const kind: 'product' | 'order' = word.startsWith('product.') ? 'product' : 'order'
  // Its parcels and refunds, if it has any, are reported elsewhere.
  const isBare = !hasFulfillments(body) && !hasRefunds(body)
  const whole = kind === 'order' && maybeText(body, 'status') !== null && isBare
  // A variation is no product of its own: what is told of it is read with its product.
  const parent = maybeText(body, 'type') === 'variation' && body['parent_id'] != null ? idIn(body, 'parent_id') : null
  const id = headers['x-wc-webhook-delivery-id']
  if (!id) throw new Unreadable(say('webhook_no_id'))
  return {
    // Theirs is made of the webhook and the second: two orders that change at once come under the same one.
    deliveryId: `${id}-${hash('sha256', raw, 'hex').slice(0, 16)}`,
    topic,
    changes: topic === null ? [] : [{ kind, remoteId: parent ?? idIn(body, 'id'), raw: whole ? body : null }],
    at: null,
  }
}
