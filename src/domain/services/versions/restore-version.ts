import { isDeepStrictEqual } from 'node:util'
import { checkDefinition } from '../../../commerce/definition/check-definition.ts'
import type { Context } from '../../context.ts'
import type { UserTenant } from '../../tenant.ts'
import { lockService } from '../service-store.ts'
import { publish } from '../update-service.ts'
import { readVersion, type WholeVersion } from './version-store.ts'

/**
 * Takes up a version again: it is published as it was, as a version of its own. What may not change while shops are connected
 * may not change this way either, and one that this program no longer understands is refused as a new one would be.
 */
export const restoreVersion = (
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  { serviceId, number }: { serviceId: number; number: number },
): Promise<WholeVersion> =>
  context.transaction(async (trx) => {
    const service = await lockService(trx, tenant, serviceId)
    const version = await readVersion(trx, serviceId, number)
    // Asked for twice, or by two: it is what counts already.
    if (isDeepStrictEqual(service.definition, version.definition)) return version
    const definition = checkDefinition(version.definition)
    const kept = await publish(trx, tenant, service, { definition, restoredFrom: number })
    return await readVersion(trx, serviceId, kept)
  })
