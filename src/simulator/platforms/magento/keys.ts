import { createTokens } from '../../auth/tokens.ts'
import { oauth1Header, oauth1Signature } from '../../http/oauth1.ts'
import { type Answer, answer, type Call, type Door, type Recorder, type RouteRow } from '../../http/route.ts'
import type { Platform } from '../../platform.ts'
import type { World } from '../../world.ts'
import { refusal } from './search.ts'

/** The ways in: an integration whose calls are signed, one whose token is let in as it is, or Adobe's own service. */
export interface Keys extends Pick<Door, 'holder' | 'denied'> {
  access: Pick<Platform, 'issue' | 'keep' | 'wrong' | 'expire' | 'expireAll'>
  routes: readonly RouteRow[]
}

export function createIntegrations({ settings: { variant }, secretFor }: World): Keys {
  const integrations = new Map<string, Record<'name' | 'consumerSecret' | 'token' | 'tokenSecret', string>>()
  const bearer = variant['keys'] === 'bearer'
  const issue = () => {
    const name = `integration-${integrations.size + 1}`
    const made = (part: string) => secretFor(`${part} of ${name}`, 32)
    const [key, consumerSecret, token, tokenSecret] = [made('key'), made('secret'), made('token'), made('token secret')]
    integrations.set(key, { name, consumerSecret, token, tokenSecret })
    const signing = { access_token_secret: tokenSecret, consumer_key: key, consumer_secret: consumerSecret }
    return { access_token: token, ...(bearer ? {} : signing) }
  }
  return {
    access: { issue, wrong: { ...issue(), access_token: 'another' } },
    holder(call) {
      // A token by itself is not enough, unless the shop has switched that on.
      if (bearer) return [...integrations.values()].find(({ token }) => token === call.bearer())?.name ?? null
      const received = oauth1Header(call)
      const known = integrations.get(received.get('oauth_consumer_key') ?? '')
      if (!known || known.token !== received.get('oauth_token')) return null
      const signature = oauth1Signature(call, [...call.query, ...received], known)
      return signature === received.get('oauth_signature') ? known.name : null
    },
    denied: (call) =>
      oauth1Header(call).size > 0
        ? refusal(401, 'The signature is invalid. Verify and try again.')
        : refusal(401, "The consumer isn't authorized to access %resources.", { resources: 'self' }),
    routes: [],
  }
}

export const imsPath = '/ims/token/v3'

/** Adobe's identity service: a token a day for the keys of a project. */
export function createIms(world: World): Keys {
  const { settings, clock, secretFor } = world
  const { tokenSeconds } = settings
  const tokens = createTokens(world, 'eyJ')
  const ims = {
    ims_client_id: secretFor('ims client', 32),
    ims_client_secret: `p8e-${secretFor('ims secret', 32)}`,
    ims_org_id: `${secretFor('ims organisation', 24).toUpperCase()}@AdobeOrg`,
  }
  const mint = (seconds = tokenSeconds) => tokens.mint('project', seconds)
  function grant(call: Call, record: Recorder): Answer {
    const { grant_type, client_id, client_secret, scope } = call.fields()
    if (grant_type !== 'client_credentials') return answer(400, { error: 'unsupported_grant_type' })
    if (client_id !== ims.ims_client_id || client_secret !== ims.ims_client_secret)
      return answer(401, { error: 'invalid_client', error_description: 'invalid client_id or client_secret' })
    if (!String(scope).includes('commerce.accs')) return answer(400, { error: 'invalid_scope' })
    record.caller('project')
    record.effect('token.exchange', 'project', String(clock.tick()))
    const date = new Date(clock.now() / 1000).toUTCString()
    return answer(200, { access_token: mint(), token_type: 'bearer', expires_in: tokenSeconds }, { date })
  }
  return {
    access: {
      issue: () => ims,
      keep: (seconds) => ({ ...ims, access_token: mint(seconds) }),
      wrong: { ...ims, access_token: 'another' },
      expire: (call) => tokens.expire(call.bearer() ?? ''),
      expireAll: tokens.expireAll,
    },
    holder(call) {
      const known = call.header('x-api-key') === ims.ims_client_id && call.header('x-gw-ims-org-id') === ims.ims_org_id
      return known ? tokens.holder(call.bearer()) : null
    },
    denied: () => answer(401, { error_code: '401013', message: 'Oauth token is not valid' }),
    routes: [['POST', imsPath, 'ims.token', grant, { open: true, careful: true }]],
  }
}
