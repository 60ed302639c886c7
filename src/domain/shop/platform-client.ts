import type { Connector } from '../../commerce/connector.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { invalidField } from '../../lib/fault.ts'
import type { KeyRing } from '../../lib/secret-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Integration } from '../integrations/integration.ts'
import { readPlatformClient } from '../services/platform-client-store.ts'

/** How the platform knows us: what was kept for the app, else for the service. */
export async function platformClient(
  db: Db,
  keys: KeyRing,
  connector: Connector,
  { app_id: appId, service_id: serviceId }: Pick<Integration, 'app_id' | 'service_id'>,
): Promise<AnyFields> {
  if (connector.auth.kind !== 'oauth2') return {}
  const client = await readPlatformClient(db, keys, { serviceId, appId })
  if (client) return client
  throw invalidField('service', say('service_not_set_up'))
}
