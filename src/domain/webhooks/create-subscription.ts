import { randomBytes } from 'node:crypto'
import { mayReach } from '../../lib/addresses/public-address.ts'
import { invalid, invalidField } from '../../lib/fault.ts'
import { seal } from '../../lib/secret-box.ts'
import type { Context } from '../context.ts'
import { assertRoomForWebhook } from '../quota-store.ts'
import { catcherToken } from './catcher.ts'
import { findCatcher } from './catcher-store.ts'
import { type Subscription, type SubscriptionInput, secretPlace } from './subscription.ts'
import { foreignShops, insertSubscription, takeSubscriptionId } from './subscription-store.ts'

export interface SubscriptionOwner {
  appId: number | null
  integrationId: number | null
  /** The user who makes it. */
  createdBy?: number
}

/** The secret is in the answer and nowhere else: what we keep of it is sealed. */
export async function createSubscription(
  context: Pick<Context, 'db' | 'transaction' | 'keys' | 'webhookAllow' | 'publicUrl' | 'quotas'>,
  owner: SubscriptionOwner,
  input: SubscriptionInput,
): Promise<{ subscription: Subscription; secret: string }> {
  await checkUrl(context, owner, input.url)
  await checkShops(context, owner, input.integration_ids)
  await assertRoomForWebhook(context.db, context.quotas, owner)
  const secret = newSecret()
  const id = await takeSubscriptionId(context.db)
  const sealed = { secret: seal(context.keys, secret, secretPlace(id)), keyId: context.keys[0].id }
  const subscription = await context.transaction((trx) => insertSubscription(trx, owner, { ...input, id, ...sealed }))
  return { subscription, secret }
}

/** In the form of Standard Webhooks: what follows the prefix is base64, and 32 bytes of it are the key. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** A shop that is not there and one of somebody else are the same to whoever asks. */
export async function checkShops(
  { db }: Pick<Context, 'db'>,
  { appId }: Pick<SubscriptionOwner, 'appId'>,
  ids: readonly number[] | null | undefined,
): Promise<void> {
  if (!ids || appId === null) return
  const foreign = await foreignShops(db, { appId }, ids)
  if (foreign.size === 0) return
  const fields = ids.flatMap((id, n) => (foreign.has(id) ? [`integration_ids.${n}`] : []))
  throw invalid(Object.fromEntries(fields.map((field) => [field, [`The selected ${field} is invalid.`]])))
}

/** An address on the internet, or the app's own catcher, which is never called over the network. */
export async function checkUrl(
  context: Pick<Context, 'db' | 'webhookAllow' | 'publicUrl'>,
  { appId }: Pick<SubscriptionOwner, 'appId'>,
  url: string,
): Promise<void> {
  const token = catcherToken(context, url)
  const reachable = token === null ? mayReach(url, context.webhookAllow) : await isOwnCatcher(context, appId, token)
  if (!reachable) throw invalidField('url', 'The url field must be a valid URL.')
}

const isOwnCatcher = async ({ db }: Pick<Context, 'db'>, appId: number | null, token: string): Promise<boolean> =>
  appId !== null && (await findCatcher(db, { appId }))?.token === token
