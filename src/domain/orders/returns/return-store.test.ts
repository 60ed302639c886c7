import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { makeIntegration } from '../../../../test/support/gateway.ts'
import { incomingOrder } from '../../../../test/support/orders.ts'
import { takeIds } from '../../../runtime/db/take-ids.ts'
import { listOrderRecords } from '../order-record-store.ts'
import { upsertOrders } from '../order-upsert-store.ts'
import { storeReturns } from './return-store.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const [item] = incomingOrder('1').items
if (!item) throw new Error('An order has a line.')
const lamp = { ...item, remote_id: 'L1', sku: 'LAMP' }
const shade = { ...item, remote_id: 'L2', sku: 'SHADE' }

/** Which lines a return names once it is held. */
async function linesHeld(
  items: readonly (typeof lamp)[],
  named: readonly (string | null)[],
  skus?: readonly (string | null)[],
): Promise<(string | null)[]> {
  const { context } = tested
  const { id } = (await makeIntegration(context, { appId: null })).integration
  const ids = await takeIds(context.db, 'orders', 1)
  await context.transaction((trx) => upsertOrders(trx, id, { ids, orders: [incomingOrder('1', { items })] }))
  const told = {
    ...{ remote_id: 'r', status: 'requested' as const, remote_status: 'OPEN', requested_at: null },
    lines: named.map((line) => ({ order_line_remote_id: line, quantity: 1, reason: null })),
  }
  const one = { order_remote_id: '1', updated_at: '2026-11-03T10:00:00.000000Z', told, ...(skus && { skus }) }
  await context.transaction((trx) => storeReturns(trx, id, { returns: [one], isFirst: false }))
  const { rows } = await listOrderRecords(context.reader, id, { page: 1, perPage: 5, filter: {}, sort: [] })
  return rows[0]?.returns[0]?.lines.map((line) => line.order_line_remote_id) ?? []
}

test.each([
  ['that is named is that one', [lamp, shade], ['L2'], undefined, ['L2']],
  ['that is not named is the only one', [lamp], [null], undefined, ['L1']],
  ['that is named by its SKU is the one with it', [lamp, shade], [null], ['SHADE'], ['L2']],
  ['of which there are two with the SKU is in doubt', [lamp, { ...shade, sku: 'LAMP' }], [null], ['LAMP'], [null]],
  ['that is named by the article below the line is the only one', [lamp], ['L1-child'], undefined, ['L1']],
  ['that the order does not have, and may be one of two, stays as it was told', [lamp, shade], ['X'], undefined, ['X']],
  [
    'that the order does not have, beside one that it has, stays as it was told',
    [lamp],
    ['L1', 'X'],
    undefined,
    ['L1', 'X'],
  ],
])('a line %s', async (_, items, named, skus, expected) => {
  expect(await linesHeld(items, named, skus)).toEqual(expected)
})
