import { consentRoutes } from '../../consent-routes.ts'
import { createGrants } from '../../grants.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import type { RouteRow } from '../../http/route-table.ts'
import { textOf } from '../../json.ts'
import type { Credentials } from '../../platform.ts'
import { secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'

const year = 365 * 86_400

/** Login with Amazon: consent in Seller Central, tokens of an hour, and a refresh token that stays for the year. */
export function createAuth(world: World, seller: string) {
  const { settings, clock } = world
  const client = {
    client_id: `amzn1.application-oa2-client.${secretFor(settings.seed, 'client id', 32)}`,
    client_secret: `amzn1.oa2-cs.v1.${secretFor(settings.seed, 'client secret', 64)}`,
  }
  const application = `amzn1.sp.solution.${secretFor(settings.seed, 'application', 32)}`
  const grants = createGrants(world, { prefixes: ['Atza|', 'Atzr|'], rotates: false, refreshSeconds: year })

  function token(call: Call, record: Recorder): Answer {
    const fields = call.fields()
    const text = (name: string) => textOf(fields[name]) ?? ''
    const refuse = (status: number, error: string, error_description: string) =>
      answer(status, { error, error_description })
    if (text('client_id') !== client.client_id || text('client_secret') !== client.client_secret)
      return refuse(401, 'invalid_client', 'Client authentication failed')
    const trip = { redirect: text('redirect_uri'), verifier: '' }
    const granted = {
      authorization_code: () => grants.redeem(text('code'), trip, record),
      refresh_token: () => grants.refresh(text('refresh_token'), record),
    }[text('grant_type')]
    if (!granted) return refuse(400, 'unsupported_grant_type', 'The grant type is not supported')
    const given = granted()
    if (!given) return refuse(400, 'invalid_grant', 'The request has an invalid grant parameter')
    const { accessToken, refreshToken, seconds } = given
    return answer(
      200,
      { access_token: accessToken, refresh_token: refreshToken, token_type: 'bearer', expires_in: seconds },
      { date: new Date(clock.now() / 1000).toUTCString() },
    )
  }

  const routes: readonly RouteRow[] = [
    ['POST', '/auth/o2/token', 'tokens', token, { open: true, careful: true }],
    ...consentRoutes({
      path: '/apps/authorize/consent',
      shop: seller,
      objection: (fields) => (fields['application_id'] === application ? null : 'This app is not known here.'),
      wishes: () => ['Inventory and Order Tracking', 'Product Listing', 'Direct-to-Consumer Shipping'],
      allowed: (_, redirect) => ({
        spapi_oauth_code: grants.code({ redirect, challenge: null }),
        selling_partner_id: seller,
      }),
    }),
  ]
  const keep = (seconds?: number): Credentials => {
    const { accessToken, refreshToken } = grants.open(seconds)
    return { ...client, access_token: accessToken, refresh_token: refreshToken }
  }
  return {
    grants,
    routes,
    client: { application_id: application, ...client },
    keep,
    /** Of a private app, which its seller authorises without leaving Seller Central. */
    issue: (seconds?: number): Credentials => ({ ...client, refresh_token: grants.open(seconds).refreshToken }),
  }
}
