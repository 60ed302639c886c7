import { randomBytes } from 'node:crypto'
import { invalidField } from '../../lib/fault.ts'
import { mayReach } from '../../lib/public-address.ts'
import { seal } from '../../lib/secret-box.ts'
import type { Context } from '../context.ts'
import { type Subscription, type SubscriptionInput, secretPlace } from './subscription.ts'
import { insertSubscription, takeSubscriptionId } from './subscription-store.ts'

/** The secret is in the answer and nowhere else: what we keep of it is sealed. */
export async function createSubscription(
  context: Context,
  owner: { appId: number | null; integrationId: number | null },
  input: SubscriptionInput,
): Promise<{ subscription: Subscription; secret: string }> {
  if (!mayReach(input.url, context.egressAllow)) throw invalidField('url', 'The url field must be a valid URL.')
  // In the form of Standard Webhooks: what follows the prefix is base64, and 32 bytes of it are the key.
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const id = await takeSubscriptionId(context.db)
  const subscription = await insertSubscription(context.db, owner, {
    ...input,
    id,
    secret: seal(context.keys, secret, secretPlace(id)),
    keyId: context.keys[0].id,
  })
  return { subscription, secret }
}
