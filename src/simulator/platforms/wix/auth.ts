import { consentRoutes } from '../../auth/consent-routes.ts'
import { createGrants } from '../../auth/grants.ts'
import { tokenRoute } from '../../auth/token-route.ts'
import { createTokens } from '../../auth/tokens.ts'
import { second } from '../../clock.ts'
import { answer, type Call, type RouteRow } from '../../http/route.ts'
import { textOf } from '../../json.ts'
import type { World } from '../../world.ts'

/** What a code is exchanged for is good for five minutes, for asking where the app is. */
const codeSeconds = 300

interface Site {
  siteId: string
  instanceId: string
  publicKey: string
}

/** Apps name the site that has let them in, and get a token for it; keys of an account name the site with every call. */
export function createAuth(world: World, { siteId, instanceId, publicKey }: Site) {
  const { clock, settings } = world
  const client = {
    client_id: `${world.secretFor('app', 8)}-0000-4000-8000-${world.secretFor('app id', 12)}`,
    client_secret: world.secretFor('app secret', 36),
  }
  const keys = createTokens(world, 'IST.')
  const grants = createGrants(world, { prefixes: ['OauthNG.JWS.', 'JWS.'], rotates: false, refreshSeconds: 0 })
  const refusals = [
    'Wrong client_id or client_secret',
    'grant_type is not supported',
    'The grant is not valid',
  ] as const
  const held = (call: Call) => call.header('authorization')
  const about = {
    instance: { appName: 'Entrepot', appVersion: '1.0.0', isFree: true, instanceId, permissions: [] },
    site: { siteDisplayName: 'Harbour', locale: 'en', url: 'https://harbour.example', paymentCurrency: 'EUR' },
  }
  const routes: readonly RouteRow[] = [
    tokenRoute(world, {
      ...{ path: '/oauth/access', operation: 'oauth.access', grants, client, refusals },
      // A code alone is enough: nobody says once more where it was sent.
      secondsFor: () => codeSeconds,
      give: ({ accessToken, refreshToken }) => ({ access_token: accessToken, refresh_token: refreshToken }),
    }),
    tokenRoute(world, {
      ...{ path: '/oauth2/token', grants, client, refusals },
      kinds: {
        client_credentials: (text, record) => {
          if (text('instance_id') !== instanceId) return null
          const granted = grants.open()
          record.caller(granted.name)
          record.effect('token.refresh', granted.name, granted.accessToken)
          return granted
        },
      },
      give: ({ accessToken, seconds }) => ({ access_token: accessToken, token_type: 'Bearer', expires_in: seconds }),
    }),
    [
      ...(['POST', '/oauth2/token-info', 'oauth.info'] as const),
      (call) => {
        const active = grants.holder(textOf(call.fields()['token'])) !== null
        const iat = Math.floor(clock.now() / second)
        return answer(200, {
          ...(active
            ? {
                active,
                subjectType: 'APP',
                subjectId: client.client_id,
                clientId: client.client_id,
                siteId,
                instanceId,
                iat,
              }
            : { active }),
        })
      },
      { open: true, writes: false },
    ],
    ...consentRoutes({
      ...{ path: '/installer/install', shop: 'Harbour', redirectName: 'redirectUrl' },
      isKnown: ({ appId }) => appId === client.client_id,
      wishes: () => ['Manage orders', 'Read products', 'Manage inventory'],
      allowed: () => ({ code: grants.code({ redirect: '', challenge: null }), instanceId }),
    }),
    ['GET', '/apps/v1/instance', 'instance.get', () => answer(200, about)],
  ]
  return {
    ...{ routes, client: { ...client, public_key: publicKey }, expireAll: grants.expireAll },
    expire: (call: Call) => grants.expire(held(call) ?? ''),
    issue: () => ({ api_key: keys.key() }),
    keep: (seconds: number = settings.tokenSeconds) => ({
      ...{ access_token: grants.open(seconds).accessToken, instance_id: instanceId },
    }),
    /** Tokens stand for a site by themselves. */
    holder: (call: Call): string | null =>
      grants.holder(held(call)) ?? (call.header('wix-site-id') === siteId ? keys.holder(held(call)) : null),
  }
}
