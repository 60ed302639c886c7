import { consentRoutes } from '../../auth/consent-routes.ts'
import { createGrants } from '../../auth/grants.ts'
import { tokenRoute } from '../../auth/token-route.ts'
import type { World } from '../../world.ts'

const year = 365 * 86_400

/** Login with Amazon: consent in Seller Central, tokens of an hour, and a refresh token that stays for the year. */
export function createAuth(world: World, seller: string) {
  const made = (purpose: string, length: number) => world.secretFor(purpose, length)
  const client = {
    client_id: `amzn1.application-oa2-client.${made('client id', 32)}`,
    client_secret: `amzn1.oa2-cs.v1.${made('client secret', 64)}`,
  }
  const application = `amzn1.sp.solution.${made('application', 32)}`
  const grants = createGrants(world, { prefixes: ['Atza|', 'Atzr|'], rotates: false, refreshSeconds: year })
  const routes = [
    tokenRoute(world, {
      ...{ path: '/auth/o2/token', operation: 'tokens', grants, client },
      refusals: [
        'Client authentication failed',
        'The grant type is not supported',
        'The request has an invalid grant parameter',
      ],
    }),
    ...consentRoutes({
      ...{ path: '/apps/authorize/consent', shop: seller },
      isKnown: ({ application_id }) => application_id === application,
      wishes: () => ['Inventory and Order Tracking', 'Product Listing', 'Direct-to-Consumer Shipping'],
      allowed: (_, redirect) => ({
        spapi_oauth_code: grants.code({ redirect, challenge: null }),
        selling_partner_id: seller,
      }),
    }),
  ]
  return {
    ...{ grants, routes, client: { application_id: application, ...client } },
    keep: (seconds?: number) => ({ ...client, ...grants.keep(seconds) }),
    /** Of a private app, which its seller authorises without leaving Seller Central. */
    issue: (seconds?: number) => ({ ...client, refresh_token: grants.open(seconds).refreshToken }),
  }
}
