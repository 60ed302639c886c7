import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shopsIn } from '../src/domain/across/across-store.ts'
import { search } from '../src/domain/across/search.ts'
import { integrationList, integrationsOfApp } from '../src/domain/integrations/integration-list-store.ts'
import { readIntegration } from '../src/domain/integrations/integration-store.ts'
import { createOrder } from '../src/domain/orders/create-order.ts'
import { type Address, addressedIntegrations } from '../src/domain/shop-webhooks/inbound-address-store.ts'
import { paginate } from '../src/runtime/db/lists/paginate.ts'
import { createTestContext, type TestContext } from './support/context.ts'
import { makeIntegration } from './support/gateway.ts'
import { makeApp } from './support/identity.ts'
import { makeShops, type Shops } from './support/many-shops.ts'
import { orderInput } from './support/orders.ts'
import { nodesIn, plansOf } from './support/read-plans.ts'
import { watchStatements } from './support/watch-statements.ts'

/** How the database goes about what concerns one of very many shops of one app and one service. */

let tested: TestContext
let client: pg.Client
let watch: ReturnType<typeof watchStatements>
let appId: number
let shops: Shops
beforeAll(async () => {
  watch = watchStatements()
  tested = await createTestContext()
  appId = await makeApp(tested.context)
  const { integration } = await makeIntegration(tested.context, { appId })
  shops = await makeShops(tested.database.query, integration.id, 5000)
  // Half of them are of no merchant, as those of apps that know of none.
  await tested.database.query('update integrations set account_id = null where app_id = $1 and id % 2 = 0', [appId])
  client = new pg.Client({ connectionString: tested.url })
  await client.connect()
  await client.query('analyze integrations')
})
afterAll(async () => {
  watch.stop()
  await client.end()
  await tested.close()
})

/** Which indexes are used, and whether anything is looked through or sorted. */
async function planOf(work: () => Promise<unknown>, about: string) {
  const { sent } = await watch.during(work)
  const [one] = sent.filter(({ text }) => text.includes(about))
  if (!one) throw new Error('Nothing is asked.')
  const plans = await Promise.all((['each time', 'once'] as const).map((planned) => plansOf(client, one, planned)))
  const scans = nodesIn(plans).flatMap((node) =>
    node['Relation Name'] === 'integrations' && node['Node Type'] === 'Seq Scan' ? ['walks all shops'] : [],
  )
  return { text: JSON.stringify(plans), scans }
}

test.each<[string, Partial<Address>]>([
  ['of no account', { accountId: null }],
  ['of an account', { accountId: 7 }],
  ['of whoever has it', { accountId: 'any' }],
  ['of whoever has it, by the platform’s own id', { accountId: 'any', identity: 'gid-7' }],
])('the shop that a message is for, %s, is found by its address', async (_whose, more) => {
  const address = {
    channel: 'sandbox',
    accountId: null,
    store: 'many-77.example.com',
    identity: null,
    integrationId: null,
  }
  const { text, scans } = await planOf(
    () => addressedIntegrations(tested.context.db, { ...address, ...more }),
    'shop_webhooks',
  )
  expect(scans).toEqual([])
  expect(text).toContain('integrations_addressed')
  expect(text).not.toContain('integrations_type')
})

test('the shops of a merchant are found without a look at all that the app has', async () => {
  const [account] = await tested.database.query<{ id: number }>(
    'select min(id) as id from accounts where app_id = $1',
    [appId],
  )
  const read = () => shopsIn(tested.context.db, appId, { accountId: account?.id ?? 0 })
  const { text, scans } = await planOf(read, 'from integrations')
  expect(scans).toEqual([])
  expect(text).toMatch(/integrations_(?:kept_)?account/)
  expect(text).not.toMatch(/"integrations_(?:kept_)?app"/)
})

test('the first shops of an app by name are read in that order', async () => {
  const query = { page: 1, perPage: 15, filter: {}, sort: [{ field: 'name', descending: false }] }
  const list = () => paginate(tested.context.reader, integrationList, integrationsOfApp({ appId }), query)
  const { text, scans } = await planOf(list, 'list_total')
  expect(scans).toEqual([])
  expect(text).toContain('integrations_name')
  expect(text).not.toContain('"Sort"')
})

test('a search in all of them looks into two thousand at a time, up to the last', async () => {
  const { context } = tested
  const last = await readIntegration(context.db, shops.first + shops.count - 1)
  await createOrder(context, last, orderInput({ number: 'LAST-1', customer: { email: 'last@example.com' } }))
  for (const q of ['LAST-1', 'last@example.com']) {
    const { sent, result } = await watch.during(() => search(context, appId, { q, may: { orders: true, shops: true } }))
    expect(result.orders.map(({ number, integration }) => [number, integration.id])).toEqual([['LAST-1', last.id]])
    const lists = sent.filter(({ text }) => text.includes('orders r')).flatMap(({ values }) => values.map(String))
    expect(Math.max(...lists.map((list) => list.split(',').length))).toBeLessThanOrEqual(2000)
  }
})
