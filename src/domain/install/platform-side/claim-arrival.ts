import { say } from '../../../commerce/words/say.ts'
import { invalidField } from '../../../lib/fault.ts'
import { codeHashOf } from '../../../lib/identity/one-time-code.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { insertWithKey } from '../../integrations/create-integration.ts'
import type { Integration } from '../../integrations/integration.ts'
import { orInvalid, type Place } from '../../integrations/place-integration.ts'
import { findUnconnected } from '../../integrations/registration-store.ts'
import { assertRoomForIntegration } from '../../quota-store.ts'
import { findOffered } from '../../services/app-service-store.ts'
import { activate } from '../activate-integration.ts'
import { type CodedArrival, deleteArrival, lockArrival } from './arrival-store.ts'

export interface ClaimedArrival {
  code: string
  name?: string | null | undefined
}

/**
 * Whoever brings the code that the merchant was shown gets the shop: once, in ten minutes, and only where the registration
 * that the merchant has let in is the app's own, or the one that it uses. An integration of that account with that shop,
 * which it has left or never finished, is taken up again.
 */
export async function claimArrival(
  context: Pick<Context, 'transaction' | 'keys' | 'record' | 'quotas'>,
  place: Place & { app_id: number },
  { code, name }: ClaimedArrival,
): Promise<Integration> {
  return await context.transaction(async (trx) => {
    const arrival = await lockArrival(trx, context.keys, codeHashOf(code))
    if (!arrival || !(await isForApp(trx, arrival, place.app_id))) {
      throw invalidField('code', 'The code is wrong, or has been used.')
    }
    const { grant, type, shop, serviceId } = arrival
    if (grant === null) {
      throw invalidField(
        'code',
        'Nobody came for the shop in time, and its access was destroyed: install the app again.',
      )
    }
    if (arrival.codeExpired) {
      throw invalidField('code', say('code_expired'))
    }
    const owner = { appId: place.app_id, accountId: place.account_id, serviceId, shop }
    const left = await findUnconnected(trx, owner)
    if (!left) await assertRoomForIntegration(trx, context.quotas, place)
    const begun =
      left ??
      (
        await insertWithKey(trx, {
          ...place,
          ...{ name: name ?? shop, description: null, shop, settings: {}, service_id: serviceId, type },
          ...{ status: 'PENDING', status_reason: 'awaiting_authorization' },
        })
      ).integration
    await deleteArrival(trx, arrival.id)
    return await activate(trx, context, begun, grant)
  })
}

/** A code says nothing to others, not even that there is a shop. */
async function isForApp(trx: Db, { serviceId, appId }: CodedArrival, claimant: number): Promise<boolean> {
  if (appId !== null && appId !== claimant) return false
  const offered = await orInvalid('code', findOffered(trx, { appId: claimant }, String(serviceId)))
  return appId !== null || offered.attached_client_key_id === null
}
