import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { faultOf } from '../../../test/support/identity.ts'
import { ledgerWorld } from '../../../test/support/ledger-shop.ts'
import { openShop } from '../shop/open-remote.ts'
import type { OperationKind } from './operation.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

/** As it is sent: levels and prices of several articles together, products one by one. */
const listed = (kind: OperationKind, one: object) => (kind === 'export_product' ? one : [one])

test.each([
  { made: 'hold_order', undone: 'release_order' },
  { made: 'release_order', undone: 'hold_order' },
  { made: 'annotate_order', undone: 'annotate_order' },
  { made: 'cancel_shipment', undone: 'create_shipment' },
  { made: 'amend_shipment', undone: 'amend_shipment' },
  { made: 'set_inventory', undone: 'set_inventory' },
  { made: 'set_prices', undone: 'set_prices' },
  { made: 'export_product', undone: 'export_product' },
] as const)(
  'a change is no answer any longer once it was changed back, though our copy never showed it: %o',
  async (kinds) => {
    const { shop, context, integration } = await ledgerWorld(tested, false)
    const { write } = await openShop(context, integration)
    const change = (kind: OperationKind, wanted: string) =>
      write({ kind, key: wanted, input: { order_remote_id: '7', wanted } }, shop.write(false))
    await change(kinds.made, 'so')
    await change(kinds.made, 'so')
    expect(shop.effects).toHaveLength(1)
    await (await change(kinds.undone, 'otherwise')).settle(tested.context.db)
    await change(kinds.made, 'so')
    expect(new Set(shop.effects).size).toBe(3)
  },
)

test.each(
  (['set_inventory', 'set_prices', 'export_product'] as const).flatMap((kind) => [
    { kind, between: 'cup', sent: 3 },
    { kind, between: 'saucer', sent: 2 },
  ]),
)(
  'what sets how things are has a name of its own once the same article was set otherwise, and no other: %o',
  async ({ kind, between, sent }) => {
    const { shop, context, integration } = await ledgerWorld(tested, true)
    const { write } = await openShop(context, integration)
    const show = (sku: string, wanted: number) =>
      write({ kind, key: `${sku} ${wanted}`, input: listed(kind, { sku, wanted }) }, shop.write(true))
    shop.set('lost')
    await faultOf(show('cup', 5))
    shop.set('none')
    await (await show(between, 7)).settle(tested.context.db)
    // To what it knows by name the shop gives the answer, and shows what it was told last.
    await (await show('cup', 5)).settle(tested.context.db)
    expect([shop.effects.length, new Set(shop.effects).size]).toEqual([sent, sent])
  },
)
