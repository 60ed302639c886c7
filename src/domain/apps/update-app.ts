import { announce } from '../announce-store.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import type { App, AppInput } from './app.ts'
import { changeApp, lockApp } from './app-store.ts'

/** An app that is switched off loses its tokens at once, and has them back when it is switched on again. */
export async function updateApp(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  input: { id: number; changes: Partial<AppInput> },
): Promise<App> {
  return await context.transaction(async (trx) => {
    const before = await lockApp(trx, tenant, input.id)
    const app = await changeApp(trx, input.id, input.changes)
    if (app.active !== before.active) await announce(trx, 'app', app.id)
    return app
  })
}
