import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeVanishedOrders, upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { redactOrders } from '../../src/domain/orders/privacy/redact-store.ts'
import { permissions } from '../../src/domain/permissions.ts'
import { upsertProducts } from '../../src/domain/products/product-upsert-store.ts'
import { deleteUser } from '../../src/domain/users/delete-user.ts'
import { operator } from '../../src/domain/users/user.ts'
import { changeUser, findRoles, setAppRoles, setPermissions, setRoles } from '../../src/domain/users/user-store.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { destroyKey } from '../../src/runtime/db/vault/vault.ts'
import { drawLots } from '../support/chance.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeUser } from '../support/identity.ts'
import { incomingOrder } from '../support/orders.ts'
import { said } from '../support/said.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'
import { watchStatements } from '../support/watch-statements.ts'

/** Of first pages the bytes of records are kept (`src/api/v2/first-pages.ts`): nobody may ever tell, but by how long they take. */

let server: TestServer
let tenant: TestTenant
let watch: ReturnType<typeof watchStatements>
beforeAll(async () => {
  watch = watchStatements()
  server = await startTestServer()
  tenant = await makeTenant(server.context)
})
afterAll(async () => {
  watch.stop()
  await server.close()
})

const lots = drawLots('first pages')

interface Shown {
  id: number
  remote_id: string
  note: string | null
  customer: Record<string, unknown>
  updated_at: string
}

async function startShop(count: number) {
  const { context } = server
  const { integration, gatewayKey } = await makeIntegration(context, {
    appId: tenant.appId,
    accountId: tenant.accountId,
  })
  const { id: integrationId } = integration
  const store = async (remoteIds: readonly string[], more: (n: number) => object) => {
    const ids = await takeIds(context.db, 'orders', remoteIds.length)
    const orders = remoteIds.map((remoteId, n) => incomingOrder(remoteId, more(n)))
    await context.transaction((trx) => upsertOrders(trx, integrationId, { ids, orders }))
  }
  await store(
    Array.from({ length: count }, (_, n) => `r${n}`),
    (n) => ({ note: `Note ${n} – für 5 €` }),
  )
  const query = (more = '') => `/api/2.0/app/orders?integration_id=${integrationId}${more}`
  const call = (path: string) => server.call('GET', path, { token: tenant.appToken })
  return {
    integrationId,
    store,
    call,
    query,
    async list(more = ''): Promise<Shown[]> {
      const answer = await call(query(more))
      expect([answer.status, answer.text]).toEqual([200, JSON.stringify(answer.json)])
      return answer.json['data'] as Shown[]
    },
    /** By version 1.0. */
    async older(path: string): Promise<Shown | Shown[]> {
      const call = { token: tenant.userToken, headers: { 'x-gateway-key': gatewayKey } }
      return (await server.call('GET', `/api/1.0/${path}`, call)).json['data'] as Shown | Shown[]
    },
    /** Each by itself, where nothing is kept. */
    one: async (id: number) => (await call(`/api/2.0/app/orders/${id}?integration_id=${integrationId}`)).json['data'],
  }
}

const opens = (text: string) => /\bprivate\b/.test(text)

test('an order that is as it was is not read again, and one that has changed is', async () => {
  const shop = await startShop(20)
  const { result: first } = await watch.during(() => shop.list())
  const { result: again, statements } = await watch.during(() => shop.list())
  expect(again).toEqual(first)
  expect(statements.filter(opens)).toEqual([])
  await shop.store(['r3'], () => ({ note: 'Another note' }))
  const changed = await watch.during(() => shop.list())
  expect(changed.result.find(({ remote_id: id }) => id === 'r3')).toMatchObject({ note: 'Another note' })
  const [read, ...others] = changed.sent.filter(({ text }) => opens(text))
  expect([read?.values[1], others]).toEqual([[again.find(({ remote_id: id }) => id === 'r3')?.id], []])
})

test('the whole of an answer is as it would be without', async () => {
  const shop = await startShop(17)
  for (const more of [
    '',
    '&per_page=5',
    '&sort=-id',
    '&sort=number,-placed_at&per_page=3',
    '&status=pending',
    '&email=ada@example.com',
  ]) {
    const [cold, warm] = [await shop.call(shop.query(more)), await shop.call(shop.query(more))]
    expect(warm.text).toBe(cold.text)
    expect(cold.text).toBe(JSON.stringify(cold.json))
    for (const order of cold.json['data'] as Shown[]) expect(order).toEqual(await shop.one(order.id))
  }
})

test('whatever happens to orders, a first page shows each as it is', async () => {
  const shop = await startShop(12)
  const { context } = server
  const { integrationId } = shop
  const changes: Record<string, (order: Shown) => Promise<unknown>> = {
    'the shop tells something new': ({ remote_id: id }) =>
      shop.store([id], () => ({ note: `Note ${lots.below(1000)}` })),
    'another one comes': () => shop.store([`n${lots.below(1e9)}`], () => ({})),
    'it is acknowledged': ({ id }) =>
      server.call('POST', `/api/2.0/app/orders/${id}/acknowledge?integration_id=${integrationId}`, {
        ...{ token: tenant.appToken, body: {} },
      }),
    'its buyer is forgotten': ({ id }) =>
      context.transaction((trx) =>
        redactOrders(trx, integrationId, {
          ...{ orderIds: [id], remoteIds: [], why: { source: 'api', note: said('gone') } },
        }),
      ),
    'the shop has it no longer': ({ remote_id: id }) =>
      context.transaction((trx) => removeVanishedOrders(trx, integrationId, [id])),
  }
  const names = Object.keys(changes)
  for (let n = 0; n < 40; n++) {
    const before = await shop.list('&per_page=30')
    const order = before[lots.below(before.length)]
    const name = names[n < names.length ? n : lots.below(names.length)] ?? ''
    if (order) await changes[name]?.(order)
    const after = await shop.list('&per_page=30')
    for (const shown of after) expect([name, shown]).toEqual([name, await shop.one(shown.id)])
    const older = (await shop.older('orders?acknowledged=all&per_page=30')) as Shown[]
    expect(older.map(({ id }) => id)).toEqual(after.map(({ id }) => id))
    for (const shown of older) expect([name, shown]).toEqual([name, await shop.older(`orders/${shown.id}`)])
  }
})

test('products and parcels that change are shown as they are, others are not read again', async () => {
  const shop = await startShop(0)
  const { context } = server
  const { integrationId } = shop
  const changes: Record<string, () => Promise<unknown>> = {
    products: async () => {
      const ids = await takeIds(context.db, 'products', 3)
      const products = ids.map((_, n) => ({
        ...{
          remote_id: `p${n}`,
          sku: `P${n}`,
          name: 'Kettle',
          description: 'A kettle for 5 €',
          price: '1.00',
          currency: 'EUR',
        },
        ...{ quantity: lots.below(9), active: true, images: [], variants: [], remote_status: null },
        remote_version: String(lots.below(1e9)),
      }))
      await context.transaction((trx) => upsertProducts(trx, integrationId, { ids, products }))
    },
    shipments: () =>
      shop.store(['a', 'b'], (n) => ({
        parcels: [
          {
            ...{ remote_id: `s${n}`, tracking_number: `T${lots.below(1e9)}`, carrier: 'dhl', tracking_url: null },
            ...{ status: 'SENT', items: [], shipped_at: '2026-01-01T00:00:00.000000Z' },
          },
        ],
      })),
  }
  for (const [kind, change] of Object.entries(changes)) {
    const path = `/api/2.0/app/${kind}?integration_id=${integrationId}`
    const shown = async (more = '') => {
      const records = (await shop.call(path + more)).json['data'] as { id: number }[]
      return records.toSorted((a, b) => a.id - b.id)
    }
    // Feeds of changes keep nothing.
    const all = () => shown('&updated_since=2000-01-01T00:00:00Z')
    for (let n = 0; n < 2; n++) {
      await change()
      const records = await shown()
      if (kind === 'products') expect(records).toMatchObject((await shop.older('products')) as Shown[])
      expect([kind, records.length]).toEqual([kind, kind === 'products' ? 3 : 2])
      await expect.poll(async () => [kind, await all()]).toEqual([kind, records])
      const { result, statements } = await watch.during(() => shown())
      expect(result).toEqual(records)
      expect(statements.filter((text) => text.includes('any($2::bigint[])'))).toEqual([])
    }
  }
})

test('what was opened with a key is gone with the key', async () => {
  const shop = await startShop(3)
  const notes = async () => (await shop.list()).map(({ note, customer }) => [note, customer['email']])
  const open = [0, 1, 2].map((n) => [`Note ${n} – für 5 €`, 'ada@example.com'])
  expect([await notes(), await notes()]).toEqual([open, open])
  await server.context.transaction((trx) => destroyKey(trx, shop.integrationId))
  const closed = [0, 1, 2].map(() => [null, undefined])
  expect([await notes(), await notes()]).toEqual([closed, closed])
})

test('nobody gets the bytes of another’s shop', async () => {
  const shop = await startShop(2)
  await shop.list()
  const other = await makeTenant(server.context)
  const answer = await server.call('GET', shop.query(), { token: other.appToken })
  expect(answer.status).toBe(403)
})

test('whatever is said of users, in whichever table, a first page shows each as it is', async () => {
  const { context } = server
  const { db } = context
  const owner = await makeTenant(context)
  const colleagues = await Promise.all(
    Array.from({ length: 5 }, () => makeUser(context, { company_id: owner.companyId })),
  )
  const token = owner.userToken
  const list = async (version: string) =>
    (await server.call('GET', `/api/${version}/users`, { token })).json['data'] as { id: number }[]
  const changes: Record<string, (id: number) => Promise<unknown>> = {
    name: (id) => changeUser(db, id, { name: `Name ${lots.below(1e9)}` }),
    'e-mail address': (id) => changeUser(db, id, { email: `${lots.below(1e9)}@example.com` }),
    active: (id) => changeUser(db, id, { active: lots.below(2) === 0 }),
    'role in the company': (id) => changeUser(db, id, { company_role: lots.below(2) === 0 ? 'support' : 'operator' }),
    permissions: (id) => setPermissions(db, id, permissions.slice(0, lots.below(permissions.length))),
    'roles for apps': (id) =>
      setAppRoles(db, id, [{ app_id: owner.appId, role: lots.below(2) === 0 ? 'billing' : 'admin' }]),
    'roles of the instance': async (id) =>
      setRoles(db, id, await findRoles(db, lots.below(2) === 0 ? ['manager'] : [])),
    'that there is one': (id) => deleteUser(context, operator, id),
  }
  const names = Object.keys(changes)
  for (let n = 0; n < 30; n++) {
    await list('1.0')
    const name = names[n < names.length ? n : lots.below(names.length - 1)] ?? ''
    const { id } = colleagues[n < names.length ? n % 5 : lots.below(5)] ?? expect.fail()
    await changes[name]?.(id)
    for (const version of ['1.0', '2.0/user']) {
      const shown = await list(version)
      for (const user of shown) {
        const alone = await server.call('GET', `/api/1.0/users/${user.id}`, { token })
        expect([name, version, user]).toEqual([name, version, alone.json['data']])
      }
      expect([name, version, shown.length]).toEqual([name, version, n < names.length - 1 ? 6 : 5])
    }
  }
})
