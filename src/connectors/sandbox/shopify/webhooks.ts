import { type Fields, fieldsIn, textIn } from '../../../commerce/reading.ts'
import type { Dialect } from '../dialect.ts'
import { ask, change, nextIn, nodesIn, type Query } from './graphql.ts'

const listQuery: Query = {
  cost: 20,
  text: `query Hooks($after: String) {
  webhookSubscriptions(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { id topic uri } }
}`,
}

const createMutation = {
  name: 'webhookSubscriptionCreate',
  text: `mutation Subscribe($topic: WebhookSubscriptionTopic!, $webhook: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhook) {
    webhookSubscription { id topic uri }
    userErrors { field message }
  }
}`,
}

const deleteMutation = {
  name: 'webhookSubscriptionDelete',
  text: `mutation Unsubscribe($id: ID!) {
  webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { field message } }
}`,
}

const toWebhook = (hook: Fields) => ({
  remoteId: textIn(hook, 'id'),
  topic: textIn(hook, 'topic'),
  url: textIn(hook, 'uri'),
})

export const webhooks: NonNullable<Dialect['webhooks']> = {
  knows: (topic) => /^[A-Z_]+$/.test(topic),
  async list(shop) {
    const all: Fields[] = []
    for (let after: string | null = null; ; ) {
      const data: Fields = await ask(shop, listQuery, { after })
      all.push(...nodesIn(data, 'webhookSubscriptions'))
      after = nextIn(fieldsIn(data, 'webhookSubscriptions'))
      if (after === null) return all.map(toWebhook)
    }
  },
  async create(shop, { url, topic, secret }) {
    const webhook = { uri: url, secret }
    const made = await change(shop, createMutation, { topic, webhook }, { id: `webhook ${topic} ${url}` })
    return toWebhook(fieldsIn(made, 'webhookSubscription'))
  },
  async remove(shop, remoteId) {
    if (!(await webhooks.list(shop)).some((one) => one.remoteId === remoteId)) return
    await change(shop, deleteMutation, { id: remoteId }, { id: `no ${remoteId}` })
  },
}
