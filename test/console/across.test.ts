import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { insertRun } from '../../src/domain/runs/run-store.ts'
import { data, type Merchant, makeMerchant, meta, rows } from '../integrations/support.ts'
import { makeIntegration } from '../support/gateway.ts'
import { logIn, makeClient, makeUser } from '../support/identity.ts'
import { orderInput } from '../support/orders.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

/** Lists and search over all shops of an app, beside an app of somebody else with the same in it. */

let server: TestServer
let mine: Merchant
let theirs: Merchant
let shops: Integration[]
let foreign: Integration

const person = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com', phone: '+49 30 1234567' }

beforeAll(async () => {
  server = await startTestServer()
  ;[mine, theirs] = [await makeMerchant(server), await makeMerchant(server)]
  const shopOf = async ({ appId }: Merchant) => (await makeIntegration(server.context, { appId })).integration
  shops = [await shopOf(mine), await shopOf(mine), await shopOf(mine)]
  foreign = await shopOf(theirs)
  for (let n = 0; n < 12; n++) {
    const shop = shops[n % shops.length] ?? foreign
    await createOrder(server.context, shop, orderInput({ number: `#${n}`, customer: n === 5 ? person : {} }))
    await insertRun(server.context.db, shop.id, { resource: 'sync_orders', input: {} })
  }
  await createOrder(server.context, foreign, orderInput({ number: '#5', customer: person }))
  const { db } = server.context
  for (let n = 0; n < 12; n++) {
    const placedAt = new Date(Date.UTC(2026, 0, 1 + 100 - n))
    await sql`update orders set placed_at = ${placedAt} where number = ${`#${n}`}`.execute(db)
  }
  for (const { id } of [...shops, foreign]) {
    await sql`insert into products (integration_id, sku, name, price, currency) values (${id}, 'K-1', 'Kettle', 5, 'EUR')`.execute(
      db,
    )
    await sql`insert into inventory (integration_id, sku, location, remote_id, quantity, updated_at)
      select ${id}, 'K-' || n, '', '', n, timestamptz '2026-01-01' from generate_series(1, 4) n`.execute(db)
    await sql`insert into shipments (integration_id, order_id, tracking_number, carrier, status)
      select integration_id, id, 'T' || number, 'DHL', 'SHIPPED' from orders where integration_id = ${id}`.execute(db)
    await sql`insert into shop_messages (integration_id, delivery_id, topic, body, outcome, processed_at)
      select ${id}, 'd' || n, 'order.updated', 'x', (array['failed', 'stored'])[1 + n % 2], now() from generate_series(1, 4) n`.execute(
      db,
    )
    await sql`insert into integration_logs (integration_id, at, level, event, message)
      select ${id}, now() - make_interval(days => n * 3), (array['info', 'error'])[1 + n % 2], 'run.completed', 'Line ' || n
      from generate_series(0, 4) n`.execute(db)
  }
})
afterAll(() => server.close())

const list = (what: string, query = '') => mine.asUser('GET', `/apps/${mine.appId}/${what}${query}`)

/** Page by page, to the end. */
async function all(what: string, query: string): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  for (let cursor: unknown = ''; cursor !== null; ) {
    const answer = await list(what, `?limit=2&${query}${cursor ? `&cursor=${String(cursor)}` : ''}`)
    found.push(...rows(answer))
    cursor = meta(answer)['next_cursor']
  }
  return found
}

const shopIn = (row: Record<string, unknown>) => Number((row['integration'] as { id: number }).id)

describe('a list over all shops', () => {
  test.each([
    ['orders', 'number', 12],
    ['products', 'sku', 3],
    ['inventory', 'sku', 12],
    ['shipments', 'tracking_number', 12],
    ['runs', 'id', 12],
    ['messages', 'delivery_id', 12],
    ['logs', 'message', 15],
  ])('%s: every row once, of every shop of the app and of no other', async (what, key, count) => {
    const found = await all(what, '')
    expect(found).toHaveLength(count)
    expect(new Set(found.map((row) => `${shopIn(row)} ${row[key]}`)).size).toBe(count)
    expect(new Set(found.map(shopIn))).toEqual(new Set(shops.map(({ id }) => id)))
  })

  test('begins with what came last, or, where a time is asked for, with what was placed last', async () => {
    expect((await all('orders', '')).map(({ number }) => number)).toEqual(
      Array.from({ length: 12 }, (_, n) => `#${11 - n}`),
    )
    const since = await all('orders', `placed_since=${encodeURIComponent('2026-04-05T00:00:00Z')}`)
    expect(since.map(({ number }) => number)).toEqual(['#0', '#1', '#2', '#3', '#4', '#5', '#6'])
  })

  test('is narrowed by its filters', async () => {
    const [first] = shops
    const ofShop = await all('orders', `integration_id=${first?.id}`)
    expect(ofShop.map(({ number }) => number)).toEqual(['#9', '#6', '#3', '#0'])
    expect((await all('orders', `number=${encodeURIComponent('#7')}`)).map(({ number }) => number)).toEqual(['#7'])
    expect(await all('orders', 'status=SHIPPED')).toEqual([])
    expect(await all('inventory', 'sku=K-2')).toHaveLength(3)
    expect(await all('messages', 'outcome=failed')).toHaveLength(6)
    expect(await all('messages', 'outcome=waiting')).toHaveLength(0)
    expect(await all('runs', 'status=queued')).toHaveLength(12)
    expect(await all('shipments', `tracking_number=${encodeURIComponent('T#7')}`)).toHaveLength(1)
  })

  test('of runs leaves out, where that is asked, what the clock started and found nothing', async () => {
    const [shop] = shops
    await sql`insert into runs (integration_id, resource, status, automatic, quiet, finished_at)
      select ${shop?.id}, 'sync_orders', 'completed', true, true, now() from generate_series(1, 30)`.execute(
      server.context.db,
    )
    expect(await all('runs', 'found=something')).toHaveLength(12)
    expect(await all('runs', 'found=something&status=completed')).toEqual([])
    expect(await all('runs', 'found=anything')).toHaveLength(42)
    expect((await list('runs', '?found=nothing')).status).toBe(422)
    await sql`delete from runs where quiet`.execute(server.context.db)
  })

  test('of the log looks through a week for a level, unless it is told how far', async () => {
    expect(await all('logs', 'level=error')).toHaveLength(3)
    expect(await all('logs', `level=error&since=${encodeURIComponent('2026-01-01T00:00:00Z')}`)).toHaveLength(6)
    expect((await all('logs', 'q=LINE%202')).map(({ message }) => message)).toEqual(['Line 2', 'Line 2', 'Line 2'])
  })

  test('shows nothing of a shop of somebody else, and refuses cursors and apps that are not its own', async () => {
    expect(await all('orders', `integration_id=${foreign.id}`)).toEqual([])
    for (const cursor of [
      'x',
      Buffer.from('["1"]').toString('base64url'),
      Buffer.from('["a","b"]').toString('base64url'),
    ]) {
      expect((await list('orders', `?cursor=${cursor}`)).status).toBe(400)
    }
    expect((await mine.asUser('GET', `/apps/${theirs.appId}/orders`)).status).toBe(403)
    expect((await list('orders', '?limit=201')).status).toBe(422)
    expect((await list('orders', '?remote_status=open')).status).toBe(422)
  })
})

const search = async (q: string, token = mine.userToken) =>
  data(await server.call('POST', `/api/2.0/user/apps/${mine.appId}/search`, { token, body: { q } })) as Record<
    'orders' | 'products' | 'shops' | 'merchants' | 'runs',
    Record<string, unknown>[]
  >

describe('the search', () => {
  test.each([
    ['#5', 'number'],
    ['T#5', 'tracking_number'],
    ['Grace@Example.com', 'email'],
    ['+49 (30) 123-4567', 'phone'],
    ['hopper grace', 'name'],
  ])('finds an order by “%s”, in one’s own shops only', async (q, by) => {
    const { orders } = await search(q)
    expect(orders.map((order) => [order['number'], order['found_by'], shopIn(order)])).toEqual([
      ['#5', by, shops[2]?.id],
    ])
  })

  test('finds an order by the shop’s own id, products, shops, merchants and runs', async () => {
    const { db } = server.context
    const { rows: kept } = await sql<{ remote_id: string }>`
      select remote_id from orders where integration_id = ${shops[0]?.id} and number = '#3'`.execute(db)
    expect((await search(kept[0]?.remote_id ?? '')).orders.map(({ number }) => number)).toEqual(['#3'])
    expect((await search('K-1')).products).toHaveLength(3)
    const shop = shops[1]
    expect((await search(shop?.shop.toUpperCase() ?? '')).shops.map(({ id }) => id)).toEqual([shop?.id])
    expect((await search(mine.remoteId)).merchants.map((one) => one['remote_id'])).toEqual([mine.remoteId])
    await sql`insert into runs (integration_id, id, resource, status)
      values (${shop?.id}, 471100, 'reconcile', 'completed'), (${foreign.id}, 471100, 'reconcile', 'completed')`.execute(
      db,
    )
    expect((await search('471100')).runs.map((run) => [run['id'], shopIn(run)])).toEqual([[471100, shop?.id]])
  })

  test('finds each kind for those only who may read it', async () => {
    const client = await makeClient(server.context, { grant_types: ['password'] })
    const tokenWith = async (permission: 'read-integration' | 'read-order') => {
      const user = await makeUser(server.context, { company_id: mine.companyId, permissions: [permission] })
      return (await logIn(server.context, client, user)).access_token
    }
    const looks = await tokenWith('read-integration')
    expect((await search('#5', looks)).orders).toEqual([])
    expect((await search('K-1', looks)).products).toHaveLength(3)
    const sells = await tokenWith('read-order')
    expect((await search('#5', sells)).orders).toHaveLength(1)
    expect((await search('K-1', sells)).products).toEqual([])
  })

  test('refuses what is too short, and apps of others', async () => {
    const ask = (appId: number, q: string) => mine.asUser('POST', `/apps/${appId}/search`, { q })
    expect((await ask(mine.appId, 'x')).status).toBe(422)
    expect((await ask(theirs.appId, '#5')).status).toBe(403)
  })
})
