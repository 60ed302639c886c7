import { type Exchanged, type Granted, oauth2, type Return } from '../../commerce/connector/auth.ts'
import { type Fields, fieldsOf, idIn, maybeText, textIn, timeOfUnix } from '../../commerce/reading.ts'
import {
  credentialsRefused,
  type Remote,
  type RemoteAnswer,
  type RemoteRequest,
  shopAway,
} from '../../commerce/remote.ts'
import { rightsRefused, type TriedRight } from '../../commerce/rules/rights.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { endOf, expiryOf } from '../../commerce/wire/expiry.ts'
import { say } from '../../commerce/words/say.ts'
import { reasonIn } from './ask.ts'
import { rightFor, where } from './read-answer.ts'
import {
  type Credentials,
  client,
  credentials,
  nameOf,
  type Settings,
  type SquareFacts,
  type SquareShop,
  signedWith,
  typedForm,
} from './settings.ts'

const login = '/api/1/login/oauth/provider'

export const auth = oauth2<Settings, typeof credentials>({
  credentials,
  client,
  remains: say('remains_squarespace'),
  pkce: false,
  scopes: ['website.orders', 'website.inventory', 'website.products'],
  typed: { form: typedForm, keep: ({ api_key: key }) => ({ api_key: String(key) }) },
  authorizeUrl({ client: { client_id: id }, state, callbackUrl, scopes }) {
    const query = {
      client_id: String(id),
      redirect_uri: callbackUrl,
      scope: scopes.join(','),
      state,
      // Else there is nothing to refresh the token with.
      access_type: 'offline',
    }
    return `https://login.squarespace.com${login}/authorize?${new URLSearchParams(query)}`
  },
  exchange,
  refresh: async ({ remote, credentials: { refresh_token: token } }, us) =>
    await grant(remote, us, { grant_type: 'refresh_token', refresh_token: token ?? '' }),
  refreshes: (_, { refresh_token: token }) => token !== undefined,
  refreshTokenDays: 7,
  checkAccess,
  checkRights: ({ remote }: SquareShop) => rightsRefused(remote, tried),
})

/** People choose the site on Squarespace's own page: whether it is the one that was meant is asked at once. */
async function exchange({ remote, client: us, ...trip }: Return<Settings>): Promise<Exchanged<Settings, Credentials>> {
  const granted = await grant(remote, us, {
    grant_type: 'authorization_code',
    code: trip.query['code'] ?? '',
    redirect_uri: trip.callbackUrl,
  })
  const site = siteIn(
    await remote.request({ ...website, headers: signedWith(granted.credentials), anonymous: true }),
    [],
  )
  assertSame(trip, site, [])
  return { ...granted, identity: idIn(site, 'id') }
}

const usualSeconds = 1800

/** Refresh tokens are good for one time: the next one comes along. */
async function grant(remote: Remote, us: AnyFields, body: Record<string, string>): Promise<Granted<Credentials>> {
  const { client_id: id, client_secret: secret } = us
  const answer = await remote.request({
    method: 'POST',
    origin: 'login',
    path: `${login}/tokens`,
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'user-agent': 'Entrepot',
    },
    body,
    anonymous: true,
  })
  if (answer.status === 400 || answer.status === 403)
    throw credentialsRefused([], reasonIn(answer.body) ?? say('rejected_authorization', { platform: 'Squarespace' }))
  if (answer.status >= 300) throw shopAway(60)
  const reported = fieldsOf(answer.body)
  return {
    credentials: {
      access_token: textIn(reported, 'access_token'),
      refresh_token: textIn(reported, 'refresh_token'),
    },
    expiresAt: endIn(reported) ?? expiryOf(answer, reported) ?? endOf(answer, usualSeconds),
  }
}

/** Unix time, as a number or in text. */
function endIn({ access_token_expires_at: at }: Fields): string | null {
  const seconds = Math.floor(Number(at ?? Number.NaN))
  return Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11 ? timeOfUnix(seconds) : null
}

const website: RemoteRequest = { method: 'GET', path: '/1.0/authorization/website' }

async function checkAccess({ remote, credentials: { api_key: key }, ...facts }: SquareShop): Promise<void> {
  const fields = key === undefined ? [] : ['api_key']
  assertSame(facts, siteIn(await remote.request(website), fields), fields)
}

function siteIn({ status, body }: RemoteAnswer, fields: readonly string[]): Fields {
  if (status < 300) return fieldsOf(body)
  if (status >= 400 && status < 500)
    throw credentialsRefused(fields, reasonIn(body) ?? say('rejected_key', { platform: 'Squarespace' }))
  throw shopAway(60)
}

/** The site is the one that was meant: by the name in its built-in address. */
function assertSame(facts: Pick<SquareFacts, 'shop'>, site: Fields, fields: readonly string[]): void {
  const host = URL.parse(maybeText(site, 'url') ?? '')?.host ?? ''
  const names = [maybeText(site, 'siteId')?.toLowerCase(), idIn(site, 'id'), nameOf({ shop: host })]
  if (names.includes(nameOf(facts))) return
  throw credentialsRefused(fields, say('other_site', { site: maybeText(site, 'siteId') ?? idIn(site, 'id') }))
}

const nobody = '000000000000000000000000'
const never = { modifiedAfter: '2000-01-01T00:00:00.000Z', modifiedBefore: '2000-01-02T00:00:00.000Z' }

/** No key says what it may do. Nothing changed before there was Squarespace, nobody has the order, and no stock is named. */
const tried: readonly TriedRight[] = [
  right({ method: 'GET', path: '/1.0/commerce/orders', query: never }),
  right({ method: 'POST', path: `/1.0/commerce/orders/${nobody}/fulfillments`, body: {} }),
  right({ method: 'GET', path: `/1.0/commerce/inventory/${nobody}` }),
  right({
    ...{ method: 'POST', path: '/1.0/commerce/inventory/adjustments', body: {} },
    headers: { 'idempotency-key': 'entrepot-rights' },
  }),
  right({ method: 'GET', path: '/v2/commerce/products', query: never }),
  right({ method: 'POST', path: `/v2/commerce/products/${nobody}/variants/${nobody}`, body: {} }),
]

function right(request: RemoteRequest): TriedRight {
  return { name: rightFor(request.method, request.path), where, request }
}
