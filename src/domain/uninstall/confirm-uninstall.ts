import { Type } from 'typebox'
import { isCredentialsRefusal, shopAway } from '../../commerce/remote.ts'
import { type Job, job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { readCredentials } from '../integrations/credentials-store.ts'
import { isInstalled, readIntegration } from '../integrations/integration-store.ts'
import { connectedBy } from '../integrations/registration-store.ts'
import { connectorOf, factsOf, shopWith } from '../shop/shop-remote.ts'
import { leftByMerchant } from './left-by-merchant.ts'

interface Told {
  integrationId: number
  /** When the platform said so. */
  at: string
}

/** The platform's own pages say that the merchant has removed the app from a shop. */
export async function hearOfUninstall(
  context: Pick<Context, 'db' | 'transaction' | 'enqueue'>,
  registration: { serviceId: number; appId: number | null },
  { shop, at }: { shop: string; at: string },
): Promise<void> {
  await context.transaction(async (trx) => {
    for (const { id } of await connectedBy(trx, { ...registration, shop })) {
      await context.enqueue(trx, confirmUninstall, { integrationId: id, at }, { key: `uninstall:${id}` })
    }
  })
}

const attempts = 6

/**
 * What ends a connection is proved by the shop: the same signed text is in the hands of everybody who has opened the app
 * there. Its token may live for some moments longer than the app, so it is asked several times.
 */
export const confirmUninstall: Job<Told, Context> = job({
  name: 'confirm-uninstall',
  input: Type.Object({ integrationId: Type.Integer(), at: Type.String() }),
  retry: { attempts, delaySeconds: 5, maxDelaySeconds: 300 },
  oneAtATime: ({ integrationId }) => `uninstall:${integrationId}`,
  async run(context: Context, { integrationId, at }, { attempt }) {
    if (!(await isInstalled(context.db, integrationId))) return
    const integration = await readIntegration(context.db, integrationId)
    if (await stillLetsIn(context, integration)) {
      if (attempt < attempts) throw shopAway(5, undefined, 'The shop still accepts the credentials.')
      context.log.info({ integration: integrationId }, 'a shop that was said to be left still lets us in')
      return
    }
    await context.transaction((trx) => leftByMerchant(trx, integrationId, at))
  },
})

async function stillLetsIn(
  context: Context,
  integration: Awaited<ReturnType<typeof readIntegration>>,
): Promise<boolean> {
  const held = await readCredentials(context.db, context.keys, integration)
  if (!held) return false
  const connector = connectorOf(context, integration)
  try {
    await connector.auth.checkAccess(shopWith(context, connector, factsOf(connector, integration), held.credentials))
    return true
  } catch (error) {
    if (isCredentialsRefusal(error)) return false
    throw error
  }
}
