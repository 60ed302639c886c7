import { afterAll, beforeAll, expect, test } from 'vitest'
import { runAction } from '../../src/domain/actions/run-action.ts'
import { upsertProducts } from '../../src/domain/products/product-upsert-store.ts'
import { syncedProduct } from '../../src/domain/products/synced-product.ts'
import { openShop } from '../../src/domain/shop/open-remote.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { type Gateway, openGateway } from './support.ts'

/** Prices set by the action: what the shop has then, and what our copy shows. */

let gateway: Gateway
let ids: readonly number[]
beforeAll(async () => {
  gateway = await openGateway()
  const { context, integration } = gateway
  const { connector, shop } = await openShop(context, integration)
  const page = await connector.products?.list(shop, { updatedSince: null, statuses: [], cursor: null, limit: 5 })
  const products = (page?.items ?? []).flatMap((raw) => connector.products?.translate(raw, shop) ?? [])
  ids = await takeIds(context.db, 'products', products.length)
  await context.transaction((trx) =>
    upsertProducts(trx, integration.id, { ids, products: products.map(syncedProduct) }),
  )
})
afterAll(() => gateway.server.close())

const held = async () =>
  await gateway.context.db
    .selectFrom('products')
    .select(['id', 'sku', 'remote_id', 'price', 'variants', 'updated_at'])
    .where('integration_id', '=', gateway.integration.id)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()

const run = (items: readonly object[]) =>
  runAction(gateway.context, gateway.integration, { resource: 'set_prices', items })

test('our copy shows what the shop took, by SKU and by variant, and nothing else', async () => {
  const before = await held()
  const [one, two, three] = before
  const outcome = await run([
    { sku: one?.sku, price: '77.5', compare_at_price: '90', currency: 'EUR' },
    { variant_remote_id: two?.remote_id, price: '78', currency: 'EUR' },
    { sku: three?.sku, price: '79', currency: 'USD' },
    { sku: 'nowhere', price: '80', currency: 'EUR' },
  ])
  expect(outcome).toMatchObject({
    result: [
      { sku: one?.sku, ok: true, error: null },
      { variant_remote_id: two?.remote_id, ok: true, error: null },
      { sku: three?.sku, ok: false, error: 'Prices in this shop are in EUR.' },
      { sku: 'nowhere', ok: false, error: 'The shop has no such article.' },
    ],
  })
  const after = await held()
  expect(after[0]).toMatchObject({
    price: '77.50',
    variants: [{ price: { amount: '77.50', currency: 'EUR' }, compare_at_price: { amount: '90.00' } }],
  })
  expect(after[1]).toMatchObject({ price: '78.00', variants: [{ price: { amount: '78.00' } }] })
  expect(after.slice(2)).toEqual(before.slice(2))
  const { connector, shop } = await openShop(gateway.context, gateway.integration)
  const there = connector.products?.translate(await connector.products.get?.(shop, one?.remote_id ?? ''), shop)
  expect(there?.variants).toMatchObject([{ price: { amount: '77.50' }, compare_at_price: { amount: '90.00' } }])
})

test('what is wrong with a price by itself is said at its field before the shop is asked', async () => {
  const [one] = await held()
  const wrong = run([
    { sku: one?.sku, price: '1.999', currency: 'EUR' },
    { sku: one?.sku, price: '5', compare_at_price: '4', currency: 'EUR' },
  ])
  await expect(wrong).rejects.toMatchObject({
    kind: 'invalid',
    errors: { 'items.0.price': [expect.any(String)], 'items.1.compare_at_price': [expect.any(String)] },
  })
  expect(await held()).toMatchObject([{ price: one?.price }, {}, {}, {}, {}])
})

test('a price that is so already changes neither the shop nor our copy', async () => {
  const [first] = await held()
  await run([{ sku: first?.sku, price: '66', currency: 'EUR' }])
  const before = await held()
  await run([{ sku: first?.sku, price: '66.00', currency: 'EUR' }])
  expect(await held()).toEqual(before)
})
