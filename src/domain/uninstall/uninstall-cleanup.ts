import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Connector } from '../../commerce/connector.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import { type Remote, shopAway } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { chunks } from '../../lib/chunks.ts'
import { validate } from '../../lib/validation/validate.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { openFor } from '../integrations/credentials-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { readPlatformClient } from '../services/platform-client-store.ts'
import { factsOf, shopWith } from '../shop/open-remote.ts'
import { hasUninstallCleanups, takeUninstallCleanups, type UninstallCleanup } from './uninstall-cleanup-store.ts'

type Needs = Pick<Context, 'db' | 'keys' | 'connectors' | 'transport' | 'log'>

const atOnce = 20
/** Webhooks that are removed at the same time. */
const together = 12

/**
 * Removes our webhooks from shops that we have just left, and hands the tokens back. Not part of the uninstall itself,
 * since nobody should wait for a shop to be let go; not later than some seconds after it, since from then on the shop
 * must receive nothing more from us. What cannot be done in this time is left: messages that still come are refused, and
 * platforms give up on those by themselves.
 */
export const cleanUpUninstalls = job({
  name: 'clean-up-uninstalls',
  input: Type.Object({}),
  retry: { attempts: 1 },
  maxRunSeconds: 60,
  hasWork: ({ db }: Needs) => hasUninstallCleanups(db),
  run: async (context: Needs) => {
    let taken: UninstallCleanup[]
    do {
      taken = await takeUninstallCleanups(context.db, atOnce)
      await Promise.all(taken.map((cleanup) => cleanUp(context, cleanup)))
    } while (taken.length === atOnce)
  },
})

async function cleanUp(context: Needs, cleanup: UninstallCleanup): Promise<void> {
  const { id } = cleanup.integration
  const connector = connectorFor(context.connectors, cleanup.integration)
  if (!connector || cleanup.reconnected) return
  if (!needsCleanup(connector, cleanup)) return await tellWhatRemains(context, connector, cleanup, null)
  try {
    if (cleanup.secondsLeft <= 0) throw shopAway()
    const work = leave(context, connector, cleanup)
    // It may go on behind our back, but finds its way out closed.
    const removed = await Promise.race([work, sleep(cleanup.secondsLeft * 1000, null, { ref: false })])
    if (removed === null) throw shopAway()
    await tellWhatRemains(context, connector, cleanup, removed)
  } catch (error) {
    context.log.info({ err: error, integration: id }, 'uninstall cleanup of a shop failed')
    const words = logWords('integration.farewell_late')
    await appendLog(context.db, id, { level: 'warning', event: 'integration.farewell', words })
  }
}

const needsCleanup = ({ auth, webhooks }: Connector, { address, shared }: UninstallCleanup): boolean =>
  (webhooks?.registration.kind === 'api' && address !== null) ||
  (auth.kind === 'oauth2' && auth.revoke !== undefined && !shared)

/** What we cannot take out of the shop ourselves, beside the webhooks that we have removed. */
async function tellWhatRemains(
  { db }: Needs,
  { auth }: Connector,
  { integration }: UninstallCleanup,
  removed: number | null,
): Promise<void> {
  const { remains = null } = auth
  const words = removed === null ? remains : logWords('integration.farewell', { webhooks: removed, remains })
  if (words === null) return
  await appendLog(db, integration.id, { level: 'info', event: 'integration.farewell', words })
}

/** How many webhooks went. */
async function leave(context: Needs, connector: Connector, cleanup: UninstallCleanup): Promise<number> {
  const shop = openOnce(context, connector, cleanup)
  const registration = connector.webhooks?.registration
  let removed = 0
  // Whatever else is registered there is somebody else's, of ours or not.
  if (registration?.kind === 'api' && cleanup.address !== null) {
    const registered = (await registration.list(shop)).filter(({ url }) => url === cleanup.address)
    const ids = registered.map(({ remoteId }) => remoteId)
    if (registration.removeAll && ids.length > 0) await registration.removeAll(shop, ids)
    // Side by side: there is little time, and a dozen of them at a slow shop would take more.
    else for (const some of chunks(ids, together)) await Promise.all(some.map((id) => registration.remove(shop, id)))
    removed = ids.length
  }
  const { auth } = connector
  if (auth.kind === 'oauth2' && auth.revoke && !cleanup.shared) {
    const { service_id: serviceId, app_id: appId } = cleanup.integration
    const client = await readPlatformClient(context.db, context.keys, { serviceId, appId })
    if (client) await auth.revoke(shop, client)
  }
  return removed
}

/** The shop, for as long as there is time. */
function openOnce(context: Needs, connector: Connector, { integration, sealed, secondsLeft }: UninstallCleanup): Shop {
  const opened = openFor(context.keys, integration, sealed)
  const plain: unknown = opened && JSON.parse(opened.plain)
  const credentials = validate(connector.auth.credentials, plain)
  if (!credentials.ok) throw new Error('The credentials do not match the connector.')
  const shop = shopWith(context, connector, factsOf(connector, integration), credentials.value)
  const until = performance.now() + secondsLeft * 1000
  const remote: Remote = {
    async request(asked) {
      const left = until - performance.now()
      if (left <= 0) throw shopAway()
      return await shop.remote.request({ ...asked, timeoutSeconds: Math.max(0.1, left / 1000) })
    },
  }
  return { ...shop, remote }
}
