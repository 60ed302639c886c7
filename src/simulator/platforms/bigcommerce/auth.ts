import { consentRoutes } from '../../consent-routes.ts'
import { createGrants } from '../../grants.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import type { RouteRow } from '../../http/route-table.ts'
import { textOf } from '../../json.ts'
import { secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'

/** Apps get a token by browser, API accounts of the store have theirs; neither ends by itself. */
export function createAuth(world: World, context: string) {
  const { seed, shop } = world.settings
  const client = {
    client_id: secretFor(seed, 'client id', 31),
    client_secret: secretFor(seed, 'client secret', 64),
    account_uuid: '3f7c1d7e-5a3b-4a58-9d9c-0c6f3a1c7e11',
  }
  const { account_uuid } = client
  const grants = createGrants(world, { prefixes: ['', ''], rotates: false, refreshSeconds: 0 })

  function token(call: Call, record: Recorder): Answer {
    const input = call.fields()
    const refuse = (status: number, error: string, error_description: string) =>
      answer(status, { error, error_description })
    if (input['client_id'] !== client.client_id || input['client_secret'] !== client.client_secret)
      return refuse(401, 'invalid_client', 'The client credentials are invalid')
    if (input['grant_type'] !== 'authorization_code')
      return refuse(400, 'unsupported_grant_type', 'The grant type is unavailable.')
    const trip = { redirect: textOf(input['redirect_uri']) ?? '', verifier: '' }
    const granted = input['context'] === context ? grants.redeem(textOf(input['code']) ?? '', trip, record) : null
    if (!granted) return refuse(400, 'invalid_grant', 'Invalid authorization code.')
    const user = { id: 24654, username: 'merchant@mail.example', email: 'merchant@mail.example' }
    const scope = textOf(input['scope']) ?? ''
    return answer(200, { access_token: granted.accessToken, scope, user, owner: user, context, account_uuid })
  }

  const routes: readonly RouteRow[] = [
    ['POST', '/oauth2/token', 'oauth.token', token, { open: true, careful: true }],
    ...consentRoutes({
      ...{ path: '/oauth2/authorize', shop, wishes: ({ scope }) => (textOf(scope) ?? '').split(' ') },
      objection: ({ client_id, context: asked }) =>
        client_id === client.client_id && asked === context ? null : 'This app is not known here.',
      allowed: ({ scope }, redirect) => ({
        ...{ code: grants.code({ redirect, challenge: null }), scope: textOf(scope) ?? '', context, account_uuid },
      }),
    }),
  ]
  return {
    ...{ client, routes },
    issue: () => ({ access_token: grants.open().accessToken }),
    holder: (call: Call) => grants.holder(call.header('x-auth-token')),
  }
}
