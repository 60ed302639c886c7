import { createHmac } from 'node:crypto'
import { consentRoutes } from '../../auth/consent-routes.ts'
import { createGrants, type Granted } from '../../auth/grants.ts'
import { second } from '../../clock.ts'
import type { Answer, Call, Recorder, RouteRow } from '../../http/route.ts'
import type { World } from '../../world.ts'
import { no, ok } from './reply.ts'

const scopes = ['order.info', 'product.basic', 'product.write', 'fulfillment.basic', 'logistics', 'return_refund.basic']
const year = 365 * 86_400

/** Tokens of a week, renewed with one that works once, until the year is over for which the seller has agreed. */
export function createAuth(world: World, region: string) {
  const { clock, settings, secretFor } = world
  const client = {
    app_key: secretFor('app key', 13),
    app_secret: secretFor('app secret', 40),
    service_id: `7${String(Number.parseInt(secretFor('service', 10), 16))
      .padStart(18, '0')
      .slice(-18)}`,
  }
  const grants = createGrants(world, { prefixes: ['ROW_a', 'ROW_r'], rotates: true, refreshSeconds: year })
  const unix = () => Math.floor(clock.now() / second)

  const give = ({ accessToken, refreshToken, seconds }: Granted): Answer => ({
    ...ok({
      ...{ access_token: accessToken, access_token_expire_in: unix() + Math.min(seconds, year) },
      ...{ refresh_token: refreshToken, refresh_token_expire_in: unix() + year },
      ...{ open_id: secretFor('open id', 32), seller_name: 'Harbour Goods', seller_base_region: region, user_type: 0 },
      granted_scopes: scopes.map((scope) => `seller.${scope}`),
    }),
    headers: { date: new Date().toUTCString() },
  })

  /** Who asks is told by the query, the secret of the app with it. */
  const tokens =
    (kind: string, grant: (call: Call, record: Recorder) => Granted | null, refusal: Answer): RouteRow[3] =>
    (call, record) => {
      const { query } = call
      if (query.get('app_key') !== client.app_key || query.get('app_secret') !== client.app_secret)
        return no(200, 36_004_003, 'app_key or app_secret is invalid')
      if (query.get('grant_type') !== kind) return no(200, 36_004_002, 'grant_type is invalid')
      const granted = grant(call, record)
      return granted ? give(granted) : refusal
    }
  const byCode = tokens(
    'authorized_code',
    ({ query }, record) => grants.redeem(query.get('auth_code') ?? '', { redirect: '', verifier: '' }, record),
    no(200, 36_004_004, 'auth_code is invalid or expired'),
  )
  const byToken = tokens(
    'refresh_token',
    ({ query }, record) => grants.refresh(query.get('refresh_token') ?? '', record),
    no(200, 36_004_005, 'refresh_token is invalid or expired'),
  )

  const { redirect_url: back = 'https://entrepot.example/api/1.0/app_callback/tiktok_shop' } = settings.variant
  const routes: readonly RouteRow[] = [
    ['GET', '/api/v2/token/get', 'tokens.get', byCode, { open: true, careful: true, writes: true }],
    ['GET', '/api/v2/token/refresh', 'tokens.refresh', byToken, { open: true, careful: true, writes: true }],
    ...consentRoutes({
      ...{ path: '/open/authorize', shop: 'Harbour Goods', wishes: () => scopes },
      // Where an app waits is known from the portal for developers alone.
      addressOf: () => back,
      isKnown: ({ service_id }) => service_id === client.service_id,
      allowed: () => ({
        ...{ app_key: client.app_key, code: grants.code({ redirect: '', challenge: null }) },
        ...{ locale: 'en', shop_region: region },
      }),
    }),
  ]
  const keep = (seconds?: number) => ({
    ...grants.keep(seconds),
    ...{ app_key: client.app_key, app_secret: client.app_secret },
  })
  return { client, grants, routes, keep, refusalOf: (call: Call) => refusalOf(call, client) }
}

const maxSkewSeconds = 300

/** The query in the order of its names, and the body, between two secrets. */
function refusalOf({ query, path, raw }: Call, client: { app_key: string; app_secret: string }): Answer | null {
  const { app_key: key, app_secret: secret } = client
  if (query.get('app_key') !== key) return no(401, 36_009_004, "Invalid credentials. The 'app_key' is invalid.")
  const skew = Math.abs(Date.now() / 1000 - Number(query.get('timestamp') ?? 0))
  if (!(skew <= maxSkewSeconds)) return no(401, 36_009_004, "Invalid credentials. The 'timestamp' is invalid.")
  const pairs = [...query].filter(([name]) => name !== 'sign' && name !== 'access_token')
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}${value}`)
  const base = `${secret}${path}${sorted.join('')}${raw.toString()}${secret}`
  const sign = createHmac('sha256', secret).update(base).digest('hex')
  return query.get('sign') === sign ? null : no(401, 106_001, "Invalid credentials. The 'sign' is invalid.")
}

export const tokenIn = (call: Call): string | null => call.header('x-tts-access-token')
