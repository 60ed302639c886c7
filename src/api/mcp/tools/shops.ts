import { outcomes } from '../../../domain/inbound/inbound-work-store.ts'
import { integrationStatuses } from '../../../domain/integrations/integration.ts'
import { logLevels } from '../../../domain/logs/log.ts'
import { runStatuses } from '../../../domain/runs/run.ts'
import { choice, id, integer, object, optional, text } from '../../../lib/validation/fields.ts'
import { type Asking, code, type Fields, fieldsOf, listOf, readTool, ToolRefusal, untrusted } from '../tool.ts'

/** Reads of shops: what there is, how it is, and what happened. */

export const shopId = id('The id of the shop, as list_shops shows it')
const page = optional(integer({ minimum: 1, maximum: 1000, description: 'The first by default' }))
const perPage = 25

export const shopFacts = (shop: Fields) => ({
  shop_id: shop['id'],
  name: untrusted(shop['name']),
  address: untrusted(shop['shop']),
  platform: code(shop['type']),
  status: shop['status'],
  active: shop['active'],
})

export interface Listed {
  rows: Fields[]
  /** At least so many, in a list that nobody has counted to its end. */
  total: number
  /** The same in words. */
  all: string
}

export async function listed(asking: Asking, url: string, as?: Parameters<Asking['get']>[1]): Promise<Listed> {
  const { data, meta } = fieldsOf(await asking.get(url, as))
  const { total, total_exact: exact } = fieldsOf(meta)
  const count = Number(total ?? 0)
  return { rows: listOf(data), total: count, all: exact === false ? `more than ${count - 1}` : String(count) }
}

/** `a=1&b=2`, of what was given. */
export function queryOf(given: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && value !== null) query.set(name, String(value))
  return query.toString()
}

const listShops = readTool({
  name: 'list_shops',
  title: 'List shops',
  description: 'Lists the shops (integrations) that you may see, with their ids, platforms and states.',
  input: object({
    status: optional(choice(integrationStatuses, 'Only shops in this state')),
    search: optional(text({ max: 100, description: 'A part of the name or address' })),
    page,
  }),
  async run(asking, { status, search, page: number }) {
    const query = queryOf({
      'filter[status]': status,
      'filter[q]': search,
      page: number,
      per_page: perPage,
      sort: 'id',
    })
    const { shops } = asking.agent.bounds
    const { rows, total, all } = shops
      ? await ownShops(asking, shops, number ?? 1)
      : await listed(asking, `/api/2.0/app/integrations?${query}`)
    return { text: `${rows.length} of ${all} shops.`, data: { shops: rows.map(shopFacts), total, page: number ?? 1 } }
  },
})

/** Where single shops were given, those: each by itself, so that no other is looked at. */
async function ownShops(asking: Asking, shops: readonly number[], number: number): Promise<Listed> {
  const wanted = shops.slice((number - 1) * perPage, number * perPage)
  const rows: Fields[] = []
  for (const one of wanted) {
    try {
      rows.push(await asking.shop(one))
    } catch (error) {
      // It was deleted since.
      if (!(error instanceof ToolRefusal)) throw error
    }
  }
  return { rows, total: shops.length, all: String(shops.length) }
}

const shopHealth = readTool({
  name: 'shop_health',
  title: 'Look at the health of a shop',
  description:
    'Shows whether a shop is connected and why not, how fresh and complete what we hold of it is, whether its messages arrive, and its latest runs.',
  input: object({ shop_id: shopId }),
  async run(asking, { shop_id: shop }) {
    const record = await asking.shop(shop)
    const runs = await listed(asking, `/api/2.0/app/integrations/${shop}/runs?per_page=5&sort=-id`)
    const messages = fieldsOf(record['messages'])
    const completeness = JSON.stringify(record['completeness'] ?? null)
    return {
      text: `Shop ${shop} is ${String(record['status'])}; messages: ${String(messages['state'])}.`,
      data: {
        ...shopFacts(record),
        status_reason: untrusted(record['status_reason']),
        consent_ends_at: record['consent_ends_at'] ?? null,
        freshness: {
          last_run_at: record['last_run_at'] ?? null,
          next_read_at: record['next_read_at'] ?? null,
          read_reason: record['read_reason'] ?? null,
          read_share: record['read_share'] ?? null,
        },
        messages: { state: messages['state'] ?? null, since: messages['since'] ?? null },
        completeness: completeness.length <= 4000 ? (record['completeness'] ?? null) : untrusted(completeness),
        latest_runs: runs.rows.map(runFacts),
      },
    }
  },
})

export const runFacts = (run: Fields) => ({
  run_id: run['id'],
  resource: run['resource'],
  status: run['status'],
  progress: run['progress'],
  error: untrusted(run['error']),
  created_at: run['created_at'],
  finished_at: run['finished_at'],
})

const listRuns = readTool({
  name: 'list_runs',
  title: 'List the runs of a shop',
  description: 'Lists what was run on a shop (syncs, comparisons, actions), newest first, with progress and errors.',
  input: object({ shop_id: shopId, status: optional(choice(runStatuses)), page }),
  async run(asking, { shop_id: shop, status, page: number }) {
    await asking.shop(shop)
    const query = queryOf({ 'filter[status]': status, page: number, per_page: perPage, sort: '-id' })
    const { rows, total, all } = await listed(asking, `/api/2.0/app/integrations/${shop}/runs?${query}`)
    return { text: `${rows.length} of ${all} runs.`, data: { runs: rows.map(runFacts), total, page: number ?? 1 } }
  },
})

const listLogs = readTool({
  name: 'list_logs',
  title: 'Read the log of a shop',
  description: 'Reads the log of a shop, newest first: what was done, what failed and why.',
  input: object({
    shop_id: shopId,
    level: optional(choice(logLevels)),
    since: optional(text({ format: 'date-time', description: 'Not before this time' })),
    page,
  }),
  async run(asking, { shop_id: shop, level, since, page: number }) {
    const as = merchantOf(await asking.shop(shop))
    const query = queryOf({ 'filter[level]': level, 'filter[since]': since, page: number, per_page: perPage })
    const { rows, total, all } = await listed(asking, `/api/2.0/webcomponent/integrations/${shop}/logs?${query}`, as)
    const isShown = asking.agent.bounds.customer_data
    const entries = rows.map((entry) => ({
      at: entry['created_at'],
      level: entry['level'],
      event: code(entry['event']),
      message: untrusted(entry['message']),
      run_id: entry['run_id'] ?? null,
      ...(isShown && entry['context'] != null && { context: untrusted(JSON.stringify(entry['context'])) }),
    }))
    return { text: `${rows.length} of ${all} entries.`, data: { entries, total, page: number ?? 1 } }
  },
})

/** Logs and reconnecting are the merchant's own. */
export function merchantOf(shop: Fields) {
  const accountId = shop['account_id']
  if (typeof accountId !== 'number') {
    throw new ToolRefusal(
      'no_merchant',
      'This shop belongs to no merchant yet, so it has no log and cannot be reconnected.',
    )
  }
  return { kind: 'account', accountId } as const
}

const listMessages = readTool({
  name: 'list_messages',
  title: 'List the messages of a shop',
  description: 'Lists the webhooks that a shop has sent us, newest first, with what became of them; not what they say.',
  input: object({ shop_id: shopId, outcome: optional(choice(outcomes)), page }),
  async run(asking, { shop_id: shop, outcome, page: number }) {
    await asking.shop(shop)
    const query = queryOf({ 'filter[outcome]': outcome, page: number, per_page: perPage, sort: '-id' })
    const { rows, total, all } = await listed(asking, `/api/2.0/app/integrations/${shop}/deliveries?${query}`)
    const messages = rows.map((message) => ({
      message_id: message['id'],
      topic: code(message['topic']),
      about: code(message['kind']),
      remote_id: code(message['remote_id']),
      outcome: message['outcome'],
      attempts: message['attempts'],
      error: untrusted(message['error']),
      received_at: message['received_at'],
    }))
    return { text: `${rows.length} of ${all} messages.`, data: { messages, total, page: number ?? 1 } }
  },
})

const listDeliveries = readTool({
  name: 'list_deliveries',
  title: 'List the webhooks of the app and what was delivered',
  description:
    'Without webhook_id: the webhooks of the app. With it: what was sent to that webhook, newest first. Needs all shops of the app.',
  input: object({
    webhook_id: optional(id('As this tool lists it')),
    state: optional(choice(['pending', 'delivered', 'failed', 'held', 'cancelled'])),
    page,
  }),
  async run(asking, { webhook_id: webhook, state, page: number }) {
    demandEveryShop(asking)
    const base = `/api/2.0/user/apps/${asking.agent.appId}/webhooks`
    const as = { kind: 'user' } as const
    if (webhook === undefined) {
      const { rows, total, all } = await listed(asking, `${base}?${queryOf({ page: number, per_page: perPage })}`, as)
      const webhooks = rows.map((one) => ({ webhook_id: one['id'], active: one['active'], url: untrusted(one['url']) }))
      return { text: `${rows.length} of ${all} webhooks.`, data: { webhooks, total } }
    }
    const query = queryOf({ 'filter[state]': state, page: number, per_page: perPage })
    const { rows, total, all } = await listed(asking, `${base}/${webhook}/deliveries?${query}`, as)
    const deliveries = rows.map((one) => ({
      delivery_id: one['id'],
      event: code(one['type']),
      state: one['state'],
      attempts: one['attempts'],
      response_status: one['response_status'],
      error: untrusted(one['error']),
      created_at: one['created_at'],
    }))
    return { text: `${rows.length} of ${all} deliveries.`, data: { deliveries, total, page: number ?? 1 } }
  },
})

/** Webhooks are of the whole app. */
export function demandEveryShop({ agent }: Asking): void {
  if (agent.bounds.shops) {
    throw new ToolRefusal('outside_shops', 'Webhooks tell of every shop of the app, and you were given single shops.')
  }
}

export const shopTools = [listShops, shopHealth, listRuns, listLogs, listMessages, listDeliveries]
