import { connectorFor } from '../../commerce/connectors.ts'
import { shopAddress } from '../../commerce/rules/shop-address.ts'
import { invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { lockIntegration } from '../integrations/integration-store.ts'
import { checkReturnUrl } from './install-integration.ts'
import { startAuthorization } from './start-authorization.ts'

/** The address at the platform where the merchant lets us in, for an integration that is there already. */
export async function authorizeIntegration(
  context: Context,
  integration: Integration,
  input: { shop: string | null; scopes: readonly string[] | null; returnUrl: string | null },
): Promise<string> {
  const connector = connectorFor(context.connectors, integration)
  if (input.shop !== null && shopAddress(input.shop, connector?.shopOfPage).shop !== integration.shop) {
    throw invalidField('shop', 'The selected shop is invalid.')
  }
  const { scopes } = input
  const auth = connector?.auth
  const offered = auth?.kind === 'oauth2' ? auth.scopes : []
  if (scopes && !scopes.every((scope) => offered.includes(scope))) {
    throw invalidField('scope', 'The selected scope is invalid.')
  }
  const returnUrl = await checkReturnUrl(context.db, integration, input.returnUrl)
  const address = await context.transaction(async (trx) => {
    const locked = await lockIntegration(trx, integration.id)
    return await startAuthorization(trx, context, locked, { returnUrl, ...(scopes && { scopes }) })
  })
  if (address === null) throw invalidField('channel', 'The service is not installed this way.')
  return address
}
