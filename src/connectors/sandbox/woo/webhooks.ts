import { bodyOf, type Fields, fieldsOf, idIn, textIn } from '../../../commerce/reading.ts'
import type { Dialect } from '../dialect.ts'
import { listAll } from './pages.ts'

const root = '/wp-json/wc/v3/webhooks'

const toWebhook = (hook: Fields) => ({
  remoteId: idIn(hook, 'id'),
  topic: textIn(hook, 'topic'),
  url: textIn(hook, 'delivery_url'),
})

/** One that the platform has switched off after too many failures does not count as there. */
export const webhooks: NonNullable<Dialect['webhooks']> = {
  knows: (topic) => /^(?:order|product)\.[a-z]+$/.test(topic),
  list: async (shop) => (await listAll(shop, root)).filter(({ status }) => status === 'active').map(toWebhook),
  create: async ({ remote }, { url, topic, secret }) => {
    const body = { name: `Entrepot: ${topic}`, topic, delivery_url: url, secret, status: 'active' }
    return toWebhook(fieldsOf(bodyOf(await remote.request({ method: 'POST', path: root, body }))))
  },
  remove: async ({ remote }, remoteId) => {
    const path = `${root}/${encodeURIComponent(remoteId)}`
    const answer = await remote.request({ method: 'DELETE', path, query: { force: true }, repeatable: true })
    if (answer.status !== 404) bodyOf(answer)
  },
}
