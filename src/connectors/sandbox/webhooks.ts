import {
  type ConnectorWebhooks,
  type RegisteredWebhook,
  registerEach,
  type WebhookTopic,
} from '../../commerce/connector/webhooks.ts'
import { bodyOrNull, fieldsOf, idIn, textIn } from '../../commerce/reading.ts'
import { isSigned } from '../../lib/hmac.ts'
import { parseForeignJson } from '../../lib/parse-json.ts'
import { listOf, write } from './pages.ts'
import type { Credentials, SandboxShop, Settings } from './settings.ts'

/** The shop uses our words for what has happened. */
const names = [
  'order.created',
  'order.updated',
  'order.cancelled',
  'product.updated',
  'product.deleted',
  'inventory.updated',
  'shipment.updated',
  'app.uninstalled',
] as const satisfies readonly WebhookTopic[]
const kinds = { order: 'order', shipment: 'order', product: 'product', inventory: 'inventory', app: null } as const

/** A message names what has changed, which is then read again. */
export const webhooks: ConnectorWebhooks<Settings, Credentials> = {
  topics: Object.fromEntries(names.map((name) => [name, [name]])),
  registration: {
    kind: 'api',
    list: async (shop) => (await registered(shop)) ?? [],
    async register(shop, wanted) {
      const { url, topics, secret } = wanted
      const there = (await registered(shop))?.filter((one) => one.url === url && one.active)
      if (!there) return []
      const words = topics.filter((name) => names.some((known) => known === name))
      return await registerEach(words, wanted, async (topic) => {
        const body = { url, topic, secret }
        const known = there.find((one) => one.topic === topic)
        return known ?? webhookIn(await write(shop, 'POST', '/webhooks', body, { id: `${topic} ${url}` }))
      })
    },
    async remove({ remote }, remoteId) {
      await remote.request({ method: 'DELETE', path: `/webhooks/${encodeURIComponent(remoteId)}`, repeatable: true })
    },
  },
  verify: ({ headers, raw }, { registration }) =>
    registration.some((secret) =>
      isSigned(raw, { secret, signature: headers['x-sandbox-signature'] ?? '', encoding: 'hex' }),
    ),
  read({ raw }) {
    const body = fieldsOf(parseForeignJson(raw.toString(), 64))
    const topic = names.find((name) => name === body['topic']) ?? null
    const [subject = 'app'] = topic?.split('.') ?? []
    const kind = subject in kinds ? kinds[subject as keyof typeof kinds] : null
    return {
      deliveryId: textIn(body, 'delivery'),
      topic,
      changes: topic === null || kind === null ? [] : [{ kind, remoteId: idIn(body, 'id'), raw: null }],
      at: textIn(body, 'at'),
    }
  },
}

/** Null where there are none to be had: a shop inside this process sends nobody anything. */
async function registered({ remote }: SandboxShop): Promise<readonly RegisteredWebhook[] | null> {
  const body = bodyOrNull(await remote.request({ method: 'GET', path: '/webhooks' }))
  return body === null ? null : listOf(body).items.map(webhookIn)
}

function webhookIn(raw: unknown): RegisteredWebhook {
  const hook = fieldsOf(raw)
  return {
    remoteId: idIn(hook, 'id'),
    topic: textIn(hook, 'topic'),
    url: textIn(hook, 'url'),
    active: hook['active'] !== false,
  }
}
