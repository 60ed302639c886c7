import { invalidField } from '../../lib/fault.ts'
import { randomSecret } from '../../lib/secret.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { lockIntegration } from '../integrations/integration-store.ts'
import { connectorOf } from '../shop/shop-remote.ts'
import { callbackAddress } from './shop-webhooks.ts'
import { readShopWebhooks, saveEnteredSecret, sharesAddress } from './shop-webhooks-store.ts'

/** What somebody enters in a shop, so that it sends us messages. */
export interface EnteredWebhooks {
  address: string
  /** The one that we made, to be entered there; null where the shop makes its own. */
  secret: string | null
  secret_from: 'ours' | 'theirs'
  /** Whether there is one to verify messages with: without it all are refused. */
  ready: boolean
  topics: { ours: string; theirs: string[] }[]
}

/**
 * Where a shop is to send its messages, and what it signs them with. Repeatable: the secret stays, unless another is asked
 * for or given. For services whose messages nobody but the merchant can switch on.
 */
export async function enterWebhooks(
  context: Pick<Context, 'transaction' | 'keys' | 'connectors' | 'publicUrl'>,
  integration: Integration,
  { secret: given = null, renew = false }: { secret?: string | null | undefined; renew?: boolean | undefined },
): Promise<EnteredWebhooks> {
  const { webhooks } = connectorOf(context, integration)
  if (webhooks?.registration.kind !== 'entered') {
    throw invalidField('integration', 'The address is not entered by hand at shops of this service.')
  }
  const { secret: from } = webhooks.registration
  if (from === 'ours' && given !== null)
    throw invalidField('secret', 'The secret field is prohibited: it comes from here.')
  if (from === 'theirs' && renew)
    throw invalidField('renew', 'The renew field is prohibited: the shop makes the secret.')
  if (integration.status === 'UNINSTALLED') throw invalidField('integration', 'The integration is uninstalled.')
  const { address, secrets } = await context.transaction((trx) =>
    keepSecret(trx, context, integration, (current) => {
      if (from === 'theirs') return [given ?? current].flatMap((secret) => secret ?? [])
      if (current !== null && !renew) return [current]
      // What is under way is still signed with the one before.
      return [randomSecret(), ...(current === null ? [] : [current])]
    }),
  )
  return {
    address,
    secret: from === 'ours' ? (secrets[0] ?? null) : null,
    secret_from: from,
    ready: secrets.length > 0,
    topics: Object.entries(webhooks.topics).map(([ours, theirs]) => ({ ours, theirs: [...theirs] })),
  }
}

/** One at a time: two secrets at once, and the shop would have the wrong one. */
async function keepSecret(
  trx: Db,
  context: Pick<Context, 'keys' | 'publicUrl'>,
  { id }: Integration,
  choose: (current: string | null) => string[],
): Promise<{ address: string; secrets: readonly string[] }> {
  const integration = await lockIntegration(trx, id)
  const known = await readShopWebhooks(trx, context.keys, id)
  const plain = callbackAddress(context, integration, false)
  const address = callbackAddress(context, integration, await sharesAddress(trx, integration, plain))
  const [current = null] = known?.secrets ?? []
  const chosen = choose(current)
  // As it was, the one before counts too, for as long as it did.
  const secrets = chosen[0] === current && known ? known.secrets : chosen
  if (known?.address !== address || secrets !== known.secrets) {
    await saveEnteredSecret(trx, context.keys, id, { address, secrets })
  }
  return { address, secrets }
}
