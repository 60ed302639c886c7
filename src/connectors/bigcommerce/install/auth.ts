import { type Exchanged, oauth2, type Return } from '../../../commerce/connector/auth.ts'
import { fieldsOf, isFields, maybeText, textIn } from '../../../commerce/reading.ts'
import { credentialsRefused, type RemoteRequest, shopAway } from '../../../commerce/remote.ts'
import { rightsRefused, type TriedRight } from '../../../commerce/rules/rights.ts'
import { say } from '../../../commerce/words/say.ts'
import { where } from '../read-answer.ts'
import { type BigShop, type Credentials, client, credentials, hashOf, type Settings, typedForm } from '../settings.ts'
import { platformSide } from './platform-side.ts'

const scopes = [
  'store_v2_orders',
  'store_v2_products',
  'store_inventory',
  'store_locations_read_only',
  'store_v2_information_read_only',
  'store_v2_customers_read_only',
  'store_channel_settings_read_only',
]

const contextOf = (facts: { shop: string }): string => `stores/${hashOf(facts)}`

export const auth = oauth2<Settings, typeof credentials>({
  credentials,
  client,
  remains: say('remains_bigcommerce'),
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
  checkRights: ({ remote }: BigShop) => rightsRefused(remote, tried),
  platformSide,
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
  if (textIn(reported, 'context') !== context) throw credentialsRefused([], say('tokens_of_other'))
  const granted = maybeText(reported, 'scope')
  return {
    credentials: { access_token: textIn(reported, 'access_token') },
    expiresAt: null,
    ...(granted === null ? {} : { scopes: granted.split(/\s+/) }),
  }
}

/** The store's own id is its hash. */
async function checkAccess(shop: BigShop): Promise<void> {
  const { status, body } = await shop.remote.request({ method: 'GET', path: '/v2/store' })
  if (status === 404) throw credentialsRefused(['access_token'], say('rejected_access_token'))
  if (status >= 300) throw shopAway(60)
  if (textIn(fieldsOf(body), 'id') !== hashOf(shop)) {
    throw credentialsRefused(['access_token'], say('access_token_of_other'))
  }
}

/** No token says what it may do. Nobody has the order and the product, and stock is changed for no article. */
const tried: readonly TriedRight[] = [
  right('Information & settings (read-only)', { method: 'GET', path: '/v2/store' }),
  right('Orders (read-only)', { method: 'GET', path: '/v2/orders', query: { limit: 1 } }),
  right('Orders (modify)', { method: 'PUT', path: '/v2/orders/0', body: {} }),
  right('Products (read-only)', { method: 'GET', path: '/v3/catalog/products', query: { limit: 1 } }),
  right('Products (modify)', { method: 'PUT', path: '/v3/catalog/products/0', body: {} }),
  right('Store inventory (read-only)', { method: 'GET', path: '/v3/inventory/items', query: { limit: 1 } }),
  right('Store inventory (modify)', {
    ...{ method: 'PUT', path: '/v3/inventory/adjustments/absolute' },
    body: { reason: '', items: [] },
  }),
  right('Store locations (read-only)', { method: 'GET', path: '/v3/inventory/locations', query: { limit: 1 } }),
]

function right(name: string, request: RemoteRequest): TriedRight {
  return { name, where, request }
}
