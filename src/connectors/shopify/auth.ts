import { type Granted, oauth2, type Return } from '../../commerce/connector-auth.ts'
import { fieldsIn, fieldsOf, isFields, maybeText, recordsIn, textIn } from '../../commerce/reading.ts'
import { credentialsRefused, type Remote, type RemoteAnswer, shopAway } from '../../commerce/remote.ts'
import type { MissingRight } from '../../commerce/rules/rights.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { expiryOf } from '../../commerce/wire/expiry.ts'
import { ask, attempt } from './ask.ts'
import { isFromShopify, platformSide } from './install/platform-side.ts'
import { where } from './read-answer.ts'
import { type Credentials, client, credentials, type Settings, type ShopifyShop, typedForm } from './settings.ts'

/** Everything the connector uses. Without `read_all_orders` Shopify reports the orders of the last sixty days alone. */
const scopes = [
  'read_orders',
  'write_orders',
  'read_all_orders',
  'read_products',
  'write_products',
  'read_inventory',
  'write_inventory',
  'read_locations',
  'read_customers',
  // Without it no messages about parcels may be asked for.
  'read_fulfillments',
  'read_merchant_managed_fulfillment_orders',
  'write_merchant_managed_fulfillment_orders',
]

/** Orders that are older than sixty days are a matter of their own, which Shopify grants on request. */
const needed = scopes.filter((scope) => scope !== 'read_all_orders')

export const auth = oauth2<Settings, typeof credentials>({
  credentials,
  client,
  remains:
    'A custom app whose token was typed in is still in the shop: remove it under Settings → Apps and sales channels.',
  pkce: false,
  scopes,
  typed: {
    form: typedForm,
    keep: ({ access_token: token }) => ({ access_token: String(token), typed: true }),
  },
  authorizeUrl({ shop, client: { client_id: id }, state, callbackUrl, scopes: wanted }) {
    const query = { client_id: String(id), scope: wanted.join(','), redirect_uri: callbackUrl, state }
    return `https://${shop}/admin/oauth/authorize?${new URLSearchParams(query)}`
  },
  verifyReturn: (query, us, { shop }) => query['shop'] === shop && isFromShopify(query, us),
  exchange: async ({ remote, client: us, query }) =>
    await grant(remote, us, { code: query['code'] ?? '', expiring: '1' }, []),
  refreshes: (_, { refresh_token: token }) => token !== undefined,
  refresh: async ({ remote, credentials: { refresh_token: token = '' } }, us) =>
    await grant(remote, us, { grant_type: 'refresh_token', refresh_token: token }, ['refresh_token']),
  takesPrevious: true,
  revoke: async (shop) => {
    if (!shop.credentials.typed) await attempt(shop, uninstall, {})
  },
  checkAccess,
  checkRights,
  platformSide,
})

/** Tokens for a code, or for the refresh token before; what comes in its place must be kept. */
async function grant(
  remote: Remote,
  us: Return<Settings>['client'],
  reason: AnyFields,
  fields: readonly string[],
): Promise<Granted<Credentials>> {
  const { client_id, client_secret } = us
  const answer = await remote.request({
    method: 'POST',
    path: '/admin/oauth/access_token',
    body: { client_id, client_secret, ...reason },
    anonymous: true,
  })
  if (answer.status >= 300) throw refusalOf(answer, fields)
  const reported = fieldsOf(answer.body)
  const refreshToken = maybeText(reported, 'refresh_token')
  return {
    credentials: {
      access_token: textIn(reported, 'access_token'),
      ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    },
    expiresAt: expiryOf(answer, reported),
  }
}

/** What is not said in the platform's own words may pass. */
function refusalOf({ body }: RemoteAnswer, fields: readonly string[]) {
  const error = isFields(body) ? maybeText(body, 'error') : null
  if (error === null || !/^(invalid_|unauthorized_|application_)/.test(error)) return shopAway(60)
  return credentialsRefused(fields, (isFields(body) && maybeText(body, 'error_description')) || error)
}

const accessQuery = {
  cost: 3,
  text: 'query Prove { shop { myshopifyDomain } currentAppInstallation { accessScopes { handle } } }',
}

async function checkAccess(shop: ShopifyShop): Promise<void> {
  const reported = await ask(shop, accessQuery)
  if (textIn(fieldsIn(reported, 'shop'), 'myshopifyDomain') !== shop.shop) {
    throw credentialsRefused(['access_token'], 'The access token belongs to another shop.')
  }
}

async function checkRights(shop: ShopifyShop): Promise<MissingRight[]> {
  const installation = fieldsIn(await ask(shop, accessQuery), 'currentAppInstallation')
  const granted = recordsIn(installation, 'accessScopes').map((one) => textIn(one, 'handle'))
  // Who may write may read.
  const may = (scope: string) => granted.includes(scope) || granted.includes(scope.replace(/^read_/, 'write_'))
  return needed.filter((scope) => !may(scope)).map((name) => ({ name, where }))
}

const uninstall = {
  name: 'appUninstall',
  text: 'mutation Leave { appUninstall { userErrors { field message } } }',
}
