import { choice, id, object, optional, text } from '../../../lib/validation/fields.ts'
import { fieldsOf, ToolRefusal, type ToolResult, writeTool } from '../tool.ts'
import { saysOf } from './order-changes.ts'
import { demandEveryShop, merchantOf, runFacts, shopId } from './shops.ts'

/** What is done again: reading, messages, deliveries, the connection itself. */

const begun = (body: unknown): ToolResult => {
  const run = runFacts(fieldsOf(fieldsOf(body)['data']))
  return { text: `Run ${String(run.run_id)} is ${String(run.status)}; list_runs shows how it goes on.`, data: run }
}

const action = (shop: number) => `/api/2.0/app/integrations/${shop}/action`

const kinds = {
  orders: 'sync_orders',
  products: 'sync_products',
  stock: 'sync_inventory',
  compare: 'reconcile',
} as const

const fetchAgain = writeTool({
  name: 'fetch_again',
  title: 'Fetch again from a shop',
  right: 'run-action',
  description:
    'Reads orders, products or stock of a shop again: what changed since the last time, or since a time that you name; or compares everything with the shop and repairs our copy.',
  input: object({
    shop_id: shopId,
    what: choice(['orders', 'products', 'stock', 'compare']),
    since: optional(text({ format: 'date-time', description: 'Only what changed at or after this time' })),
  }),
  async plan(asking, { shop_id: shop, what, since }) {
    await asking.shop(shop)
    const body = { resource: kinds[what], ...(since !== undefined && { updated_since: since }) }
    return {
      integrationId: shop,
      request: { as: { kind: 'app' }, method: 'POST', url: action(shop), body },
      says: saysOf({ what, since }),
    }
  },
  view: (_asking, body) => begun(body),
})

const again: ReadonlySet<unknown> = new Set(Object.values(kinds))

const retryRun = writeTool({
  name: 'retry_run',
  title: 'Retry a run',
  right: 'run-action',
  description: 'Starts once more what a failed or cancelled run was doing: a sync or a comparison.',
  input: object({ shop_id: shopId, run_id: id('As list_runs shows it') }),
  async plan(asking, { shop_id: shop, run_id: run }) {
    await asking.shop(shop)
    const record = fieldsOf(fieldsOf(await asking.get(`/api/2.0/app/integrations/${shop}/runs/${run}`))['data'])
    const { resource, status } = record
    if (status !== 'failed' && status !== 'cancelled') {
      throw new ToolRefusal('invalid', `Run ${run} is ${String(status)}: only a failed or cancelled run is retried.`)
    }
    if (!again.has(resource)) {
      throw new ToolRefusal('invalid', 'Only syncs and comparisons are retried. Ask for the change itself instead.')
    }
    return {
      integrationId: shop,
      request: { as: { kind: 'app' }, method: 'POST', url: action(shop), body: { resource } },
      says: saysOf({ run: String(run), resource }),
    }
  },
  view: (_asking, body) => begun(body),
})

const retryMessage = writeTool({
  name: 'retry_message',
  title: 'Process a message of a shop again',
  right: 'run-action',
  description: 'Processes a webhook that a shop has sent once more, such as one that failed.',
  input: object({ shop_id: shopId, message_id: id('As list_messages shows it') }),
  async plan(asking, { shop_id: shop, message_id: message }) {
    await asking.shop(shop)
    const url = `/api/2.0/app/integrations/${shop}/deliveries/${message}`
    await asking.get(url)
    return {
      integrationId: shop,
      request: { as: { kind: 'app' }, method: 'POST', url: `${url}/replay`, body: {} },
      says: saysOf({ message: String(message) }),
    }
  },
  view: () => ({ text: 'The message is processed again; list_messages shows its outcome.', data: {} }),
})

const retryDelivery = writeTool({
  name: 'retry_delivery',
  title: 'Resend a delivery',
  right: 'update-integration',
  description: 'Sends an event to a webhook of the app again, under the same id. Needs all shops of the app.',
  input: object({ webhook_id: id('As list_deliveries shows it'), delivery_id: id('As list_deliveries shows it') }),
  async plan(asking, { webhook_id: webhook, delivery_id: delivery }) {
    demandEveryShop(asking)
    const url = `/api/2.0/user/apps/${asking.agent.appId}/webhooks/${webhook}/deliveries/${delivery}/replay`
    return {
      integrationId: null,
      request: { as: { kind: 'user' }, method: 'POST', url, body: {} },
      says: saysOf({ webhook: String(webhook), delivery: String(delivery) }),
    }
  },
  view: () => ({ text: 'The delivery is sent again; list_deliveries shows how it went.', data: {} }),
})

const reconnect = writeTool({
  name: 'reconnect_shop',
  title: 'Reconnect a shop',
  right: 'create-integration',
  description:
    'Makes a link by which the merchant lets us into the shop again. Give it to the person you work for; it is not for you to open.',
  input: object({ shop_id: shopId }),
  async plan(asking, { shop_id: shop }) {
    const as = merchantOf(await asking.shop(shop))
    const url = `/api/2.0/webcomponent/integrations/${shop}/authorization`
    return { integrationId: shop, request: { as, method: 'POST', url, body: {} }, says: [] }
  },
  view: (_asking, body) => ({
    text: 'A person has to open the link.',
    data: { authorization_url: fieldsOf(fieldsOf(body)['data'])['authorization_url'] },
  }),
})

export const repairTools = [fetchAgain, retryRun, retryMessage, retryDelivery, reconnect]
