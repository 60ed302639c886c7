import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setInventory } from '../../src/domain/inventory/set-inventory.ts'
import { removeVanishedLevels, upsertSyncedLevels } from '../../src/domain/levels/inventory-store.ts'
import { exportProducts } from '../../src/domain/products/export-products.ts'
import { findProducts } from '../../src/domain/products/product-store.ts'
import { removeVanishedProducts, upsertProducts } from '../../src/domain/products/product-upsert-store.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { eventsDuring, typesOf } from '../support/event-watch.ts'
import { openWebhookLab, type WebhookLab } from '../support/webhook-lab.ts'

let lab: WebhookLab

beforeAll(async () => {
  lab = await openWebhookLab()
  await lab.subscribe('http://127.0.0.1:9/hook')
})
afterAll(() => lab.close())

const during = (work: () => Promise<unknown>, whose?: Parameters<typeof eventsDuring>[2]) =>
  eventsDuring(lab, work, whose)

describe('products', () => {
  const product = {
    remote_id: 'p',
    sku: 'p',
    name: 'Kettle',
    description: null,
    price: '1.00',
    currency: 'EUR',
    quantity: 3,
    active: true,
    images: [],
    variants: [],
    remote_status: null,
    remote_version: '1',
  }
  const sync = async (more: object) => {
    const { context, integration } = lab
    const ids = await takeIds(context.db, 'products', 1)
    const products = [{ ...product, ...more }]
    return await context.transaction((trx) => upsertProducts(trx, integration.id, { ids, products }))
  }

  test('of a shop are told when they come, change and go', async () => {
    const { context, integration } = lab
    const made = await during(async () => {
      await sync({})
      await sync({})
      await sync({ name: 'Pot', remote_version: '2' })
      await context.transaction((trx) => removeVanishedProducts(trx, integration.id, ['p']))
    })
    expect(typesOf(made)).toEqual(['product.created', 'product.updated', 'product.deleted'])
  })

  test('that we put into the shop are told, those that it refuses are not', async () => {
    const { context, integration } = lab
    const taken = await sync({ remote_id: 'taken', sku: 'taken' })
    const refused = await sync({ remote_id: 'refused', sku: 'refused', price: 'NaN' })
    const ids = [...taken.inserted, ...refused.inserted]
    const made = await during(() => exportProducts(context, integration, ids))
    expect(typesOf(made)).toEqual(['product.updated'])
    const [row] = await findProducts(context.db, integration.id, taken.inserted)
    expect(row?.exported_at).not.toBeNull()
    expect(made[0]?.data).toMatchObject({ id: row?.id, sku: 'taken', updated_at: row?.updated_at })
  })

  test('whose stock we set are told with the level, if they show another one', async () => {
    const { context, integration } = lab
    await sync({ remote_id: 'stocked', sku: 'SKU-00003-1', quantity: 3 })
    const made = await during(() => setInventory(context, integration, [{ sku: 'SKU-00003-1', quantity: 8 }]))
    expect(typesOf(made)).toEqual(['inventory.updated', 'product.updated'])
    expect(made[1]?.data).toMatchObject({ sku: 'SKU-00003-1', quantity: 8 })
  })
})

test('stock levels are told when they change here or in the shop, and when they go', async () => {
  const { context, integration } = lab
  const level = { sku: 's', location: 'here', quantity: 4, remote_id: 'l', remote_version: '1' }
  const made = await during(async () => {
    await setInventory(context, integration, [{ sku: 'SKU-00001-1', quantity: 5 }])
    await context.transaction((trx) => upsertSyncedLevels(trx, integration.id, [level]))
    await context.transaction((trx) => upsertSyncedLevels(trx, integration.id, [level]))
    await context.transaction((trx) => removeVanishedLevels(trx, integration.id, [level]))
  })
  expect(typesOf(made)).toEqual(['inventory.updated', 'inventory.updated', 'inventory.deleted'])
  expect(made.map(({ data }) => data['location'])).toEqual([null, 'here', 'here'])
})
