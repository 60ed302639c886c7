import { Type } from 'typebox'
import { isCredentialsRefusal, shopAway } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { type Job, job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { readCredentials } from '../integrations/credentials-store.ts'
import { isInstalled, readIntegration } from '../integrations/integration-store.ts'
import { connectedBy } from '../integrations/registration-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { connectorOf, factsOf, shopWith } from '../shop/shop-remote.ts'
import { scheduleErasure } from './erase-shop.ts'
import { leftByMerchant } from './left-by-merchant.ts'

interface Told {
  integrationId: number
  /** When the platform said so. */
  at: string
  /** It wants all data of the shop deleted as well. */
  erase?: boolean
}

/** The platform's own pages say that the merchant has removed the app from a shop. */
export async function hearOfUninstall(
  context: Pick<Context, 'db' | 'transaction' | 'enqueue'>,
  registration: { serviceId: number; appId: number | null },
  { shop, at }: { shop: string; at: string },
): Promise<void> {
  await context.transaction(async (trx) => {
    for (const { id } of await connectedBy(trx, { ...registration, shop })) {
      await askWhetherLeft(context, trx, { integrationId: id, at })
    }
  })
}

/** Part of the transaction that has taken the message. */
export const askWhetherLeft = ({ enqueue }: Pick<Context, 'enqueue'>, trx: Db, told: Told): Promise<void> =>
  enqueue(trx, confirmUninstall, told, { key: `uninstall:${told.integrationId}:${told.erase === true}` })

const attempts = 6

/**
 * What ends a connection is proved by the shop: the same signed text may be in the hands of everybody who has opened the app
 * there, and of whoever has read a log. Its token may live for some moments longer than the app, so it is asked several times.
 */
export const confirmUninstall: Job<Told, Context> = job({
  name: 'confirm-uninstall',
  input: Type.Object({ integrationId: Type.Integer(), at: Type.String(), erase: Type.Optional(Type.Boolean()) }),
  retry: { attempts, delaySeconds: 5, maxDelaySeconds: 300 },
  oneAtATime: ({ integrationId }) => `uninstall:${integrationId}`,
  async run(context: Context, { integrationId, at, erase = false }, { attempt }) {
    const installed = await isInstalled(context.db, integrationId)
    if (installed && (await stillLetsIn(context, await readIntegration(context.db, integrationId)))) {
      if (attempt < attempts) throw shopAway(5, undefined, say('still_accepted'))
      await appendLog(context.db, integrationId, {
        level: 'warning',
        event: 'webhooks.uninstall_unproved',
        words: logWords('webhooks.uninstall_unproved'),
      })
      return
    }
    await context.transaction(async (trx) => {
      if (installed) await leftByMerchant(trx, integrationId, at)
      if (erase) await scheduleErasure(context, trx, integrationId, at)
    })
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
