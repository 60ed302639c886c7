import { type Exchanged, type Granted, oauth2, type Return } from '../../commerce/connector/auth.ts'
import type { RemoteCall } from '../../commerce/connector/remote-rules.ts'
import { type Fields, fieldsOf, isFields, maybeText, textIn } from '../../commerce/reading.ts'
import {
  credentialsRefused,
  type Remote,
  type RemoteAnswer,
  type RemoteRequest,
  shopAway,
} from '../../commerce/remote.ts'
import { type MissingRight, rightsRefused } from '../../commerce/rules/rights.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { endOf, expiryOf } from '../../commerce/wire/expiry.ts'
import { say } from '../../commerce/words/say.ts'
import { bodyOf, fulfillment, inventoryApi, postOrder, request, rightFor } from './ask.ts'
import { tradingPath } from './seller-hub/trading.ts'
import {
  type Credentials,
  client,
  credentials,
  type EbayFacts,
  type EbayShop,
  environmentOf,
  hostOf,
  type Settings,
  shopNameOf,
} from './settings.ts'
import { isToBeSigned, withSignature } from './signing/sign-message.ts'

const scope = (name: string) => `https://api.ebay.com/oauth/api_scope/${name}`

const scopes = [scope('sell.fulfillment'), scope('sell.inventory'), scope('commerce.identity.readonly')]

/** What eBay calls the address that people come back to is not the address, but a name for it: the RuName. */
export const auth = oauth2<Settings, typeof credentials>({
  credentials,
  client,
  remains: say('remains_ebay'),
  pkce: false,
  scopes,
  authorizeUrl({
    client: { client_id: id, ru_name: name, order_notifications: told },
    state,
    scopes: usual,
    ...facts
  }) {
    // An app that asks for a scope which it was not granted gets nobody in.
    const wanted = told === true ? [...usual, scope('commerce.notification.subscription')] : usual
    const query = {
      client_id: String(id),
      response_type: 'code',
      redirect_uri: String(name),
      scope: wanted.join(' '),
      state,
      // Whoever is logged in already may not be the seller.
      prompt: 'login',
    }
    return `https://auth.${hostOf(facts)}/oauth2/authorize?${new URLSearchParams(query)}`
  },
  exchange,
  refresh: async ({ remote, credentials: { refresh_token: token } }, us) =>
    await grant(remote, us, { grant_type: 'refresh_token', refresh_token: token }),
  checkAccess,
  checkRights,
})

/** Names of users change, or are ids in their place; the id itself stays, and is known from here on. */
async function exchange({
  remote,
  client: us,
  query,
  ...facts
}: Return<Settings>): Promise<Exchanged<Settings, Credentials>> {
  const granted = await grant(remote, us, {
    grant_type: 'authorization_code',
    code: query['code'] ?? '',
    redirect_uri: String(us['ru_name']),
  })
  const headers = { authorization: `Bearer ${granted.credentials.access_token}`, 'accept-language': 'en-US' }
  const { status, body } = await remote.request({ ...identityRequest, headers, anonymous: true })
  if (status >= 300) throw shopAway(60)
  const user = fieldsOf(body)
  assertOwner(user, facts)
  const id = maybeText(user, 'userId')
  return id === null ? granted : { ...granted, settings: { user_id: id }, identity: id }
}

const identityRequest = { method: 'GET', path: '/commerce/identity/v1/user/', origin: 'identity' } as const

export const tokenPath = '/identity/v1/oauth2/token'

export function tokenRequest({ client_id: id, client_secret: secret }: AnyFields, form: Record<string, string>) {
  const basic = Buffer.from(`${id}:${secret}`).toString('base64')
  return {
    method: 'POST',
    path: tokenPath,
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    anonymous: true,
  } as const
}

/** What is nobody's but the app's: it shows who it is first. */
export async function askAsApp(
  remote: Remote,
  client: AnyFields,
  asked: Omit<RemoteRequest, 'method'> & { method?: RemoteRequest['method'] },
): Promise<RemoteAnswer> {
  const origin = environmentOf(client)
  const form = { grant_type: 'client_credentials', scope: 'https://api.ebay.com/oauth/api_scope' }
  const granted = fieldsOf(bodyOf(await remote.request({ ...tokenRequest(client, form), origin })))
  const headers = { ...asked.headers, authorization: `Bearer ${textIn(granted, 'access_token')}` }
  const answer = await remote.request({ method: 'GET', ...asked, origin, headers, anonymous: true })
  bodyOf(answer)
  return answer
}

/** The refresh token lives for eighteen months whatever is done with it, and comes only with the first tokens. */
async function grant(remote: Remote, us: AnyFields, form: Record<string, string>): Promise<Granted<Credentials>> {
  const answer = await remote.request(tokenRequest(us, form))
  if (answer.status >= 300) throw refusalOf(answer)
  const reported = fieldsOf(answer.body)
  return {
    credentials: {
      access_token: textIn(reported, 'access_token'),
      refresh_token: form['refresh_token'] ?? textIn(reported, 'refresh_token'),
      ...signingKeysOf(us),
    },
    expiresAt: expiryOf(answer, reported),
    // Said with the first tokens alone.
    ...(reported['refresh_token_expires_in'] === undefined
      ? {}
      : { consentEndsAt: endOf(answer, reported['refresh_token_expires_in']) }),
  }
}

/** Tokens are renewed every other hour: so a new key of the app reaches all its sellers. */
const signingKeysOf = ({ signing_jwe: jwe, signing_private_key: key }: AnyFields): Partial<Credentials> =>
  typeof jwe === 'string' && typeof key === 'string' ? { signing_jwe: jwe, signing_private_key: key } : {}

/** A grant that is gone, or an app that is not what it says; anything else may pass. */
function refusalOf({ body }: RemoteAnswer) {
  const reported = isFields(body) ? body : {}
  const error = maybeText(reported, 'error')
  if (error === null || !/^(invalid_|unauthorized_)/.test(error)) return shopAway(60)
  return credentialsRefused([], maybeText(reported, 'error_description') ?? error)
}

/** Who the tokens belong to. */
async function checkAccess(shop: EbayShop): Promise<void> {
  const { status, body } = await request(shop, identityRequest)
  if (status >= 300) throw shopAway(60)
  assertOwner(fieldsOf(body), shop)
}

/** By the id, once it is known; before that, by the name that was entered. */
function assertOwner(user: Fields, { shop, settings: { user_id: known } }: EbayFacts): void {
  const [name, id] = [maybeText(user, 'username'), maybeText(user, 'userId')]
  const isOwner =
    known === undefined ? [name, id].some((one) => one !== null && shopNameOf(one) === shop) : id === known
  if (!isOwner) throw credentialsRefused([], say('tokens_of_user', { name: name ?? id ?? '' }))
}

/** Tokens do not say what they are good for. */
async function checkRights({ remote }: EbayShop): Promise<MissingRight[]> {
  const paths = [`${fulfillment}/order`, `${inventoryApi}/inventory_item`]
  return await rightsRefused(
    remote,
    paths.map((path) => ({ ...rightFor(path), request: { method: 'GET', path, query: { limit: 1 } } })),
  )
}

/** The older interfaces have other names for tokens; some calls are signed besides, where the app has keys for it. */
export function authenticate(
  request: RemoteRequest,
  { access_token: token, signing_jwe: jwe, signing_private_key: privateKey }: Credentials,
  _: EbayFacts,
  call: RemoteCall,
): RemoteRequest {
  if (request.path === tradingPath)
    return { ...request, headers: { ...request.headers, 'x-ebay-api-iaf-token': token } }
  const authorization = `${request.path.startsWith(postOrder) ? 'IAF' : 'Bearer'} ${token}`
  const known = { ...request, headers: { ...request.headers, authorization } }
  return jwe && privateKey && isToBeSigned(known) ? withSignature(known, { jwe, privateKey }, call) : known
}
