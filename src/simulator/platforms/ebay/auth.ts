import { consentRoutes } from '../../auth/consent-routes.ts'
import { createGrants } from '../../auth/grants.ts'
import { tokenRoute } from '../../auth/token-route.ts'
import { createTokens } from '../../auth/tokens.ts'
import type { Call } from '../../http/route.ts'
import type { World } from '../../world.ts'
import { signingKeys } from './signatures.ts'

/** Eighteen months, whatever is done with it. */
const refreshSeconds = 47_304_000

/** Tokens of two hours, renewed with one that stays; apps have tokens of their own for what is nobody's. */
export function createAuth(world: World) {
  const { shop, variant } = world.settings
  const signing = { signing_jwe: signingKeys.jwe, signing_private_key: signingKeys.privateKey }
  const client = {
    client_id: `Harbour-${world.secretFor('client id', 8)}-PRD-1`,
    client_secret: `PRD-${world.secretFor('client secret', 32)}`,
    ru_name: `Harbour-${world.secretFor('ru name', 8)}`,
    ...signing,
  }
  const grants = createGrants(world, { prefixes: ['v^1.1#a-', 'v^1.1#r-'], rotates: false, refreshSeconds })
  const appTokens = createTokens(world, 'v^1.1#app-')
  const forApp = () => {
    const [name, seconds] = ['the app itself', 7200]
    return { name, scope: '', accessToken: appTokens.mint(name, seconds), refreshToken: '', seconds }
  }
  // What an app names is not the address but a name for it, which the portal for developers knows.
  const acceptUrl = variant['accept_url'] ?? 'https://entrepot.example/api/1.0/app_callback/ebay'
  const invalid = 'the provided authorization grant code is invalid'
  const routes = [
    tokenRoute(world, {
      ...{ path: '/identity/v1/oauth2/token', grants, client, shownBy: (call) => call.basic() },
      refusals: ['client authentication failed', invalid, invalid],
      kinds: { client_credentials: forApp },
      give: ({ accessToken, refreshToken, seconds }, { grant_type: kind }) => ({
        ...{ access_token: accessToken, expires_in: seconds },
        token_type: kind === 'client_credentials' ? 'Application Access Token' : 'User Access Token',
        ...(kind === 'authorization_code'
          ? { refresh_token: refreshToken, refresh_token_expires_in: refreshSeconds }
          : {}),
      }),
    }),
    ...consentRoutes({
      ...{ path: '/oauth2/authorize', shop, addressOf: (named) => (named === client.ru_name ? acceptUrl : '') },
      isKnown: ({ client_id }) => client_id === client.client_id,
      allowed: (_, redirect) => ({ code: grants.code({ redirect, challenge: null }), expires_in: '299' }),
    }),
  ]
  return {
    ...{ client, routes, grants },
    /** Only the older interface calls tokens by another name. */
    tokenIn(call: Call): string | null {
      const scheme = call.path.startsWith('/post-order/') ? 'IAF' : 'Bearer'
      const [named, given = null] = (call.header('authorization') ?? '').split(' ')
      return named === scheme ? given : null
    },
    isApp: (call: Call): boolean => appTokens.holder(call.bearer()) !== null,
    keep: (seconds?: number) => ({ ...grants.keep(seconds), ...signing }),
  }
}
