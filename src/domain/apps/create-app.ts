import type { Context } from '../context.ts'
import { assertRoomForApp } from '../quota-store.ts'
import type { UserTenant } from '../tenant.ts'
import type { App, AppInput } from './app.ts'
import { insertApp } from './app-store.ts'

export async function createApp(
  context: Pick<Context, 'transaction' | 'quotas'>,
  tenant: UserTenant,
  input: AppInput,
): Promise<App> {
  const owner = { user_id: tenant.userId, company_id: tenant.companyId }
  return await context.transaction(async (trx) => {
    await assertRoomForApp(trx, context.quotas, owner)
    return await insertApp(trx, owner, input)
  })
}
