import type { TObject } from 'typebox'
import { type Exchanged, type Granted, type OAuth2, oauth2, type Return } from '../../../commerce/connector/auth.ts'
import { type Auth, type OAuth, typedNames } from '../../../commerce/definition/auth.ts'
import { type Fields, isFields, maybeText } from '../../../commerce/reading.ts'
import { type Remote, type RemoteRequest, refused } from '../../../commerce/remote.ts'
import type { AnyFields, Shop, ShopFacts } from '../../../commerce/shop.ts'
import { endOf } from '../../../commerce/wire/expiry.ts'
import { say } from '../../../commerce/words/say.ts'
import { labelled, object, text } from '../../../lib/validation/fields.ts'
import { askForToken, whereIn } from './ask-for-token.ts'

/** RFC 6749, 4.4: client id and secret of the merchant, for a token. */
export async function grantToClient(auth: Auth, oauth: OAuth, shop: Shop): Promise<Granted<AnyFields>> {
  const { credentials, remote } = shop
  const form = { grant_type: 'client_credentials', ...scopeOf(oauth), ...parametersOf(oauth) }
  const given = await granted(remote, oauth, { form, client: credentials, names: typedNames(auth) })
  const { refresh_token: _, ...token } = given.credentials
  return { ...given, credentials: { ...credentials, ...token } }
}

interface ByBrowser {
  oauth: OAuth
  credentials: TObject
  /** Where a path of the description leads, in the shop that somebody sets out for. */
  originOf(facts: ShopFacts): string
  checks: Pick<OAuth2<AnyFields, AnyFields, TObject>, 'checkAccess' | 'checkRights' | 'remains'>
}

/** RFC 6749, 4.1: the merchant agrees on pages of the service, which knows us by the client of the service's record. */
export const byBrowser = ({ oauth, credentials, originOf, checks }: ByBrowser) =>
  oauth2<AnyFields>({
    ...checks,
    credentials,
    client: labelled(
      { client_id: 'Client ID', client_secret: 'Client secret' },
      object({ client_id: text({ max: 2000 }), client_secret: text({ max: 2000 }) }),
    ),
    pkce: oauth.pkce !== false,
    scopes: oauth.scopes ?? [],
    authorizeUrl({ client, state, callbackUrl, scopes, codeChallenge, ...facts }) {
      const { authorize_address: address = '/' } = oauth
      const query = new URLSearchParams({
        ...parametersOf(oauth),
        response_type: 'code',
        client_id: String(client['client_id']),
        redirect_uri: callbackUrl,
        state,
        ...(scopes.length > 0 && { scope: scopes.join(' ') }),
        ...(codeChallenge !== null && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
      })
      return `${address.startsWith('/') ? originOf(facts) : ''}${address}?${query}`
    },
    exchange: (trip) => exchange(oauth, trip),
    refreshes: (_, { refresh_token: token }: AnyFields) => typeof token === 'string',
    async refresh({ remote, credentials: kept }, client) {
      const form = { grant_type: 'refresh_token', refresh_token: String(Object(kept)['refresh_token']) }
      const given = await granted(remote, oauth, { form, client, names: [] })
      // Some give the next one along, others let the first one live on.
      return { ...given, credentials: { ...Object(kept), ...given.credentials } }
    },
  })

async function exchange(
  oauth: OAuth,
  { remote, client, query, callbackUrl, codeVerifier }: Return<AnyFields>,
): Promise<Exchanged<AnyFields, AnyFields>> {
  const form = {
    grant_type: 'authorization_code',
    code: query['code'] ?? '',
    redirect_uri: callbackUrl,
    ...(codeVerifier !== null && { code_verifier: codeVerifier }),
  }
  return await granted(remote, oauth, { form, client, names: [] })
}

const scopeOf = ({ scopes = [] }: OAuth) => (scopes.length === 0 ? {} : { scope: scopes.join(' ') })

const parametersOf = ({ parameters = [] }: OAuth): Record<string, string> =>
  Object.fromEntries(parameters.map(({ name, value }) => [name, value]))

interface Asking {
  form: Record<string, string>
  client: AnyFields
  /** What somebody should look at where it is refused. */
  names: readonly string[]
}

async function granted(remote: Remote, oauth: OAuth, { form, client, names }: Asking) {
  const [id, secret] = [String(client['client_id'] ?? ''), String(client['client_secret'] ?? '')]
  const inBasic = oauth.client_in === 'basic'
  const request: RemoteRequest = {
    method: 'POST',
    ...whereIn(oauth.token_address),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(inBasic && { authorization: `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64')}` }),
    },
    body: new URLSearchParams({ ...form, ...(!inBasic && { client_id: id, client_secret: secret }) }).toString(),
  }
  const answer = await askForToken(remote, request, names)
  const reported: Fields = isFields(answer.body) ? answer.body : {}
  const token = tokenIn(reported, 'access_token')
  if (token === null) throw refused(say('no_access_token'))
  const next = tokenIn(reported, 'refresh_token')
  return {
    credentials: { access_token: token, ...(next !== null && { refresh_token: next }) },
    expiresAt: endOf(answer, Number(reported['expires_in'] ?? Number.NaN)),
  }
}

function tokenIn(reported: Fields, name: string): string | null {
  try {
    return maybeText(reported, name)
  } catch {
    return null
  }
}

/** RFC 6749, 2.3.1: written as in a form before they are joined. */
const encoded = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2)
