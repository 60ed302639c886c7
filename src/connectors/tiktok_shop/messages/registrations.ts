import { type RegisteredWebhook, registerEach, type WantedWebhooks } from '../../../commerce/connector/webhooks.ts'
import { type Fields, recordsIn, textIn } from '../../../commerce/reading.ts'
import { ask } from '../ask.ts'
import type { TikTokShop } from '../settings.ts'

const path = '/event/202309/webhooks'

/** Hooks have no ids: an app has one address for each event of a shop, and whoever enters another takes its place. */
const toHook = (hook: Fields): RegisteredWebhook => hookOf(textIn(hook, 'event_type'), textIn(hook, 'address'))

const hookOf = (topic: string, url: string): RegisteredWebhook => ({
  remoteId: `${topic} ${url}`,
  topic,
  url,
  active: true,
})

export async function listHooks(shop: TikTokShop): Promise<RegisteredWebhook[]> {
  const data = await ask(shop, { path })
  return data['webhooks'] == null ? [] : recordsIn(data, 'webhooks').map(toHook)
}

export async function registerHooks(
  shop: TikTokShop,
  wanted: WantedWebhooks,
  events: readonly string[],
): Promise<RegisteredWebhook[]> {
  const { url } = wanted
  const there = new Set((await listHooks(shop)).map(({ remoteId }) => remoteId))
  return await registerEach(events, wanted, async (event) => {
    const hook = hookOf(event, url)
    if (!there.has(hook.remoteId))
      await ask(shop, { method: 'PUT', path, body: { event_type: event, address: url }, repeatable: true })
    return hook
  })
}

/** Only as long as it is still ours. */
export async function removeHook(shop: TikTokShop, remoteId: string): Promise<void> {
  const hook = (await listHooks(shop)).find((one) => one.remoteId === remoteId)
  if (hook) await ask(shop, { method: 'DELETE', path, body: { event_type: hook.topic }, repeatable: true })
}
