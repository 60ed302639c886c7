import { type Fields, fieldsOf, isFields, recordsIn, textIn } from '../../../commerce/reading.ts'
import { type Remote, refused } from '../../../commerce/remote.ts'
import type { AnyFields } from '../../../commerce/shop.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask, notificationApi } from '../ask.ts'
import { askAsApp } from '../auth.ts'
import type { EbayShop } from '../settings.ts'

const topicId = 'ORDER_CONFIRMATION'
const payload = { format: 'JSON', schemaVersion: '1.0', deliveryProtocol: 'HTTPS' }

/**
 * The address is the app's, and known to eBay once for all sellers; that their sales are told there each seller asks for
 * with tokens of their own, where eBay has granted the app the topic.
 */
export async function subscribe(shop: EbayShop, client: AnyFields): Promise<boolean> {
  const { order_notifications: wanted, notification_url: endpoint, verification_token: token } = client
  if (wanted !== true || typeof endpoint !== 'string' || typeof token !== 'string') return false
  const destinationId = await destinationFor(shop.remote, client, { endpoint, verificationToken: token })
  const path = `${notificationApi}/subscription`
  const known = recordsOf(await ask(shop, { path, query: { limit: 100 } }), 'subscriptions')
  const own = known.find((one) => one['topicId'] === topicId)
  const body = { status: 'ENABLED', payload, destinationId }
  if (!own) await ask(shop, { method: 'POST', path, body: { topicId, ...body } })
  else if (own['status'] !== 'ENABLED' || own['destinationId'] !== destinationId)
    await ask(shop, { method: 'PUT', path: `${path}/${textIn(own, 'subscriptionId')}`, body })
  return true
}

/** eBay takes an address only of who has said whom it may write to if that fails. */
async function destinationFor(
  remote: Remote,
  client: AnyFields,
  deliveryConfig: { endpoint: string; verificationToken: string },
): Promise<string> {
  const path = `${notificationApi}/destination`
  const { body: listed } = await askAsApp(remote, client, { path, query: { limit: 100 } })
  const isOurs = ({ deliveryConfig: held }: Fields) => isFields(held) && held['endpoint'] === deliveryConfig.endpoint
  const known = recordsOf(listed, 'destinations').find(isOurs)
  if (known) return textIn(known, 'destinationId')
  const { alert_email: alertEmail } = client
  if (typeof alertEmail === 'string')
    await askAsApp(remote, client, { method: 'PUT', path: `${notificationApi}/config`, body: { alertEmail } })
  const body = { name: 'Entrepot', status: 'ENABLED', deliveryConfig }
  const { headers } = await askAsApp(remote, client, { method: 'POST', path, body })
  const id = /\/([^/]+)$/.exec(headers['location'] ?? '')?.[1]
  if (id === undefined) throw refused(say('no_message_target', { platform: 'eBay' }))
  return id
}

const recordsOf = (body: unknown, name: string): readonly Fields[] => {
  const reported = fieldsOf(body ?? {})
  return reported[name] == null ? [] : recordsIn(reported, name)
}
