import { consentRoutes } from '../../auth/consent-routes.ts'
import { createGrants } from '../../auth/grants.ts'
import { tokenRoute } from '../../auth/token-route.ts'
import type { Call, RouteRow } from '../../http/route.ts'
import { textOf } from '../../json.ts'
import type { World } from '../../world.ts'

const user = { id: 24654, username: 'merchant@mail.example', email: 'merchant@mail.example' }

/** Apps get a token by browser, API accounts of the store have theirs; neither ends by itself. */
export function createAuth(world: World, context: string) {
  const { shop } = world.settings
  const client = {
    client_id: world.secretFor('client id', 31),
    client_secret: world.secretFor('client secret', 64),
    account_uuid: '3f7c1d7e-5a3b-4a58-9d9c-0c6f3a1c7e11',
  }
  const { account_uuid } = client
  const grants = createGrants(world, { prefixes: ['', ''], rotates: false, refreshSeconds: 0 })
  const scopeIn = ({ scope }: { scope?: unknown }) => textOf(scope) ?? ''
  let given = ''
  const routes: readonly RouteRow[] = [
    tokenRoute(world, {
      ...{ path: '/oauth2/token', grants, client, fits: (text) => text('context') === context },
      refusals: ['The client credentials are invalid', 'The grant type is unavailable.', 'Invalid authorization code.'],
      // A store that lets the app in once more ends what it gave before.
      give: ({ accessToken }, fields) => {
        grants.expire(given)
        given = accessToken
        return { access_token: accessToken, scope: scopeIn(fields), user, owner: user, context, account_uuid }
      },
    }),
    ...consentRoutes({
      ...{ path: '/oauth2/authorize', shop },
      isKnown: ({ client_id, context: asked }) => client_id === client.client_id && asked === context,
      allowed: (fields, redirect) => ({
        ...{ code: grants.code({ redirect, challenge: null }), scope: scopeIn(fields), context, account_uuid },
      }),
    }),
  ]
  return {
    ...{ client, routes, expireAll: grants.expireAll },
    issue: () => ({ access_token: grants.open().accessToken }),
    holder: (call: Call) => grants.holder(call.header('x-auth-token')),
  }
}
