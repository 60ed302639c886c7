import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import type { App, AppInput } from './app.ts'
import { insertApp } from './app-store.ts'

export async function createApp(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  input: AppInput,
): Promise<App> {
  return await context.transaction((trx) =>
    insertApp(trx, { user_id: tenant.userId, company_id: tenant.companyId }, input),
  )
}
