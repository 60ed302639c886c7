import { second } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { oauth1Header, oauth1Signature } from '../../http/oauth1.ts'
import type { Credentials } from '../../platform.ts'
import { createTokens, secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { refusal } from './search.ts'

/** The ways in: an integration whose calls are signed, one whose token is let in as it is, or Adobe's own service. */
export interface Keys {
  issue(): Credentials
  keep(seconds?: number): Credentials
  wrong: Credentials
  holder(call: Call): string | null
  denied(call: Call): Answer
  expire(call: Call): boolean
  expireAll(): void
}

export function createIntegrations({ settings: { seed, variant } }: World): Keys {
  const integrations = new Map<string, { name: string; consumerSecret: string; tokenSecret: string; token: string }>()
  const bearer = variant['keys'] === 'bearer'
  const issue = (): Credentials => {
    const name = `integration-${integrations.size + 1}`
    const made = (part: string) => secretFor(seed, `${part} of ${name}`, 32)
    const [key, consumerSecret, token, tokenSecret] = [made('key'), made('secret'), made('token'), made('token secret')]
    integrations.set(key, { name, consumerSecret, token, tokenSecret })
    if (bearer) return { access_token: token }
    return { access_token: token, access_token_secret: tokenSecret, consumer_key: key, consumer_secret: consumerSecret }
  }
  function isSigned(call: Call, received: ReadonlyMap<string, string>): boolean {
    const known = integrations.get(received.get('oauth_consumer_key') ?? '')
    if (!known || known.token !== received.get('oauth_token')) return false
    const algorithm = received.get('oauth_signature_method') === 'HMAC-SHA1' ? 'sha1' : 'sha256'
    return oauth1Signature(call, [...call.query, ...received], known, algorithm) === received.get('oauth_signature')
  }
  return {
    issue,
    keep: issue,
    wrong: { ...issue(), access_token: 'another' },
    holder(call) {
      const received = oauth1Header(call)
      // A token by itself is not enough, unless the shop has switched that on.
      if (bearer) return [...integrations.values()].find(({ token }) => token === call.bearer())?.name ?? null
      return isSigned(call, received)
        ? (integrations.get(received.get('oauth_consumer_key') ?? '')?.name ?? null)
        : null
    },
    denied: (call) =>
      oauth1Header(call).size > 0
        ? refusal(401, 'The signature is invalid. Verify and try again.')
        : refusal(401, "The consumer isn't authorized to access %resources.", { resources: 'self' }),
    expire: () => false,
    expireAll: () => {},
  }
}

export const imsPath = '/ims/token/v3'

/** Adobe's identity service: a token a day for the keys of a project. */
export function createIms({ settings: { seed, tokenSeconds }, clock }: World) {
  const tokens = createTokens(seed, 'eyJ', clock)
  const ims = {
    ims_client_id: secretFor(seed, 'ims client', 32),
    ims_client_secret: `p8e-${secretFor(seed, 'ims secret', 32)}`,
    ims_org_id: `${secretFor(seed, 'ims organisation', 24).toUpperCase()}@AdobeOrg`,
  }
  const keys: Keys = {
    issue: () => ims,
    keep: (seconds = tokenSeconds) => ({ ...ims, access_token: tokens.mint('project', seconds).token }),
    wrong: { ...ims, access_token: 'another' },
    holder: (call) =>
      call.header('x-api-key') === ims.ims_client_id && call.header('x-gw-ims-org-id') === ims.ims_org_id
        ? tokens.holder(call.bearer())
        : null,
    denied: () => answer(401, { error_code: '401013', message: 'Oauth token is not valid' }),
    expire(call) {
      const token = call.bearer()
      if (token !== null) tokens.expire(token)
      return token !== null
    },
    expireAll: tokens.expireAll,
  }
  function grant(call: Call, record: Recorder): Answer {
    const { grant_type, client_id, client_secret, scope } = call.fields()
    if (grant_type !== 'client_credentials') return answer(400, { error: 'unsupported_grant_type' })
    if (client_id !== ims.ims_client_id || client_secret !== ims.ims_client_secret)
      return answer(401, { error: 'invalid_client', error_description: 'invalid client_id or client_secret' })
    if (!String(scope).includes('commerce.accs')) return answer(400, { error: 'invalid_scope' })
    record.caller('project')
    record.effect('token.exchange', 'project', String(clock.tick()))
    const { token } = tokens.mint('project', tokenSeconds)
    const body = { access_token: token, token_type: 'bearer', expires_in: tokenSeconds }
    return answer(200, body, { date: new Date(clock.now() / (second / 1000)).toUTCString() })
  }
  return { keys, grant }
}
