import { invalidField } from '../../lib/fault.ts'
import { open, seal } from '../../lib/secret-box.ts'
import { announce } from '../announce-store.ts'
import type { Context } from '../context.ts'
import { newSecret } from './create-subscription.ts'
import { countOldSecrets, replaceSecret } from './secret-store.ts'
import { oldSecretPlace, type Subscription, secretPlace } from './subscription.ts'
import { lockWebhook } from './subscription-store.ts'

/** Signatures beside the new one's; each costs the endpoint a look. */
const maxOldSecrets = 9

/** For a day what we send carries the signatures of both, so that an endpoint can change over at any moment. */
export async function rotateSecret(
  context: Pick<Context, 'transaction' | 'keys'>,
  { id }: Pick<Subscription, 'id'>,
): Promise<{ subscription: Subscription; secret: string }> {
  const secret = newSecret()
  const subscription = await context.transaction(async (trx) => {
    const webhook = await lockWebhook(trx, id)
    if ((await countOldSecrets(trx, id)) >= maxOldSecrets) {
      throw invalidField('secret', 'The secret was rotated too often within a day.')
    }
    await replaceSecret(trx, id, {
      secret: seal(context.keys, secret, secretPlace(id)),
      keyId: context.keys[0].id,
      reseal: (sealed) => seal(context.keys, open(context.keys, sealed, secretPlace(id)), oldSecretPlace(id)),
    })
    await announce(trx, 'webhook', id)
    return webhook
  })
  return { subscription, secret }
}
