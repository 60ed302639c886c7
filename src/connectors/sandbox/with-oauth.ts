import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Static } from 'typebox'
import { connector } from '../../commerce/connector.ts'
import { type Granted, oauth2 } from '../../commerce/connector-auth.ts'
import { fieldsOf, isFields, textIn } from '../../commerce/reading.ts'
import { credentialsRefused, type Remote, refused, shopAway } from '../../commerce/remote.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { expiryOf } from '../../commerce/wire/expiry.ts'
import { object, optional, text } from '../../lib/fields.ts'
import { logo } from './logo.ts'
import { ofDialect, settings } from './of-dialect.ts'
import { shopify } from './shopify/index.ts'

const type = 'sandbox-oauth'

const credentials = object({
  access_token: text({ max: 2000 }),
  refresh_token: text({ max: 2000 }),
  expires_at: optional(text({ format: 'date-time' })),
})
type Tokens = Static<typeof credentials>

/**
 * A simulated shop that is entered through the browser: the merchant allows it on the shop's own page, comes back with a
 * signed code, and the tokens end and are renewed with refresh tokens that work once.
 */
export const sandboxOAuth = connector({
  type,
  name: 'Sandbox with OAuth',
  description: 'A simulator of the dialect shopify, connected through the browser as hosted shops are.',
  logo,
  settings,
  auth: oauth2<Static<typeof settings>, typeof credentials>({
    credentials,
    client: object({ client_id: text(), client_secret: text() }),
    pkce: true,
    scopes: ['read_orders', 'write_orders', 'read_products', 'write_products', 'read_inventory', 'write_inventory'],
    authorizeUrl: ({ settings: { base_url: base }, client, state, callbackUrl, scopes, codeChallenge }) => {
      const url = new URL('/admin/oauth/authorize', base)
      url.search = new URLSearchParams({
        client_id: String(client['client_id']),
        scope: scopes.join(','),
        redirect_uri: callbackUrl,
        state,
        code_challenge: codeChallenge ?? '',
        code_challenge_method: 'S256',
      }).toString()
      return url.href
    },
    verifyReturn: (query, client, { shop }) => query['shop'] === shop && isSigned(query, client['client_secret']),
    exchange: ({ remote, client, query, codeVerifier }) =>
      tokensFor(
        remote,
        client,
        { code: query['code'], code_verifier: codeVerifier },
        refused('The shop refused the code.'),
      ),
    refresh: ({ remote, credentials: { refresh_token } }, client) =>
      tokensFor(remote, client, { grant_type: 'refresh_token', refresh_token }, credentialsRefused(['refresh_token'])),
    takesPrevious: true,
    refreshTokenDays: 90,
    revoke: async ({ remote }) => {
      await remote.request({ method: 'DELETE', path: '/admin/api_permissions/current.json' })
    },
    prove: (shop) => shopify.prove(shop),
  }),
  ...ofDialect(shopify, { type, locations: true, prefixes: ['/admin/api'] }),
})

/** The platform's hand over everything it brings, its own mark aside. */
function isSigned(query: Readonly<Record<string, string>>, secret: unknown): boolean {
  const message = Object.entries(query)
    .filter(([name]) => name !== 'hmac')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  if (typeof secret !== 'string' || secret === '') return false
  const wanted = createHmac('sha256', secret).update(message).digest()
  const given = Buffer.from(query['hmac'] ?? '', 'hex')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** `gone` is what it means when the platform says no for good. */
async function tokensFor(remote: Remote, client: AnyFields, grant: AnyFields, gone: Error): Promise<Granted<Tokens>> {
  const { client_id, client_secret } = client
  const answer = await remote.request({
    method: 'POST',
    path: '/admin/oauth/access_token',
    body: { client_id, client_secret, ...grant },
  })
  const error = isFields(answer.body) ? String(answer.body['error']) : ''
  if (answer.status >= 400) throw /^invalid_(?:grant|client|request)$/.test(error) ? gone : shopAway(60)
  const body = fieldsOf(answer.body)
  const expiresAt = expiryOf(answer, body)
  const tokens = { access_token: textIn(body, 'access_token'), refresh_token: textIn(body, 'refresh_token') }
  return { credentials: expiresAt === null ? tokens : { ...tokens, expires_at: expiresAt }, expiresAt }
}
