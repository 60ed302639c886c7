import { hash } from 'node:crypto'
import type {
  ConnectorWebhooks,
  Delivery,
  DeliveryReading,
  RegisteredWebhook,
  WantedWebhooks,
  WebhookSecrets,
} from '../../../commerce/connector/webhooks.ts'
import { type Fields, fieldsIn, fieldsOf, maybeTime, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { isSigned } from '../../../lib/hmac.ts'
import { parseForeignJson } from '../../../lib/parse-json.ts'
import { ask } from '../ask.ts'
import type { Credentials, Settings, WalmartShop } from '../settings.ts'

/** One event tells of new orders, of lines that Walmart cancels, and of buyers who want theirs cancelled. */
const eventType = 'ORDER_UPDATES'
const event = { eventType, eventVersion: 'V1', resourceName: 'ORDER' }

/** Of changes only some are told: nobody may conclude from one that was not that messages get lost. */
export const webhooks: ConnectorWebhooks<Settings, Credentials> = {
  topics: { 'order.created': [eventType] },
  registration: { kind: 'api', list, register, remove },
  verify,
  sentAt,
  read,
}

const path = '/v3/webhooks/subscriptions'
const signatureHeader = 'x-walmart-signature'

const toWebhook = (one: Fields): RegisteredWebhook => ({
  remoteId: textIn(one, 'subscriptionId'),
  topic: textIn(one, 'eventType'),
  url: textIn(one, 'eventUrl'),
  active: one['status'] === 'ACTIVE',
})

/** Of what is not about orders, others may be the owners. */
async function list(shop: WalmartShop): Promise<readonly RegisteredWebhook[]> {
  const reported = await ask(shop, { path, query: { eventType }, budget: 'webhooks' })
  const body = reported === null ? {} : fieldsOf(reported)
  return (body['events'] == null ? [] : recordsIn(body, 'events')).map(toWebhook)
}

/** Walmart signs with a secret that it is told. One that was switched off is made to work again, with ours. */
async function register(shop: WalmartShop, { url, secret }: WantedWebhooks): Promise<readonly RegisteredWebhook[]> {
  const ours = async () => (await list(shop)).filter((one) => one.topic === eventType && one.url === url)
  const known = await ours()
  if (known.some(({ active }) => active)) return known.filter(({ active }) => active)
  const authDetails = { authMethod: 'HMAC', authHeaderName: signatureHeader, clientSecret: secret }
  const [off] = known
  if (off) {
    const body = { status: 'ACTIVE', authDetails }
    await ask(shop, { method: 'PATCH', path: `${path}/${off.remoteId}`, body, repeatable: true, budget: 'webhooks' })
  } else {
    const headers = { 'content-type': 'application/json' }
    const body = { events: [{ ...event, eventUrl: url, authDetails, headers, status: 'ACTIVE' }] }
    await ask(shop, { method: 'POST', path, body, budget: 'webhooks' })
  }
  return (await ours()).filter(({ active }) => active)
}

/** One that is no longer there is as good as removed. */
async function remove({ remote }: WalmartShop, remoteId: string): Promise<void> {
  const { status } = await remote.request({
    method: 'DELETE',
    path: `${path}/${encodeURIComponent(remoteId)}`,
    repeatable: true,
    budget: 'webhooks',
  })
  if (status >= 300 && status !== 404) throw refused(say('webhook_not_removed', { platform: 'Walmart' }))
}

/**
 * Walmart's pages know two forms: of method, address, time and the body's digest, under a name of Walmart's own; and HMAC-SHA256
 * under the name that was asked for, of the body, in which writing is not said.
 */
function verify(delivery: Delivery, { registration }: WebhookSecrets): boolean {
  const { raw, headers } = delivery
  const [whole, signature] = [headers['wm_sec.signature'] ?? '', headers[signatureHeader] ?? '']
  return registration.some(
    (secret) =>
      isSigned(wholeOf(delivery), { secret, signature: whole, encoding: 'base64' }) ||
      (['hex', 'base64'] as const).some((encoding) => isSigned(raw, { secret, signature, encoding })),
  )
}

const wholeOf = ({ method, target = '', headers, raw }: Delivery): string =>
  [method.toUpperCase(), target, headers['wm_sec.timestamp'] ?? '', hash('sha256', raw)].join('\n')

/** Seconds or milliseconds: Walmart's pages do not say which. */
function sentAt({ headers }: Delivery): number | null {
  if (headers['wm_sec.signature'] === undefined) return null
  const at = Number(headers['wm_sec.timestamp'])
  return at > 1e11 ? at / 1000 : at
}

function read({ raw }: Delivery): DeliveryReading {
  const body = fieldsOf(parseForeignJson(raw.toString(), 32))
  const source = fieldsIn(body, 'source')
  const payload = fieldsIn(body, 'payload')
  return {
    deliveryId: textIn(source, 'eventId'),
    topic: payload['subEventType'] === 'PO_CREATED' ? 'order.created' : 'order.updated',
    // What it brings of the order is not all of it.
    changes: [{ kind: 'order', remoteId: textIn(fieldsIn(payload, 'order'), 'purchaseOrderId'), raw: null }],
    at: maybeTime(source, 'eventTime'),
  }
}
