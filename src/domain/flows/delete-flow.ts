import type { Context } from '../context.ts'
import type { AppTenant } from '../tenant.ts'
import { softDeleteFlow } from './flow-store.ts'

export const deleteFlow = (context: Pick<Context, 'db'>, tenant: AppTenant, id: number): Promise<void> =>
  softDeleteFlow(context.db, tenant, id)
