import { consentRoutes } from '../../consent-routes.ts'
import { createGrants, type Granted } from '../../grants.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import type { RouteRow } from '../../http/route-table.ts'
import { textOf } from '../../json.ts'
import type { Credentials } from '../../platform.ts'
import { createTokens, secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { signingKeys } from './signatures.ts'

/** Eighteen months, whatever is done with it. */
const refreshSeconds = 47_304_000

/** Tokens of two hours, renewed with one that stays; apps have tokens of their own for what is nobody's. */
export function createAuth(world: World) {
  const { settings, clock } = world
  const { seed, shop, variant } = settings
  const client = {
    client_id: `Harbour-${secretFor(seed, 'client id', 8)}-PRD-1`,
    client_secret: `PRD-${secretFor(seed, 'client secret', 32)}`,
    ru_name: `Harbour-${secretFor(seed, 'ru name', 8)}`,
    ...{ signing_jwe: signingKeys.jwe, signing_private_key: signingKeys.privateKey },
  }
  const grants = createGrants(world, { prefixes: ['v^1.1#a-', 'v^1.1#r-'], rotates: false, refreshSeconds })
  const appTokens = createTokens(seed, 'v^1.1#app-', clock)

  function token(call: Call, record: Recorder): Answer {
    const fields = call.fields()
    const text = (name: string) => textOf(fields[name]) ?? ''
    const refuse = (status: number, error: string, error_description: string) =>
      answer(status, { error, error_description }, dated())
    const [id, secret] = call.basic() ?? []
    if (id !== client.client_id || secret !== client.client_secret)
      return refuse(401, 'invalid_client', 'client authentication failed')
    const give = ({ accessToken, seconds }: Pick<Granted, 'accessToken' | 'seconds'>, more: object) =>
      answer(200, { access_token: accessToken, expires_in: seconds, ...more }, dated())
    if (text('grant_type') === 'client_credentials') {
      const accessToken = appTokens.mint('the app itself', 7200).token
      return give({ accessToken, seconds: 7200 }, { token_type: 'Application Access Token' })
    }
    const user = { token_type: 'User Access Token' }
    if (text('grant_type') === 'authorization_code') {
      const granted = grants.redeem(text('code'), { redirect: text('redirect_uri'), verifier: '' }, record)
      if (!granted) return refuse(400, 'invalid_grant', 'the provided authorization grant code is invalid')
      const lasting = { refresh_token: granted.refreshToken, refresh_token_expires_in: refreshSeconds }
      return give(granted, { ...user, ...lasting })
    }
    const renewed = text('grant_type') === 'refresh_token' ? grants.refresh(text('refresh_token'), record) : null
    if (renewed) return give(renewed, user)
    return refuse(400, 'invalid_grant', 'the provided authorization refresh token is invalid')
  }

  const dated = () => ({ date: new Date(clock.now() / 1000).toUTCString() })
  // What an app names is not the address but a name for it, which the portal for developers knows.
  const acceptUrl = variant['accept_url'] ?? 'https://entrepot.example/api/1.0/app_callback/ebay'
  const routes: readonly RouteRow[] = [
    ['POST', '/identity/v1/oauth2/token', 'oauth.token', token, { open: true, careful: true }],
    ...consentRoutes({
      ...{ path: '/oauth2/authorize', shop, addressOf: (named) => (named === client.ru_name ? acceptUrl : '') },
      objection: ({ client_id }) => (client_id === client.client_id ? null : 'This app is not known here.'),
      wishes: ({ scope }) => (textOf(scope) ?? '').split(' '),
      allowed: (_, redirect) => ({ code: grants.code({ redirect, challenge: null }), expires_in: '299' }),
    }),
  ]
  return {
    ...{ client, routes, grants, dated },
    /** Only the older interface calls tokens by another name. */
    tokenIn: (call: Call): string | null => {
      const scheme = call.path.startsWith('/post-order/') ? 'IAF' : 'Bearer'
      const [named, given = null] = (call.header('authorization') ?? '').split(' ')
      return named === scheme ? given : null
    },
    isApp: (call: Call): boolean => appTokens.holder(call.bearer()) !== null,
    keep(seconds?: number): Credentials {
      const { accessToken, refreshToken } = grants.open(seconds)
      const { signing_jwe, signing_private_key } = client
      return { access_token: accessToken, refresh_token: refreshToken, signing_jwe, signing_private_key }
    },
  }
}
