import type { Context } from '../../src/domain/context.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { upsertSyncedLevels } from '../../src/domain/levels/inventory-store.ts'
import { bookMovements } from '../../src/domain/stock/book-movements.ts'
import { setShop, switchPool } from '../../src/domain/stock/manage-pool.ts'
import type { RuleChanges } from '../../src/domain/stock/pool-store.ts'
import type { Mode, Pool } from '../../src/domain/stock/stock.ts'
import type { AccountTenant } from '../../src/domain/tenant.ts'
import { makeIntegration } from './gateway.ts'
import { makeAccount, makeApp } from './identity.ts'
import { nextNumber } from './numbers.ts'

/** A merchant with a shared stock and nothing in it. */
export async function makePool(context: Context, mode: Mode = 'on'): Promise<{ pool: Pool; tenant: AccountTenant }> {
  const appId = await makeApp(context)
  const accountId = await makeAccount(context, appId, `merchant-${nextNumber('merchants')}`)
  const tenant = { appId, accountId }
  return { pool: await switchPool(context, tenant, { mode }), tenant }
}

/** A shop of the merchant in the pool, which shows these levels. */
export async function addShop(
  context: Context,
  { pool, tenant }: { pool: Pool; tenant: AccountTenant },
  levels: Readonly<Record<string, number>> = {},
  rule: RuleChanges = {},
): Promise<Integration> {
  const { integration } = await makeIntegration(context, tenant)
  await showLevels(context, integration.id, levels)
  await setShop(context, pool, integration, rule)
  return integration
}

/** What a shop is read to show. */
export const showLevels = (context: Context, integrationId: number, levels: Readonly<Record<string, number>>) =>
  context.transaction((trx) =>
    upsertSyncedLevels(
      trx,
      integrationId,
      Object.entries(levels).map(([sku, quantity]) => ({
        ...{ sku, quantity, location: '', remote_id: `id-${sku}`, remote_version: null },
      })),
    ),
  )

/** What is there, by SKU. */
export const count = (context: Context, pool: Pool, stock: Readonly<Record<string, number>>) =>
  bookMovements(context, pool, {
    source: 'app:test',
    wishes: Object.entries(stock).map(([sku, quantity]) => ({
      ...{ key: `count-${nextNumber('counts')}`, kind: 'count' as const, sku, quantity },
    })),
  })
