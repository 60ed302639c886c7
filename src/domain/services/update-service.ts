import { isDeepStrictEqual } from 'node:util'
import { connectorFor } from '../../commerce/connectors.ts'
import type { Definition } from '../../commerce/definition/definition.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import { checkPlatformClient, type PlatformClient } from './platform-client.ts'
import { savePlatformClient } from './platform-client-store.ts'
import type { Service, ServiceChanges } from './service.ts'
import { authTypeOf, describedBy, mayDescribe } from './service-definition.ts'
import { changeService, hasConnected, lockService, softDeleteService } from './service-store.ts'
import { keepVersion } from './versions/version-store.ts'

export async function updateService(
  context: Pick<Context, 'transaction' | 'connectors' | 'keys'>,
  tenant: UserTenant,
  input: { id: number; changes: ServiceChanges & { client?: PlatformClient | undefined } },
): Promise<Service> {
  const { client, definition: written, ...given } = input.changes
  const { definition, ...described } = describedBy(written)
  const changes = { ...given, ...described }
  return await context.transaction(async (trx) => {
    const service = await lockService(trx, tenant, input.id)
    if (definition !== undefined) await publish(trx, tenant, service, { definition, restoredFrom: null })
    if (client !== undefined) {
      const checked = checkPlatformClient(connectorFor(context.connectors, service), client)
      await savePlatformClient(trx, context.keys, { serviceId: input.id, appId: null }, checked)
    }
    return await changeService(trx, input.id, changes)
  })
}

/** From now on the service is what this says; each change is kept as a version. Part of a transaction that holds it. */
export async function publish(
  trx: Db,
  { userId }: UserTenant,
  service: Service,
  { definition, restoredFrom }: { definition: Definition | null; restoredFrom: number | null },
): Promise<number> {
  mayDescribe(service, definition, await hasConnected(trx, service.id))
  await changeService(trx, service.id, { definition, ...(definition && { auth_type: authTypeOf(definition) }) })
  if (definition === null || isDeepStrictEqual(service.definition, definition)) return 0
  return await keepVersion(trx, {
    ...{ serviceId: service.id, before: service.definition, definition, userId, restoredFrom },
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
