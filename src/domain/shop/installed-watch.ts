import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { isInstalled } from '../integrations/integration-store.ts'

const trustedMs = 1000

/**
 * Work on a shop may take long, and somebody may uninstall meanwhile: before a request goes out, the integration is
 * looked at again if that was more than a second ago.
 */
export function installedWatch(db: Db, integrationId: number): () => Promise<void> {
  let looked = performance.now()
  return async () => {
    if (performance.now() - looked < trustedMs) return
    if (!(await isInstalled(db, integrationId))) throw refused(say('uninstalled'))
    looked = performance.now()
  }
}
