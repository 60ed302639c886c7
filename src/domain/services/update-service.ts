import { connectorFor } from '../../commerce/connectors.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import { checkPlatformClient, type PlatformClient } from './platform-client.ts'
import { savePlatformClient } from './platform-client-store.ts'
import type { Service, ServiceChanges } from './service.ts'
import { describedBy, mayDescribe } from './service-definition.ts'
import { changeService, hasConnected, lockService, softDeleteService } from './service-store.ts'

export async function updateService(
  context: Pick<Context, 'transaction' | 'connectors' | 'keys'>,
  tenant: UserTenant,
  input: { id: number; changes: ServiceChanges & { client?: PlatformClient | undefined } },
): Promise<Service> {
  const { client, definition, ...given } = input.changes
  const changes = { ...given, ...describedBy(definition) }
  return await context.transaction(async (trx) => {
    const service = await lockService(trx, tenant, input.id)
    if (changes.definition !== undefined) {
      mayDescribe(service, changes.definition, await hasConnected(trx, input.id))
    }
    if (client !== undefined) {
      const checked = checkPlatformClient(connectorFor(context.connectors, service), client)
      await savePlatformClient(trx, context.keys, { serviceId: input.id, appId: null }, checked)
    }
    return await changeService(trx, input.id, changes)
  })
}

export async function deleteService(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  id: number,
): Promise<void> {
  await context.transaction(async (trx) => {
    await lockService(trx, tenant, id)
    await softDeleteService(trx, id)
  })
}
