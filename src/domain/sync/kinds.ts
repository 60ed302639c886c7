import type { Db } from '../../runtime/db/connection.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import type { SyncedLevel } from '../levels/inventory.ts'
import { followLevels, removeVanishedLevels, upsertSyncedLevels } from '../levels/inventory-store.ts'
import type { SyncedOrder } from '../orders/order.ts'
import { countKnownOrders, markIncomplete, removeVanishedOrders, upsertOrders } from '../orders/order-upsert-store.ts'
import { syncedOrder } from '../orders/synced-order.ts'
import { logUnknownStatuses } from '../orders/translating/unknown-statuses.ts'
import type { SyncedProduct } from '../products/product.ts'
import { countKnownProducts, removeVanishedProducts, upsertProducts } from '../products/product-upsert-store.ts'
import { syncedProduct } from '../products/synced-product.ts'
import type { Kind } from './kind.ts'
import type { SyncKind } from './sync.ts'
import { keyOfLevel, levelOfKey, syncedLevel } from './synced-level.ts'

const orders: Kind<SyncedOrder> = {
  name: 'orders',
  reads: ({ type, orders: part }) =>
    part && {
      list: part.list,
      get: part.get,
      getSeveral: part.getSeveral,
      listsInPart: part.listsInPart,
      index: part.index,
      horizon: part.horizon,
      outlines: part.outlines,
      read(raw, facts) {
        const order = part.translate(raw, facts)
        return { key: order.remote_id, updatedAt: order.remote_updated_at, row: syncedOrder({ type }, order) }
      },
    },
  placedAt: ({ placed_at: placedAt }) => placedAt,
  takeIds: (db, integrationId, { keys, allNew }) =>
    idsForNew(db, 'orders', keys, async () => (allNew ? 0 : await countKnownOrders(db, integrationId, keys))),
  async store(trx, integrationId, { ids, rows, runId, source = 'shop' }) {
    const upsert = { ids, orders: rows, runId, source }
    const { inserted, updated, ...rest } = await upsertOrders(trx, integrationId, upsert)
    if (inserted.length + updated.length > 0) await logUnknownStatuses(trx, integrationId, { rows, runId })
    return { ...rest, inserted: inserted.length, updated: updated.length }
  },
  markIncomplete,
  remove: removeVanishedOrders,
}

const products: Kind<SyncedProduct> = {
  name: 'products',
  reads: ({ products: part }) =>
    part && {
      list: part.list,
      get: part.get,
      getSeveral: part.getSeveral,
      index: part.index,
      read(raw, facts) {
        const product = part.translate(raw, facts)
        return { key: product.remote_id, updatedAt: product.remote_updated_at, row: syncedProduct(product) }
      },
    },
  takeIds: (db, integrationId, { keys, allNew }) =>
    idsForNew(db, 'products', keys, async () => (allNew ? 0 : await countKnownProducts(db, integrationId, keys))),
  async store(trx, integrationId, { ids, rows, source }) {
    // A list of products is no news of stock: that has a list of its own.
    if (source === 'webhook') await followLevels(trx, integrationId, rows.flatMap(levelsIn))
    const { inserted, updated, ...rest } = await upsertProducts(trx, integrationId, { ids, products: rows })
    return { ...rest, inserted: inserted.length, updated: updated.length }
  },
  remove: removeVanishedProducts,
}

const levelsIn = ({ variants }: SyncedProduct) =>
  variants.flatMap(({ sku, quantity, remote_id: remoteId }) =>
    sku === null || quantity === null ? [] : [{ sku, quantity, remoteId }],
  )

const inventory: Kind<SyncedLevel> = {
  name: 'inventory',
  reads: ({ inventory: part }) =>
    part && {
      list: part.list,
      // A level is known here by article and place, in the shop by whatever it likes.
      get: undefined,
      getSeveral: undefined,
      levelsOf: part.levelsOf,
      index: undefined,
      read(raw, facts) {
        const level = part.translate(raw, facts)
        const row = syncedLevel(level)
        return { key: keyOfLevel(row), updatedAt: level.updated_at, row }
      },
    },
  takeIds: async () => [],
  async store(trx, integrationId, { rows }) {
    const last = new Map(rows.map((level) => [keyOfLevel(level), level]))
    const { inserted, updated } = await upsertSyncedLevels(trx, integrationId, [...last.values()])
    return { inserted, updated, unchanged: rows.length - inserted - updated }
  },
  remove: (trx, integrationId, keys) => removeVanishedLevels(trx, integrationId, keys.map(levelOfKey)),
}

export const kinds: Readonly<Record<SyncKind, Kind>> = { orders, products, inventory }

async function idsForNew(
  db: Db,
  table: 'orders' | 'products',
  keys: readonly string[],
  countKnown: () => Promise<number>,
): Promise<number[]> {
  const distinct = new Set(keys).size
  return distinct === 0 ? [] : await takeIds(db, table, distinct - (await countKnown()))
}
