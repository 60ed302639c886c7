import { type Granted, oauth2 } from '../../commerce/connector/auth.ts'
import { fieldsIn, fieldsOf, isFields, maybeText, recordsIn, textIn } from '../../commerce/reading.ts'
import { credentialsRefused, type Remote, type RemoteAnswer, shopAway } from '../../commerce/remote.ts'
import type { MissingRight } from '../../commerce/rules/rights.ts'
import type { AnyFields, ShopFacts } from '../../commerce/shop.ts'
import { expiryOf } from '../../commerce/wire/expiry.ts'
import { say } from '../../commerce/words/say.ts'
import { ask, attempt } from './ask.ts'
import { customerScope } from './changes/create-order.ts'
import { isFromShopify, platformSide } from './install/platform-side.ts'
import { where } from './read-answer.ts'
import { returnScope } from './refunds/read-returns.ts'
import { type Credentials, client, credentials, type Settings, type ShopifyShop, typedForm } from './settings.ts'

/** Without these something that everybody expects would be refused. */
const needed = [
  'read_orders',
  'write_orders',
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

/** Without these there is less to see, or less done: what fulfilment services hold, visible products, goods that come back. */
const wished = [
  'read_third_party_fulfillment_orders',
  'write_third_party_fulfillment_orders',
  'read_publications',
  'write_publications',
  customerScope,
  // When companies pay that buy on account.
  'read_payment_terms',
  returnScope,
]

/** Orders older than sixty days. Shopify grants it on request, and lets nobody install an app that asks without that. */
const allOrders = 'read_all_orders'

/** A day less than the platform shows: what is on the edge is neither expected nor missed. */
const shownDays = 59

/** Where nobody knows what was granted, nothing is expected that might not be shown. */
export const horizon = ({ granted }: Pick<ShopFacts, 'granted'>): number | null =>
  granted?.includes(allOrders) ? null : shownDays

export const auth = oauth2<Settings, typeof credentials>({
  credentials,
  client,
  remains: say('remains_shopify'),
  pkce: false,
  scopes: [...needed, ...wished],
  typed: {
    form: typedForm,
    keep: ({ access_token: token, client_id: id, client_secret: secret }) => ({
      typed: true,
      ...(id && secret ? { client_id: String(id), client_secret: String(secret) } : { access_token: String(token) }),
    }),
    open: async (shop) => {
      const { client_id: id } = shop.credentials
      const opened = id ? await fetchOwn(shop) : { credentials: shop.credentials, expiresAt: null }
      return { ...opened, settings: shop.settings }
    },
  },
  authorizeUrl({ shop, client: { client_id: id, all_orders: all }, state, callbackUrl, scopes: asked }) {
    const wanted = all === true ? [...asked, allOrders] : asked
    const query = { client_id: String(id), scope: wanted.join(','), redirect_uri: callbackUrl, state }
    return `https://${shop}/admin/oauth/authorize?${new URLSearchParams(query)}`
  },
  verifyReturn: (query, us, { shop }) => query['shop'] === shop && isFromShopify(query, us),
  exchange: async ({ remote, client: us, query }) =>
    await grant(remote, us, { code: query['code'] ?? '', expiring: '1' }, []),
  ownClient: ({ client_id, client_secret }) => (client_id && client_secret ? { client_id, client_secret } : null),
  refreshes: (_, { refresh_token: token, client_id: own }) => token !== undefined || own !== undefined,
  refresh: async (shop, us) => {
    const { remote, credentials: kept } = shop
    if (kept.client_id !== undefined) return await fetchOwn(shop)
    const reason = { grant_type: 'refresh_token', refresh_token: kept.refresh_token ?? '' }
    return await grant(remote, us, reason, ['refresh_token'])
  },
  takesPrevious: true,
  revoke: async (shop) => {
    if (!shop.credentials.typed) await attempt(shop, uninstall, {})
  },
  checkAccess,
  checkRights,
  readGranted,
  platformSide,
})

/** An app of the merchant's own shows its secret, and has a token for a day; there is none to renew it with. */
async function fetchOwn({ remote, credentials: kept }: ShopifyShop): Promise<Granted<Credentials>> {
  const { client_id, client_secret } = kept
  const own = { client_id, client_secret }
  const granted = await grant(remote, own, { grant_type: 'client_credentials' }, Object.keys(own))
  return { ...granted, credentials: { ...kept, ...granted.credentials } }
}

/** Tokens for a code, or for the refresh token before; what comes in its place must be kept. */
async function grant(
  remote: Remote,
  us: AnyFields,
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
  const scope = maybeText(reported, 'scope')
  return {
    credentials: {
      access_token: textIn(reported, 'access_token'),
      ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    },
    expiresAt: expiryOf(answer, reported),
    ...(scope === null ? {} : { scopes: scope.split(',') }),
  }
}

/** What is not said in the platform's own words may pass. It says them as JSON, or on a page. */
function refusalOf({ body }: RemoteAnswer, fields: readonly string[]) {
  const shown = typeof body === 'string' ? /Oauth error (\w+): ([^<\n]+)/i.exec(body) : null
  const error = isFields(body) ? maybeText(body, 'error') : (shown?.[1] ?? null)
  if (error === null || !/^(invalid_|unauthorized_|application_|app_|shop_not_permitted)/.test(error))
    return shopAway(60)
  const said = isFields(body) ? maybeText(body, 'error_description') : (shown?.[2]?.trim() ?? null)
  // Only stores of the organisation that made the app may be opened with its secret.
  const why = error === 'shop_not_permitted' ? say('one_organisation', { words: said ?? error }) : said
  const named = fields.length < 2 ? fields : fields.slice(...(error === 'invalid_client' ? [1] : [0, 1]))
  return credentialsRefused(named, why ?? error)
}

const accessQuery = {
  cost: 3,
  text: 'query Prove { shop { myshopifyDomain } currentAppInstallation { accessScopes { handle } } }',
}

async function checkAccess(shop: ShopifyShop): Promise<void> {
  const reported = await ask(shop, accessQuery)
  if (textIn(fieldsIn(reported, 'shop'), 'myshopifyDomain') !== shop.shop) {
    throw credentialsRefused(['access_token'], say('access_token_of_other'))
  }
}

async function readGranted(shop: ShopifyShop): Promise<string[]> {
  const installation = fieldsIn(await ask(shop, accessQuery), 'currentAppInstallation')
  return recordsIn(installation, 'accessScopes').map((one) => textIn(one, 'handle'))
}

async function checkRights(shop: ShopifyShop): Promise<MissingRight[]> {
  const granted = await readGranted(shop)
  // Who may write may read.
  const may = (scope: string) => granted.includes(scope) || granted.includes(scope.replace(/^read_/, 'write_'))
  return needed.filter((scope) => !may(scope)).map((name) => ({ name, where }))
}

const uninstall = {
  name: 'appUninstall',
  text: 'mutation Leave { appUninstall { userErrors { field message } } }',
}
