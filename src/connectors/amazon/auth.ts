import { type Exchanged, type Granted, oauth2, type Return } from '../../commerce/connector/auth.ts'
import { fieldsIn, fieldsOf, isFields, maybeText, recordsIn, textIn } from '../../commerce/reading.ts'
import { credentialsRefused, type Remote, type RemoteAnswer, shopAway } from '../../commerce/remote.ts'
import { type MissingRight, rightsRefused } from '../../commerce/rules/rights.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { endOf, expiryOf } from '../../commerce/wire/expiry.ts'
import { say } from '../../commerce/words/say.ts'
import { invalidField } from '../../lib/fault.ts'
import { ask } from './ask.ts'
import { ordersPath } from './get-order.ts'
import { marketplaces } from './marketplaces.ts'
import { newestOrder } from './orders.ts'
import { rightFor } from './read-answer.ts'
import {
  type AmazonShop,
  type Credentials,
  client,
  credentials,
  homeOf,
  marketplaceIdsOf,
  type Settings,
  sellerOf,
  typedForm,
} from './settings.ts'

/** Login with Amazon. What an app may do are its roles, which it has at Amazon: there are no scopes to ask for. */
export const auth = oauth2<Settings, typeof credentials>({
  credentials,
  client,
  remains: say('remains_amazon'),
  pkce: false,
  scopes: [],
  codeName: 'spapi_oauth_code',
  authorizeUrl({ client: { application_id: id, draft }, state, callbackUrl, ...facts }) {
    const query = {
      application_id: String(id),
      state,
      redirect_uri: callbackUrl,
      ...(draft === true ? { version: 'beta' } : {}),
    }
    return `https://${homeOf(facts).sellerCentral}/apps/authorize/consent?${new URLSearchParams(query)}`
  },
  /** The way back is not signed; it names the seller who agreed. */
  verifyReturn: ({ selling_partner_id: seller = '' }, _, { shop }) => seller.toLowerCase() === shop,
  exchange,
  typed: {
    form: typedForm,
    keep: ({ client_id: id, client_secret: secret, refresh_token: token }) => ({
      client_id: String(id),
      client_secret: String(secret),
      refresh_token: String(token),
    }),
    open: async (shop) => ({ ...(await refresh(shop, shop.credentials)), settings: shop.settings }),
  },
  ownClient: ({ client_id, client_secret }) => (client_id && client_secret ? { client_id, client_secret } : null),
  refresh,
  checkAccess,
  checkRights,
})

async function exchange({ remote, client: us, query, callbackUrl }: Return<Settings>) {
  const code = query['spapi_oauth_code'] ?? ''
  const granted = await grant(remote, us, { grant_type: 'authorization_code', code, redirect_uri: callbackUrl })
  const seller = query['selling_partner_id']
  const exchanged: Exchanged<Settings, Credentials> = {
    ...granted,
    ...(seller ? { settings: { seller_id: seller } } : {}),
  }
  return exchanged
}

/** An app of the seller's own stays with its tokens. */
async function refresh({ remote, credentials: kept }: AmazonShop, us: AnyFields): Promise<Granted<Credentials>> {
  const reason = { grant_type: 'refresh_token', refresh_token: kept.refresh_token }
  const granted = await grant(remote, us, reason, kept.client_id ? Object.keys(typedForm.properties) : [])
  return { ...granted, credentials: { ...kept, ...granted.credentials } }
}

/** Sellers let an app in for a year, and are asked again then. Apps of their own need no renewal. */
const consentSeconds = 365 * 86_400

/** The refresh token stays the same for as long as the seller lets us in; it comes again each time. */
async function grant(
  remote: Remote,
  us: AnyFields,
  reason: Record<string, string>,
  typed: readonly string[] = [],
): Promise<Granted<Credentials>> {
  const form = { ...reason, client_id: String(us['client_id']), client_secret: String(us['client_secret']) }
  const answer = await remote.request({
    method: 'POST',
    origin: 'login',
    path: '/auth/o2/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    anonymous: true,
    budget: 'tokens',
  })
  if (answer.status >= 300) throw refusalOf(answer, typed)
  const reported = fieldsOf(answer.body)
  return {
    credentials: {
      access_token: textIn(reported, 'access_token'),
      refresh_token:
        maybeText(reported, 'refresh_token') ?? reason['refresh_token'] ?? textIn(reported, 'refresh_token'),
    },
    expiresAt: expiryOf(answer, reported),
    ...(reason['grant_type'] === 'authorization_code' && { consentEndsAt: endOf(answer, consentSeconds) }),
  }
}

/** A grant that is gone, or an app that is not what it says; anything else may pass. */
function refusalOf({ body }: RemoteAnswer, typed: readonly string[]) {
  const error = isFields(body) ? maybeText(body, 'error') : null
  if (error === null || !/^(invalid_|unauthorized_)/.test(error)) return shopAway(60)
  const fields = typed.filter((name) => name.startsWith('client_') === /client/.test(error))
  return credentialsRefused(fields, (isFields(body) && maybeText(body, 'error_description')) || error)
}

/** Amazon knows who asks by the token, and says where that seller sells; listings answer to their own seller alone. */
async function checkAccess(shop: AmazonShop): Promise<void> {
  const regions = new Set([shop.settings.marketplace, ...(shop.settings.more_marketplaces ?? [])].map(regionOf))
  if (regions.size > 1) {
    throw invalidField('settings.more_marketplaces', say('one_region'))
  }
  const reported = fieldsOf(
    await ask(shop, { path: '/sellers/v1/marketplaceParticipations', budget: 'get_participations' }),
  )
  const open = recordsIn(reported, 'payload')
    .filter((one) => fieldsIn(one, 'participation')['isParticipating'] === true)
    .map((one) => textIn(fieldsIn(one, 'marketplace'), 'id'))
  const [home, ...more] = marketplaceIdsOf(shop).map((id) => open.includes(id))
  if (!home) throw invalidField('settings.marketplace', say('other_marketplace'))
  if (more.includes(false)) {
    throw invalidField('settings.more_marketplaces', say('other_marketplaces'))
  }
  await ask(shop, firstListing(shop))
}

/** Roles are listed nowhere: an operation that the app has no role for is denied. */
async function checkRights(shop: AmazonShop): Promise<MissingRight[]> {
  return await rightsRefused(shop.remote, [
    { ...rightFor(ordersPath), request: newestOrder(shop) },
    { ...rightFor('/listings'), request: { method: 'GET', ...firstListing(shop) } },
  ])
}

const firstListing = (shop: AmazonShop) =>
  ({
    path: `/listings/2021-08-01/items/${sellerOf(shop)}`,
    query: { marketplaceIds: homeOf(shop).id, pageSize: 1 },
    budget: 'search_listings',
  }) as const

const regionOf = (code: Settings['marketplace']) => marketplaces[code].region
