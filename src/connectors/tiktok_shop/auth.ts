import { type Exchanged, type Granted, type Opened, oauth2, type Return } from '../../commerce/connector/auth.ts'
import type { RemoteCall } from '../../commerce/connector/remote-rules.ts'
import { arrayIn, type Fields, maybeText, numberIn, recordsIn, textIn, timeOfUnix } from '../../commerce/reading.ts'
import {
  credentialsRefused,
  type Remote,
  type RemoteAnswer,
  type RemoteRequest,
  shopAway,
} from '../../commerce/remote.ts'
import { type MissingRight, rightsRefused } from '../../commerce/rules/rights.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { hmac } from '../../lib/hmac.ts'
import { ask, codeOf, dataOf, reasonIn } from './ask.ts'
import { rightFor } from './read-answer.ts'
import {
  type Credentials,
  cipherOf,
  client,
  credentials,
  type Settings,
  type TikTokFacts,
  type TikTokShop,
  typedForm,
} from './settings.ts'

/** What an app may do is ticked in the portal for developers: there are no scopes to ask for, nor an address to name. */
export const auth = oauth2<Settings, typeof credentials>({
  credentials,
  client,
  remains: say('remains_tiktok_shop'),
  pkce: false,
  scopes: [],
  authorizeUrl({ client: { service_id: id }, state, settings: { market } }) {
    const host = market === 'us' ? 'services.us.tiktokshop.com' : 'services.tiktokshop.com'
    return `https://${host}/open/authorize?${new URLSearchParams({ service_id: String(id), state })}`
  },
  exchange,
  typed: {
    form: typedForm,
    keep: ({ app_key: key, app_secret: secret, refresh_token: token }) => ({
      ...{ app_key: String(key), app_secret: String(secret), refresh_token: String(token), typed: true },
    }),
    open,
  },
  ownClient: ({ typed, app_key, app_secret }) => (typed ? { app_key, app_secret } : null),
  refresh: async ({ remote, credentials: kept }, us) => (await renew(remote, kept, us)).granted,
  checkAccess,
  checkRights,
})

const shopsPath = '/authorization/202309/shops'

/** A seller may have shops in several countries, all of which the tokens open: which is meant is asked at once. */
async function exchange({
  remote,
  client: us,
  query,
  ...facts
}: Return<Settings>): Promise<Exchanged<Settings, Credentials>> {
  const reason = { auth_code: query['code'] ?? '', grant_type: 'authorized_code' }
  const { granted, seconds } = await grant(remote, us, '/api/v2/token/get', reason)
  const found = await shopAmong(remote, granted.credentials, { ...facts, seconds })
  return { ...granted, settings: found, identity: found.shop_id }
}

/** Of an app of the seller's own: what was typed brings the first tokens. */
async function open({ remote, ...shop }: TikTokShop): Promise<Opened<Settings, Credentials>> {
  const { granted, seconds } = await renew(remote, shop.credentials, shop.credentials)
  const found = await shopAmong(remote, granted.credentials, { ...shop, seconds })
  return { ...granted, settings: { ...shop.settings, ...found } }
}

async function renew(remote: Remote, kept: Credentials, us: AnyFields) {
  const reason = { refresh_token: kept.refresh_token, grant_type: 'refresh_token' }
  const made = await grant(remote, us, '/api/v2/token/refresh', reason, kept.typed === true)
  const { granted } = made
  return { ...made, granted: { ...granted, credentials: { ...kept, ...granted.credentials } } }
}

/** Custom apps are let in for a century. */
const forEver = 20 * 365 * 86_400

/** Codes and refresh tokens are good for one time; the next refresh token comes along. */
async function grant(
  remote: Remote,
  { app_key: key, app_secret: secret }: AnyFields,
  path: string,
  reason: Record<string, string>,
  isTyped = false,
): Promise<{ granted: Granted<Credentials>; seconds: number }> {
  const query = { app_key: String(key), app_secret: String(secret), ...reason }
  const answer = await remote.request({ method: 'GET', origin: 'tokens', path, query, anonymous: true })
  if (answer.status >= 300 || codeOf(answer.body) !== 0) throw refusalOf(answer, isTyped)
  const data = dataOf(answer)
  const [ends, consentEnds] = [numberIn(data, 'access_token_expire_in'), data['refresh_token_expire_in']]
  const isForEver = typeof consentEnds !== 'number' || consentEnds > ends + forEver
  return {
    granted: {
      credentials: {
        access_token: textIn(data, 'access_token'),
        refresh_token: textIn(data, 'refresh_token'),
        ...{ app_key: String(key), app_secret: String(secret) },
      },
      expiresAt: timeOfUnix(ends),
      consentEndsAt: isForEver ? null : timeOfUnix(consentEnds),
      ...(data['granted_scopes'] == null ? {} : { scopes: arrayIn(data, 'granted_scopes').map(String) }),
    },
    // By the clock of the platform: it is what signatures are held against.
    seconds: Math.floor(Date.parse(answer.headers['date'] ?? '') / 1000),
  }
}

/** A grant that is gone, or an app that is not what it says; anything else may pass. */
function refusalOf({ body }: RemoteAnswer, isTyped: boolean) {
  const reason = reasonIn(body)
  if (reason === null || !/invalid|expired|not exist|revoked|unauthori|deauthori/i.test(reason)) return shopAway(60)
  const field = /app_?key/i.test(reason) ? 'app_key' : /app_?secret/i.test(reason) ? 'app_secret' : 'refresh_token'
  return credentialsRefused(isTyped ? [field] : [], reason)
}

/** Before there is a shop to ask: signed by hand. */
async function shopAmong(remote: Remote, kept: Credentials, { seconds, ...facts }: TikTokFacts & { seconds: number }) {
  if (Number.isNaN(seconds)) throw shopAway(60, undefined, say('no_clock', { platform: 'TikTok Shop' }))
  const request = signed({ method: 'GET', path: shopsPath }, kept, { path: shopsPath, seconds })
  const shop = meant(dataOf(await remote.request({ ...request, anonymous: true })), facts)
  return { shop_cipher: textIn(shop, 'cipher'), shop_id: textIn(shop, 'id'), region: textIn(shop, 'region') }
}

/** By its number once that is known; before that, by the code or the number that was entered. */
function meant(data: Fields, { shop, settings: { shop_id: known } }: TikTokFacts): Fields {
  const all = recordsIn(data, 'shops')
  const isMeant = (one: Fields): boolean =>
    known === undefined
      ? [maybeText(one, 'code')?.toLowerCase(), textIn(one, 'id')].includes(shop)
      : textIn(one, 'id') === known
  const found = all.find(isMeant)
  if (found) return found
  const codes = all.map((one) => maybeText(one, 'code') ?? textIn(one, 'id'))
  throw credentialsRefused(
    [],
    codes.length === 0 ? say('account_without_shop') : say('tokens_of_shop', { name: codes.join(', ') }),
  )
}

/** The shop is the one that was meant, and still let in. */
async function checkAccess(shop: TikTokShop): Promise<void> {
  meant(await ask(shop, { path: shopsPath }), shop)
  cipherOf(shop)
}

/** Answers with tokens list scopes, and nobody says which opens what: each is tried. */
async function checkRights({ remote }: TikTokShop): Promise<MissingRight[]> {
  const asked = (path: string, request: Omit<RemoteRequest, 'path'>) => ({
    ...rightFor(path),
    request: { ...request, path },
  })
  const one = { method: 'POST', query: { page_size: 1 }, body: {} } as const
  return await rightsRefused(remote, [
    asked('/order/202309/orders/search', one),
    asked('/product/202502/products/search', one),
    asked('/logistics/202309/warehouses', { method: 'GET' }),
  ])
}

/** Every request names the app, the moment and the shop, and is signed as it leaves. */
export function authenticate(
  request: RemoteRequest,
  kept: Credentials,
  facts: TikTokFacts,
  { url, seconds }: RemoteCall,
): RemoteRequest {
  const { pathname } = new URL(url)
  const ofShop = pathname === shopsPath ? {} : { shop_cipher: cipherOf(facts) }
  return signed({ ...request, query: { ...request.query, ...ofShop } }, kept, { path: pathname, seconds })
}

/** The query in the order of its names, and the body, between two secrets. */
export function signed(
  request: RemoteRequest,
  { access_token: token = '', app_key: key, app_secret: secret }: Credentials,
  { path, seconds }: { path: string; seconds: number },
): RemoteRequest {
  const query = textsOf({ ...request.query, app_key: key, timestamp: seconds })
  const { body: given } = request
  const body = given === undefined || typeof given === 'string' ? given : JSON.stringify(given)
  const sorted = Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))
  const base = [secret, path, ...sorted.flat(), body ?? '', secret].join('')
  return {
    ...request,
    query: { ...query, sign: hmac(base, secret, 'hex') },
    headers: { ...request.headers, 'content-type': 'application/json', 'x-tts-access-token': token },
    ...(body === undefined ? {} : { body }),
  }
}

/** What goes out is what was signed: a list is one text. */
const textsOf = (query: NonNullable<RemoteRequest['query']>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value == null || name === 'sign' || name === 'access_token' ? [] : [[name, String(value)]],
    ),
  )
