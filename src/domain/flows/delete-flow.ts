import type { Context } from '../context.ts'
import type { AppTenant } from '../tenant.ts'
import { softDeleteFlow } from './flow-store.ts'

export const deleteFlow = (context: Pick<Context, 'transaction'>, tenant: AppTenant, id: number): Promise<void> =>
  context.transaction((trx) => softDeleteFlow(trx, tenant, id))
