import { deleteApp } from '../domain/apps/delete-app.ts'
import type { Context } from '../domain/context.ts'
import { revokeClient } from '../domain/oauth/clients/revoke-client.ts'
import { endOfApp } from '../domain/uninstall/end-of-app.ts'
import { purgeIntegration } from '../domain/uninstall/purge-integrations.ts'
import { purgeAtOnce } from '../domain/uninstall/purge-store.ts'
import { deleteUser } from '../domain/users/delete-user.ts'
import { operator } from '../domain/users/user.ts'
import { appsOf, clientsOf, type DemoOwner, deleteCompany, demoOwners, integrationsOf } from './demo-store.ts'

/** Every demo with all that hangs on it; nothing waits for the usual thirty days. Says how many there were. */
export async function removeDemos(context: Context): Promise<number> {
  const owners = await demoOwners(context.db)
  for (const owner of owners) await removeDemo(context, owner)
  return owners.length
}

async function removeDemo(context: Context, { userId, companyId }: DemoOwner): Promise<void> {
  if (companyId !== null) {
    const tenant = { userId, companyId, admin: false }
    for (const appId of await appsOf(context.db, companyId)) {
      const integrations = await integrationsOf(context.db, appId)
      await deleteApp(context, tenant, { id: appId, cascade: (trx) => endOfApp(trx, appId) })
      for (const id of integrations) {
        await context.transaction((trx) => purgeAtOnce(trx, id))
        await purgeIntegration(context, id)
      }
    }
    for (const id of await clientsOf(context.db, companyId)) await revokeClient(context, tenant, id)
    await context.transaction((trx) => deleteCompany(trx, companyId))
  }
  await deleteUser(context, { ...operator }, userId)
}
