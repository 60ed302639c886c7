import type { RegisteredWebhook } from '../../../commerce/connector/webhooks.ts'
import { arrayIn, type Fields, idIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask, rowsIn } from '../ask.ts'
import type { SquareShop } from '../settings.ts'

const path = '/1.0/webhook_subscriptions'

/** One subscription is for several topics: here it is as many, of one id. */
export interface Subscription {
  id: string
  url: string
  topics: readonly string[]
}

const toSubscription = (one: Fields): Subscription => ({
  id: idIn(one, 'id'),
  url: textIn(one, 'endpointUrl'),
  topics: one['topics'] == null ? [] : arrayIn(one, 'topics').map(String),
})

export const eachOf = ({ id, url, topics }: Subscription): RegisteredWebhook[] =>
  topics.map((topic) => ({ remoteId: id, topic, url, active: true }))

/** There are twenty-five at most, and no pages. */
export const listSubscriptions = async (shop: SquareShop): Promise<Subscription[]> =>
  rowsIn(await ask(shop, { path }), 'webhookSubscriptions').map(toSubscription)

/** The secret is made there, and told once. */
export async function subscribe(
  shop: SquareShop,
  { url, topics }: Omit<Subscription, 'id'>,
): Promise<{ made: Subscription; secret: string }> {
  const body = await ask(shop, { method: 'POST', path, body: { endpointUrl: url, topics } })
  return { made: toSubscription(body), secret: textIn(body, 'secret') }
}

export const widen = async (shop: SquareShop, id: string, topics: readonly string[]): Promise<Subscription> =>
  toSubscription(await ask(shop, { method: 'POST', path: `${path}/${id}`, body: { topics }, repeatable: true }))

/** From then on the secret before is worth nothing. */
export const renewSecret = async (shop: SquareShop, id: string): Promise<string> =>
  textIn(await ask(shop, { method: 'POST', path: `${path}/${id}/actions/rotateSecret` }), 'secret')

/** One that is no longer there is as good as removed. */
export async function unsubscribe({ remote }: SquareShop, id: string): Promise<void> {
  const { status } = await remote.request({ method: 'DELETE', path: `${path}/${id}`, repeatable: true })
  if (status >= 300 && status !== 404) throw refused(say('webhook_not_removed', { platform: 'Squarespace' }))
}
