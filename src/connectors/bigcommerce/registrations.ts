import type { RegisteredWebhook } from '../../commerce/connector/webhooks.ts'
import { type Fields, fieldsIn, fieldsOf, idIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { ask, askPage } from './ask.ts'
import type { BigShop } from './settings.ts'

export const secretHeader = 'x-entrepot-secret'

const toHook = (hook: Fields): RegisteredWebhook => ({
  remoteId: idIn(hook, 'id'),
  topic: textIn(hook, 'scope'),
  url: textIn(hook, 'destination'),
  active: hook['is_active'] === true,
})

/** All of ours, those that are switched off as well. */
export async function listHooks(shop: BigShop): Promise<RegisteredWebhook[]> {
  const all: Fields[] = []
  for (let page = 1; ; page++) {
    const { rows, more } = await askPage(shop, '/v3/hooks', { page, limit: 250 })
    all.push(...rows)
    if (!more) return all.map(toHook)
  }
}

const headersWith = (secret: string | null) => (secret === null ? {} : { headers: { [secretHeader]: secret } })

export async function createHook(
  shop: BigShop,
  { scope, url, secret }: { scope: string; url: string; secret: string | null },
): Promise<RegisteredWebhook> {
  const body = { scope, destination: url, is_active: true, ...headersWith(secret) }
  return toHook(fieldsIn(fieldsOf(await ask(shop, { method: 'POST', path: '/v3/hooks', body })), 'data'))
}

export async function reviveHook(shop: BigShop, id: string, secret: string | null): Promise<void> {
  const body = { is_active: true, ...headersWith(secret) }
  await ask(shop, { method: 'PUT', path: `/v3/hooks/${id}`, body, repeatable: true })
}

/** One that is no longer there is as good as removed. */
export async function removeHook(shop: BigShop, id: string): Promise<void> {
  const { status } = await shop.remote.request({ method: 'DELETE', path: `/v3/hooks/${id}`, repeatable: true })
  if (status >= 300 && status !== 404) throw refused(say('webhook_not_removed', { platform: 'BigCommerce' }))
}
