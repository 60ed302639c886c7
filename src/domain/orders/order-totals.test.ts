import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedFor } from '../../../test/support/chance.ts'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { incomingOrder, orderInput } from '../../../test/support/orders.ts'
import { Fault } from '../../lib/fault.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import type { Integration } from '../integrations/integration.ts'
import { acknowledgeOrders } from './acknowledgement/acknowledge-orders.ts'
import { cancelOrder } from './cancel-order.ts'
import { createOrder } from './create-order.ts'
import { type OrderStatus, orderStatuses } from './order.ts'
import { listOrders } from './order-list-store.ts'
import { upsertOrders } from './order-upsert-store.ts'
import { deleteOrder } from './privacy/delete-order-store.ts'

let test_: TestContext
const context = () => test_.context

beforeAll(async () => {
  test_ = await createTestContext()
})
afterAll(() => test_.close())

test('totals are right after anything, also when it happens at the same time', async () => {
  const remoteIds = Array.from({ length: 12 }, (_, n) => `r${n}`)
  const step = fc.oneof(
    fc.record({ do: fc.constant('create' as const), remoteId: fc.constantFrom(...remoteIds) }),
    fc.record({
      do: fc.constant('sync' as const),
      remoteIds: fc.uniqueArray(fc.constantFrom(...remoteIds), { minLength: 1 }),
      status: fc.constantFrom<OrderStatus>(...orderStatuses),
      version: fc.nat({ max: 9 }),
    }),
    fc.record({ do: fc.constantFrom('acknowledge', 'cancel', 'delete'), which: fc.nat() }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const { integration } = await makeIntegration(context(), { appId: null }, { type: 'hand-made' })
      const atOnce = 4
      for (let start = 0; start < steps.length; start += atOnce) {
        await Promise.all(steps.slice(start, start + atOnce).map((one) => perform(integration, one).catch(expected)))
      }
      expect(await countedTotals(integration)).toEqual(await realTotals(integration))
    }),
    { numRuns: 25, seed: seedFor('order-counts') },
  )
})

test.each([1, 1000, 3000])(
  'among %i shops whose orders come in turn, a shop of 100 orders has at most five counters',
  async (shops) => {
    const { integration } = await makeIntegration(context(), { appId: null }, { type: 'hand-made' })
    const numbers = Array.from({ length: 100 }, (_, n) => n)
    const [first = 0] = await takeIds(context().db, 'orders', 1)
    const ids = numbers.map((n) => first + 10_000_000 * shops + n * shops)
    for (const [version, status] of (['PENDING', 'ACKNOWLEDGED', 'SHIPPED', 'DELIVERED'] as const).entries()) {
      const orders = numbers.map((n) => incomingOrder(`r${n}`, { status, remote_version: String(version) }))
      await context().transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
      if (status === 'PENDING') await acknowledgeOrders(context(), integration, ids)
    }
    const counters = await context()
      .db.selectFrom('row_counters')
      .select('n')
      .where('integration_id', '=', integration.id)
      .execute()
    expect(counters.length / ids.length).toBeLessThanOrEqual(0.05)
  },
)

/** What comes too late is refused; anything else is a bug. */
function expected(error: unknown) {
  if (!(error instanceof Fault)) throw error
}

type Step =
  | { do: 'create'; remoteId: string }
  | { do: 'sync'; remoteIds: string[]; status: OrderStatus; version: number }
  | { do: string; which: number }

async function perform(integration: Integration, step: Step): Promise<unknown> {
  if ('remoteId' in step) return await createOrder(context(), integration, orderInput({ remote_id: step.remoteId }))
  if ('remoteIds' in step) {
    const more = { status: step.status, remote_version: String(step.version) }
    const ids = await takeIds(context().db, 'orders', step.remoteIds.length)
    const orders = step.remoteIds.map((remoteId) => incomingOrder(remoteId, more))
    return await context().transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
  }
  const { rows } = await listOrders(context().reader, integration.id, {
    page: 1,
    perPage: 100,
    filter: { acknowledged: ['all'] },
    sort: [],
  })
  const order = rows[step.which % Math.max(1, rows.length)]
  if (!order) return null
  if (step.do === 'acknowledge') return await acknowledgeOrders(context(), integration, [order.id])
  if (step.do === 'cancel') return await cancelOrder(context(), integration, { order, reason: null })
  return await context().transaction((trx) => deleteOrder(trx, integration.id, order.id))
}

async function countedTotals(integration: Integration) {
  const rows = await context()
    .db.selectFrom('row_counters')
    .select(['kind', 'n'])
    .where('integration_id', '=', integration.id)
    .execute()
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]).sort())
}

async function realTotals(integration: Integration) {
  const rows = await test_.database.query<{ kind: string; n: number }>(
    `select kind, count(*) as n
     from orders
     cross join lateral unnest(array[
       'orders',
       case when acknowledged_at is null then 'orders:open' else 'orders:acknowledged' end,
       'orders:' || status,
       case when sandbox then 'orders:sandbox' end
     ]) kind
     where integration_id = $1 and deleted_at is null and kind is not null
     group by kind`,
    [integration.id],
  )
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]).sort())
}
