import type { Context } from '../../context.ts'
import type { UserTenant } from '../../tenant.ts'
import { revokeTokens } from '../../token-revocation-store.ts'
import { lockClient, markClientRevoked } from './client-store.ts'

/** Deleting a client ends it and every token it was given; from then on it is not found. */
export async function revokeClient(context: Context, tenant: UserTenant, id: number): Promise<void> {
  await context.transaction(async (trx) => {
    await lockClient(trx, tenant, id)
    await markClientRevoked(trx, id)
    await revokeTokens(trx, 'client', id)
  })
}
