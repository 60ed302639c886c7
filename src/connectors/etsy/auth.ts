import { type Exchanged, type Granted, oauth2, type Return } from '../../commerce/connector/auth.ts'
import { fieldsOf, idIn, numberIn, textIn } from '../../commerce/reading.ts'
import { credentialsRefused, type Remote, type RemoteAnswer, shopAway } from '../../commerce/remote.ts'
import type { MissingRight } from '../../commerce/rules/rights.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { expiryOf } from '../../commerce/wire/expiry.ts'
import { say } from '../../commerce/words/say.ts'
import { reasonIn } from './ask.ts'
import { where } from './read-answer.ts'
import { type Credentials, client, credentials, type EtsyShop, nameOf, type Settings, shopPath } from './settings.ts'

const scopes = ['transactions_r', 'transactions_w', 'listings_r', 'listings_w', 'shops_r']

export const auth = oauth2<Settings, typeof credentials>({
  credentials,
  client,
  remains: say('remains_etsy'),
  pkce: true,
  scopes,
  authorizeUrl({ client: { client_id: id }, state, callbackUrl, scopes: wanted, codeChallenge }) {
    const query = {
      response_type: 'code',
      client_id: String(id),
      redirect_uri: callbackUrl,
      scope: wanted.join(' '),
      state,
      code_challenge: codeChallenge ?? '',
      code_challenge_method: 'S256',
    }
    return `https://www.etsy.com/oauth/connect?${new URLSearchParams(query)}`
  },
  exchange,
  refresh: async ({ remote, credentials: { refresh_token: token } }, us) =>
    await grant(remote, us, { grant_type: 'refresh_token', refresh_token: token }),
  refreshTokenDays: 90,
  checkAccess,
  checkRights,
})

/** Tokens are of a person. Which shop is theirs is asked at once, for nothing can be asked without its number. */
async function exchange({ remote, client: us, ...trip }: Return<Settings>): Promise<Exchanged<Settings, Credentials>> {
  const granted = await grant(remote, us, {
    grant_type: 'authorization_code',
    redirect_uri: trip.callbackUrl,
    code: trip.query['code'] ?? '',
    code_verifier: trip.codeVerifier ?? '',
  })
  const headers = signedWith(granted.credentials)
  const { status, body } = await remote.request({ method: 'GET', path: '/v3/application/users/me', headers })
  if (status >= 300) throw credentialsRefused([], reasonIn(body) ?? say('whose_tokens', { platform: 'Etsy' }))
  const me = fieldsOf(body)
  const [person] = granted.credentials.access_token.split('.')
  if (String(me['user_id']) !== person) throw credentialsRefused([], say('tokens_of_somebody'))
  if (me['shop_id'] == null || me['shop_id'] === 0) throw credentialsRefused([], say('account_without_shop'))
  return { ...granted, settings: { shop_id: numberIn(me, 'shop_id') }, identity: idIn(me, 'shop_id') }
}

export const signedWith = ({ access_token: token, api_key: key }: Credentials) => ({
  authorization: `Bearer ${token}`,
  'x-api-key': key,
})

/** Refresh tokens are good for one time: the next one comes along. */
async function grant(remote: Remote, us: AnyFields, form: Record<string, string>): Promise<Granted<Credentials>> {
  const { client_id: id, client_secret: secret } = us
  const answer = await remote.request({
    method: 'POST',
    origin: 'tokens',
    path: '/v3/public/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...form, client_id: String(id) }).toString(),
    anonymous: true,
  })
  if (answer.status >= 300) throw refusalOf(answer)
  const reported = fieldsOf(answer.body)
  return {
    credentials: {
      access_token: textIn(reported, 'access_token'),
      refresh_token: textIn(reported, 'refresh_token'),
      api_key: `${id}:${secret}`,
    },
    expiresAt: expiryOf(answer, reported),
  }
}

/** A grant that is gone, or an app that is not what it says; anything else may pass. */
function refusalOf({ body }: RemoteAnswer) {
  const reported = typeof body === 'object' && body !== null ? fieldsOf(body)['error'] : null
  if (typeof reported !== 'string' || !/^(invalid_|unauthorized_)/.test(reported)) return shopAway(60)
  return credentialsRefused([], reasonIn(body) ?? reported)
}

/** The shop is the one that was meant. */
async function checkAccess({ remote, ...shop }: EtsyShop): Promise<void> {
  const { status, body } = await remote.request({ method: 'GET', path: shopPath(shop) })
  if (status === 403 || status === 404)
    throw credentialsRefused([], reasonIn(body) ?? say('rejected_tokens', { platform: 'Etsy' }))
  if (status >= 300) throw shopAway(60)
  const name = textIn(fieldsOf(body), 'shop_name')
  if (![name.toLowerCase(), idIn(fieldsOf(body), 'shop_id')].includes(nameOf(shop))) {
    throw credentialsRefused([], say('tokens_of_shop', { name }))
  }
}

/** Etsy lists what a token is good for; how is not written down, so that only its own names count. */
async function checkRights({ remote, credentials: { access_token: token } }: EtsyShop): Promise<MissingRight[]> {
  const { status, body } = await remote.request({
    method: 'POST',
    path: '/v3/application/scopes',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }).toString(),
    repeatable: true,
  })
  const granted = new Set(status < 300 ? JSON.stringify(body ?? '').match(/\b[a-z]+_[rwd]\b/g) : [])
  if (granted.size === 0) return []
  return scopes.filter((scope) => !granted.has(scope)).map((name) => ({ name, where }))
}
