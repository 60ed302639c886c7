import { type Exchanged, oauth2, type Return } from '../../commerce/connector-auth.ts'
import { fieldsOf, isFields, maybeText, textIn } from '../../commerce/reading.ts'
import { credentialsRefused, shopAway } from '../../commerce/remote.ts'
import { type BigShop, type Credentials, client, credentials, hashOf, type Settings, typedForm } from './settings.ts'

const scopes = [
  'store_v2_orders',
  'store_v2_products',
  'store_inventory',
  'store_locations_read_only',
  'store_v2_information_read_only',
  'store_v2_customers_read_only',
]

const contextOf = (facts: { shop: string }): string => `stores/${hashOf(facts)}`

export const auth = oauth2<Settings, typeof credentials>({
  credentials,
  client,
  remains: 'The app or API account is still in the store: remove it under Apps, or under Settings → API accounts.',
  pkce: false,
  scopes,
  typed: {
    form: typedForm,
    keep: ({ access_token: token }) => ({ access_token: String(token), typed: true }),
  },
  authorizeUrl({ client: { client_id: id, account_uuid: account }, state, callbackUrl, scopes: wanted, ...facts }) {
    const query = {
      client_id: String(id),
      redirect_uri: callbackUrl,
      response_type: 'code',
      scope: wanted.join(' '),
      context: contextOf(facts),
      state,
      ...(typeof account === 'string' ? { account_uuid: account } : {}),
    }
    return `https://login.bigcommerce.com/oauth2/authorize?${new URLSearchParams(query)}`
  },
  /** The way back is not signed. It names the store, and so do the tokens that it leads to. */
  verifyReturn: ({ context }, _, facts) => context === contextOf(facts),
  exchange,
  checkAccess,
})

/** Tokens do not end; they are good for one store, which comes with them. */
async function exchange(trip: Return<Settings>): Promise<Exchanged<Settings, Credentials>> {
  const { client_id, client_secret } = trip.client
  const context = contextOf(trip)
  const { status, body } = await trip.remote.request({
    method: 'POST',
    origin: 'login',
    path: '/oauth2/token',
    body: {
      client_id,
      client_secret,
      code: trip.query['code'],
      scope: trip.query['scope'],
      context,
      grant_type: 'authorization_code',
      redirect_uri: trip.callbackUrl,
    },
    anonymous: true,
  })
  const reported = isFields(body) ? body : {}
  const error = maybeText(reported, 'error_description') ?? maybeText(reported, 'error')
  if (status >= 400 && error === null) throw shopAway(60)
  if (status >= 400) throw credentialsRefused([], error ?? '')
  if (textIn(reported, 'context') !== context) throw credentialsRefused([], 'The tokens are of another store.')
  return { credentials: { access_token: textIn(reported, 'access_token') }, expiresAt: null }
}

/** The store's own id is its hash. A token that lacks a scope is refused with 403, which says which one. */
async function checkAccess(shop: BigShop): Promise<void> {
  for (const [path, query] of asked) {
    const { status, body } = await shop.remote.request({ method: 'GET', path, query })
    if (status === 403 || status === 404) {
      const reason = isFields(body) ? maybeText(body, 'title') : null
      throw credentialsRefused(['access_token'], reason ?? 'The store rejected the access token.')
    }
    if (status >= 300) throw shopAway(60)
    if (path === '/v2/store' && textIn(fieldsOf(body), 'id') !== hashOf(shop)) {
      throw credentialsRefused(['access_token'], 'The access token belongs to another store.')
    }
  }
}

/** Something small of each kind that nothing works without. */
const asked = [
  ['/v2/store', {}],
  ['/v2/orders', { limit: 1 }],
  ['/v3/catalog/products', { limit: 1 }],
] as const
