import { createHmac } from 'node:crypto'
import { consentRoutes } from '../../auth/consent-routes.ts'
import { createGrants } from '../../auth/grants.ts'
import { tokenRoute } from '../../auth/token-route.ts'
import { second } from '../../clock.ts'
import type { RouteRow } from '../../http/route.ts'
import { textOf } from '../../json.ts'
import type { Credentials } from '../../platform.ts'
import type { World } from '../../world.ts'
import { shopIn } from './ids.ts'

export type OAuth = ReturnType<typeof createOAuth>

const refreshSeconds = 90 * 86_400

/** What a connector for orders, goods and stock has to ask for. */
const usual = `write_orders,read_all_orders,write_products,write_inventory,read_locations,write_customers,read_fulfillments,\
write_merchant_managed_fulfillment_orders,write_third_party_fulfillment_orders,write_publications,read_returns,read_payment_terms`

/** Consent, tokens of an hour for apps that want such, and tokens of the merchant's own apps, which do not end. */
export function createOAuth(world: World) {
  const { settings, clock } = world
  const { variant, tokenSeconds } = settings
  const client = {
    client_id: world.secretFor('client id', 32),
    client_secret: `shpss_${world.secretFor('client secret', 32)}`,
  }
  const grants = createGrants(world, { prefixes: ['shpat_', 'shprt_'], rotates: true, graced: true, refreshSeconds })
  const scopesIn = (scope: unknown) => (textOf(scope) ?? usual).split(/[\s,]+/)
  const ours = variant['scopes'] ?? usual

  const routes: readonly RouteRow[] = [
    tokenRoute(world, {
      ...{ path: '/admin/oauth/access_token', grants, client, codeError: 'invalid_request' },
      // The merchant's own app: a token for a day, by its secret alone.
      kinds: { client_credentials: () => grants.open(86_399, ours) },
      secondsFor: (text) => (text('expiring') === '1' ? tokenSeconds : Number.POSITIVE_INFINITY),
      refusals: ['The client is not known', 'The grant type is not known', 'The code or refresh token is not valid'],
      give: ({ accessToken, refreshToken, scope, seconds }, { grant_type: kind }) => ({
        ...{ access_token: accessToken, scope },
        ...(seconds === Number.POSITIVE_INFINITY ? {} : { expires_in: seconds }),
        ...(seconds === Number.POSITIVE_INFINITY || kind === 'client_credentials'
          ? {}
          : { refresh_token: refreshToken, refresh_token_expires_in: refreshSeconds }),
      }),
    }),
    ...consentRoutes({
      path: '/admin/oauth/authorize',
      shop: ({ origin }) => shopIn(settings, origin),
      isKnown: ({ client_id }) => client_id === client.client_id,
      wishes: ({ scope }) => scopesIn(scope),
      // Whoever brings the code need not say again where it was sent.
      allowed: ({ scope }) => ({
        code: grants.code({ redirect: '', challenge: null, scope: variant['scopes'] ?? scopesIn(scope).join(',') }),
      }),
      sealed(outcome, { origin }) {
        const shop = shopIn(settings, origin)
        const host = Buffer.from(`${shop}/admin`).toString('base64url')
        const back = { state: '', ...outcome, host, shop, timestamp: String(Math.floor(clock.now() / second)) }
        return { ...back, hmac: signed(back, client.client_secret) }
      },
    }),
  ]
  return {
    ...{ client, routes, expire: grants.expire, expireAll: grants.expireAll, revoke: grants.revoke },
    /** Who the token stands for, and what they may. */
    holder(token: string | null) {
      const name = grants.holder(token)
      return name === null ? null : { name, scopes: new Set(grants.scopeOf(name).split(',')) }
    },
    keep: (seconds = tokenSeconds): Credentials => grants.keep(seconds, ours),
    /** A token of an app of the merchant's own, which does not end by itself. */
    typed: (seconds = Number.POSITIVE_INFINITY): Credentials => ({
      access_token: grants.open(seconds, ours).accessToken,
    }),
  }
}

/** The query without its signature, sorted by name. */
function signed(query: Readonly<Record<string, string>>, secret: string): string {
  const message = Object.entries(query)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return createHmac('sha256', secret).update(message).digest('hex')
}
