import type { Context } from '../context.ts'
import { endGatewayKeys } from '../integrations/gateway-key-store.ts'
import { handOverClient } from '../oauth/clients/hand-over-client.ts'
import { revokeClient } from '../oauth/clients/revoke-client.ts'
import type { UserTenant } from '../tenant.ts'
import { deleteSubscription } from '../webhooks/delete-subscription.ts'
import type { LeftBehind } from './left-behind.ts'
import { leftBehind, setMaker } from './left-behind-store.ts'

const idsOf = (all: readonly LeftBehind[], kind: LeftBehind['kind']): number[] =>
  all.filter((one) => one.kind === kind).map(({ id }) => id)

/** Ends all of it: clients with their tokens, webhooks with what was still to be sent, gateway keys. */
export async function revokeLeftBehind(
  context: Context,
  tenant: UserTenant,
  userId: number | null,
): Promise<LeftBehind[]> {
  const all = await leftBehind(context.db, tenant, userId)
  for (const id of idsOf(all, 'client')) await revokeClient(context, tenant, id)
  for (const id of idsOf(all, 'webhook')) await deleteSubscription(context, id)
  await context.transaction((trx) => endGatewayKeys(trx, idsOf(all, 'gateway_key')))
  return all
}

export interface TakenOver extends LeftBehind {
  /** The client's new one, shown this once; null where there is none, or the old one was kept. */
  secret: string | null
}

/**
 * Somebody who is there answers for it from now on. Clients get a new secret, since whoever left knows the old one; to keep
 * that is for secrets which the leaver never saw.
 */
export async function takeOverLeftBehind(
  context: Context,
  tenant: UserTenant,
  input: { userId: number | null; keepSecrets: boolean },
): Promise<TakenOver[]> {
  const all = await leftBehind(context.db, tenant, input.userId)
  const secrets = new Map<number, string | null>()
  for (const id of idsOf(all, 'client')) {
    secrets.set(id, await handOverClient(context, tenant, { id, keepSecret: input.keepSecrets }))
  }
  const rest = { webhooks: idsOf(all, 'webhook'), keys: idsOf(all, 'gateway_key') }
  await context.transaction((trx) => setMaker(trx, tenant.userId, rest))
  return all.map((one) => ({ ...one, secret: one.kind === 'client' ? (secrets.get(one.id) ?? null) : null }))
}
