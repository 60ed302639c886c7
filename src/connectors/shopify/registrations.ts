import type { RegisteredWebhook } from '../../commerce/connector/webhooks.ts'
import { type Fields, fieldsIn, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { ask, attempt, change, type Mutation, nextIn, nodesIn, type Query } from './ask.ts'
import type { ShopifyShop } from './settings.ts'

const listQuery: Query = {
  cost: 4,
  text: `query Hooks($after: String) {
  webhookSubscriptions(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { id topic uri } }
}`,
}

const createMutation: Mutation = {
  name: 'webhookSubscriptionCreate',
  text: `mutation Subscribe($topic: WebhookSubscriptionTopic!, $webhook: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhook) {
    webhookSubscription { id topic uri }
    userErrors { field message }
  }
}`,
}

const deleteMutation: Mutation = {
  name: 'webhookSubscriptionDelete',
  text: `mutation Unsubscribe($id: ID!) {
  webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { field message } }
}`,
}

/** Messages need not carry what is read from the shop anyhow, people's addresses least of all. */
const fields: readonly [start: string, names: readonly string[]][] = [
  ['ORDERS_EDITED', ['order_edit']],
  ['ORDERS_', ['id', 'updated_at']],
  ['PRODUCTS_', ['id', 'updated_at']],
  ['INVENTORY_LEVELS_', ['inventory_item_id', 'location_id', 'updated_at']],
  ['FULFILLMENTS_', ['id', 'order_id', 'updated_at']],
  // Of what was asked for, its reasons least of all.
  ['RETURNS_', ['id', 'admin_graphql_api_id', 'order', 'order_id']],
]

const toWebhook = (hook: Fields): RegisteredWebhook => ({
  remoteId: textIn(hook, 'id'),
  topic: textIn(hook, 'topic'),
  url: textIn(hook, 'uri'),
  // What it gives up on it removes.
  active: true,
})

export async function listSubscriptions(shop: ShopifyShop): Promise<RegisteredWebhook[]> {
  const all: Fields[] = []
  for (let after: string | null = null; ; ) {
    const data: Fields = await ask(shop, listQuery, { after })
    all.push(...nodesIn(data, 'webhookSubscriptions'))
    after = nextIn(fieldsIn(data, 'webhookSubscriptions'))
    if (after === null) return all.map(toWebhook)
  }
}

export async function createSubscription(shop: ShopifyShop, topic: string, uri: string): Promise<RegisteredWebhook> {
  const includeFields = fields.find(([start]) => topic.startsWith(start))?.[1]
  const webhook = { uri, format: 'JSON', ...(includeFields ? { includeFields } : {}) }
  return toWebhook(fieldsIn(await change(shop, createMutation, { topic, webhook }), 'webhookSubscription'))
}

/** One that is no longer there is as good as removed. */
export async function removeSubscription(shop: ShopifyShop, id: string): Promise<void> {
  const [error] = recordsIn(await attempt(shop, deleteMutation, { id }), 'userErrors')
  if (error && (await listSubscriptions(shop)).some(({ remoteId }) => remoteId === id)) {
    throw refused(textIn(error, 'message'))
  }
}
