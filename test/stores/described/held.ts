import { data, type Merchant, rows } from '../../integrations/support.ts'
import type { TestServer } from '../../support/server.ts'
import { differences } from '../given/whole-order.ts'
import type { TrueShop } from './servers.ts'

type Way = { server: TestServer; merchant: Merchant; id: number }

const byId = (a: { remote_id: string }, b: { remote_id: string }) => (a.remote_id < b.remote_id ? -1 : 1)
const bySku = (a: { sku: string }, b: { sku: string }) => (a.sku < b.sku ? -1 : 1)

/** Where what we hold of a shop is not what the server itself says, in words; and how much was looked at. */
export async function comparedWith(theirs: TrueShop, { server, merchant, id }: Way) {
  const { db } = server.context
  const orders = new Map((await ordersOf(merchant, id)).map((one) => [one['remote_id'], one]))
  const told = theirs.orders.map(({ tracking: _, ...order }) => order)
  const held = await db.selectFrom('products').select(['remote_id', 'name']).where('integration_id', '=', id).execute()
  const stock = await db.selectFrom('inventory').select(['sku', 'quantity']).where('integration_id', '=', id).execute()
  const products = held.map((one) => ({ remote_id: String(one.remote_id), title: one.name }))
  const levels = stock.map(({ sku, quantity }) => ({ sku, available: quantity }))
  const lines = told.reduce((sum, { items }) => sum + items.length, 0)
  return {
    ours: { orders: orders.size, products: products.toSorted(byId), levels: levels.toSorted(bySku) },
    theirs: {
      ...{ orders: told.length, products: theirs.products.toSorted(byId), levels: theirs.levels.toSorted(bySku) },
    },
    different: told.flatMap((order) => differences(orders.get(order.remote_id), order, order.remote_id)),
    words: `${told.length} orders with ${lines} lines, ${held.length} products, ${levels.length} levels: the same`,
  }
}

async function ordersOf(merchant: Merchant, id: number): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  for (let page = 1; ; page++) {
    const some = rows(await merchant.asApp('GET', `/orders?integration_id=${id}&per_page=100&page=${page}&sort=id`))
    found.push(...some)
    if (some.length < 100) return found
  }
}

/** Offers the service in the merchant's app, and installs it there. */
export async function installed(merchant: Merchant, type: string, serviceId: unknown, body: object): Promise<number> {
  await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: serviceId })
  const made = data(await merchant.asApp('POST', `/${type}/install`, { remote_id: merchant.remoteId, ...body }))
  return Number(made['id'])
}

export const runsOf = async (merchant: Merchant, id: number) =>
  rows(await merchant.asApp('GET', `/integrations/${id}/runs`)).map(({ status }) => status)
