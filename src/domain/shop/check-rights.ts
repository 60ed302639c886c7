import type { Connector } from '../../commerce/connector.ts'
import { rightsMissing } from '../../commerce/rules/rights.ts'
import type { Shop } from '../../commerce/shop.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { setGranted } from '../integrations/integration-store.ts'

/** What the platform says it granted: as it answers now, or else as it said with the credentials. */
export const readGranted = async ({ auth }: Connector, shop: Shop): Promise<readonly string[] | null> =>
  (await auth.readGranted?.(shop)) ?? shop.granted ?? null

/** Throws where the credentials may not do all that we will; the answer is what was granted. */
export async function checkRights(connector: Connector, shop: Shop): Promise<readonly string[] | null> {
  const granted = await readGranted(connector, shop)
  const missing = (await connector.auth.checkRights?.({ ...shop, granted })) ?? []
  if (missing.length > 0) throw rightsMissing(missing)
  return granted
}

/** Whether an integration may still do everything, asked of its shop; what that says is kept. */
export async function testConnection(
  db: Db,
  { integrationId, connector, shop }: { integrationId: number; connector: Connector; shop: Shop },
): Promise<void> {
  await connector.auth.checkAccess(shop)
  await setGranted(db, integrationId, await checkRights(connector, shop))
}
