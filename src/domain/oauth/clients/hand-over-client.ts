import { digest, randomSecret } from '../../../lib/secret.ts'
import type { Context } from '../../context.ts'
import type { UserTenant } from '../../tenant.ts'
import { revokeTokens } from '../../token-revocation-store.ts'
import { lockClient, setClientMaker } from './client-store.ts'

/** The caller answers for it from now on. Its new secret, unless it keeps the one it has. */
export async function handOverClient(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  input: { id: number; keepSecret: boolean },
): Promise<string | null> {
  return await context.transaction(async (trx) => {
    const { confidential } = await lockClient(trx, tenant, input.id)
    const secret = confidential && !input.keepSecret ? randomSecret() : null
    await setClientMaker(trx, input.id, { user_id: tenant.userId, ...(secret && { secret_hash: digest(secret) }) })
    await revokeTokens(trx, 'client', input.id)
    return secret
  })
}
