import type { Db } from '../../runtime/db/connection.ts'
import { announce } from '../announce-store.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import { lockApp, revokeTokensOfApp, softDeleteApp } from './app-store.ts'

/** `cascade` ends what hangs on the app and lies in folders above this one: its integrations. */
export async function deleteApp(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  input: { id: number; cascade: (trx: Db) => Promise<void> },
): Promise<void> {
  await context.transaction(async (trx) => {
    await lockApp(trx, tenant, input.id)
    await softDeleteApp(trx, input.id)
    await input.cascade(trx)
    await revokeTokensOfApp(trx, input.id)
    await announce(trx, 'app', input.id)
  })
}
