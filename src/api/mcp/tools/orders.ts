import { id, object, optional, text } from '../../../lib/validation/fields.ts'
import { orderFacts, stepFacts } from '../order-facts.ts'
import { type Asking, type Fields, fieldsOf, listOf, readTool, ToolRefusal } from '../tool.ts'
import { listed, queryOf, shopId } from './shops.ts'

/** Reads of orders. */

export const orderId = id('The id of the order, as find_order shows it')

const shown = (asking: Asking) => ({ customerData: asking.agent.bounds.customer_data })

/** By anything but a number every shop is asked by itself. */
const maxAsked = 20
const maxFound = 10

const findOrder = readTool({
  name: 'find_order',
  title: 'Find an order',
  description:
    'Finds orders by number, by the id of the shop, or by the e-mail address of the buyer (only where customer data was granted). Name the shop where you know it.',
  input: object({
    number: optional(text({ max: 100, description: 'The number that buyer and merchant see, with or without #' })),
    remote_id: optional(text({ description: 'The id that the shop itself gives the order' })),
    email: optional(text({ description: 'Of the buyer' })),
    shop_id: optional(shopId),
  }),
  async run(asking, { number, remote_id: remoteId, email, shop_id: shop }) {
    const named = [number, remoteId, email].filter((one) => one !== undefined)
    if (named.length !== 1) throw new ToolRefusal('invalid', 'Name exactly one of number, remote_id and email.')
    if (email !== undefined && !asking.agent.bounds.customer_data) {
      throw new ToolRefusal(
        'outside_customer_data',
        'You were not given customer data, so buyers cannot be looked for.',
      )
    }
    const bare = number?.replace(/^#/, '')
    const filters =
      bare === undefined
        ? { 'filter[remote_id]': remoteId, 'filter[email]': email }
        : { 'filter[number]': `${bare},#${bare}` }
    const shops = shop === undefined ? await shopsToAsk(asking, bare) : [Number((await asking.shop(shop))['id'])]
    const found: Fields[] = []
    for (const one of shops) {
      const query = queryOf({ integration_id: one, ...filters, per_page: maxFound, sort: '-id' })
      found.push(...(await listed(asking, `/api/2.0/app/orders?${query}`)).rows)
      if (found.length >= maxFound) break
    }
    const orders = found.slice(0, maxFound).map((order) => orderFacts(order, shown(asking)))
    const text = orders.length === 0 ? 'No such order is held.' : `${orders.length} found.`
    return { text, data: { orders, shops_asked: shops.length } }
  },
})

/** A number is looked up in all shops of the app at once; that says which shops to ask. */
async function shopsToAsk(asking: Asking, number: string | undefined): Promise<number[]> {
  const { shops } = asking.agent.bounds
  if (shops) return within(shops)
  if (number === undefined) {
    const { rows, total } = await listed(asking, `/api/2.0/app/integrations?per_page=${maxAsked}&sort=id`)
    return within(
      rows.map(({ id: one }) => Number(one)),
      total,
    )
  }
  const answer = await asking.look(`/api/2.0/app/passport?${queryOf({ number })}`)
  if (answer.status === 404) return []
  if (answer.status >= 300) throw new ToolRefusal('invalid', 'There are too many shops: name one by shop_id.')
  const { order, others } = fieldsOf(fieldsOf(answer.body)['data'])
  const ids = [fieldsOf(order), ...listOf(others)].map((one) => Number(one['integration_id']))
  return [...new Set(ids)].slice(0, maxAsked)
}

function within(shops: readonly number[], total = shops.length): number[] {
  if (total > maxAsked) throw new ToolRefusal('invalid', `There are more than ${maxAsked} shops: name one by shop_id.`)
  return [...shops]
}

export async function readOrder(asking: Asking, shop: number, order: number): Promise<Fields> {
  await asking.shop(shop)
  return fieldsOf(fieldsOf(await asking.get(`/api/2.0/app/orders/${order}?integration_id=${shop}`))['data'])
}

const getOrder = readTool({
  name: 'get_order',
  title: 'Look at an order',
  description: 'Shows one order as we hold it: status, lines, amounts and, where customer data was granted, the buyer.',
  input: object({ shop_id: shopId, order_id: orderId }),
  async run(asking, { shop_id: shop, order_id: order }) {
    const found = await readOrder(asking, shop, order)
    return { text: `Order ${order} is ${String(found['status'])}.`, data: orderFacts(found, shown(asking)) }
  },
})

const orderInShop = readTool({
  name: 'order_in_shop',
  title: 'Ask the shop for an order',
  description: 'Asks the shop itself how an order is right now. Use it to compare with what we hold.',
  input: object({ shop_id: shopId, remote_id: text({ description: 'The id that the shop itself gives the order' }) }),
  async run(asking, { shop_id: shop, remote_id: remoteId }) {
    await asking.shop(shop)
    const answer = await asking.post(`/api/2.0/app/integrations/${shop}/action`, {
      resource: 'get_order',
      remote_id: remoteId,
    })
    const order = fieldsOf(fieldsOf(answer)['data'])
    const facts = orderFacts({ ...order, items: order['lines'] ?? order['items'], integration_id: shop }, shown(asking))
    return { text: `The shop shows the order as ${String(order['status'])}.`, data: facts }
  },
})

const maxSteps = 100

const orderPassport = readTool({
  name: 'order_passport',
  title: 'Read the passport of an order',
  description:
    'Every step of an order with its time: what the shop sent, what was stored, sent to the shop and to webhooks, and what failed.',
  input: object({ shop_id: shopId, order_id: orderId }),
  async run(asking, { shop_id: shop, order_id: order }) {
    await asking.shop(shop)
    const answer = await asking.get(`/api/2.0/app/orders/${order}/passport?integration_id=${shop}`)
    const { steps, truncated } = fieldsOf(fieldsOf(answer)['data'])
    const all = listOf(steps)
    const latest = all.slice(-maxSteps)
    return {
      text: `${latest.length} of ${all.length} steps, oldest first.`,
      data: {
        order_id: order,
        steps: latest.map(stepFacts),
        older_left_out: all.length > maxSteps || truncated === true,
      },
    }
  },
})

export const orderTools = [findOrder, getOrder, orderInShop, orderPassport]
