import type { Context } from '../../src/domain/context.ts'
import { saveCredentials } from '../../src/domain/integrations/credentials-store.ts'
import { issueGatewayKey } from '../../src/domain/integrations/gateway-key-store.ts'
import type { Integration, IntegrationStatus } from '../../src/domain/integrations/integration.ts'
import { insertIntegration } from '../../src/domain/integrations/integration-store.ts'
import { nextNumber } from './numbers.ts'

/** An integration with its gateway key, connected to a sandbox shop of its own by default. */
export async function makeIntegration(
  context: Context,
  owner: { appId: number | null; accountId?: number | null; userId?: number },
  options: { type?: string; shop?: string; status?: IntegrationStatus; orders?: number } = {},
): Promise<{ integration: Integration; gatewayKey: string }> {
  const { type = 'sandbox', status = 'ACTIVE' } = options
  const shop = options.shop ?? `shop-${nextNumber('gateway')}.example.com`
  const integration = await insertIntegration(context.db, {
    app_id: owner.appId,
    account_id: owner.accountId ?? null,
    user_id: owner.userId ?? null,
    company_id: null,
    service_id: await serviceOf(context, type),
    type,
    name: shop,
    shop,
    status,
    status_reason: null,
    settings: { seed: shop, orders: options.orders ?? 5 },
  })
  await saveCredentials(context.db, context.keys, integration, {
    credentials: { api_key: 'any' },
    expiresAt: null,
  })
  return { integration, gatewayKey: await issueGatewayKey(context.db, integration.id, null) }
}

async function serviceOf(context: Context, type: string): Promise<number> {
  const known = await context.db.selectFrom('services').select('id').where('type', '=', type).executeTakeFirst()
  if (known) return known.id
  const service = { type, name: type, auth_type: 'none' }
  const row = await context.db
    .insertInto('services')
    .values(service)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  // Somebody else was faster.
  return row ? row.id : await serviceOf(context, type)
}
