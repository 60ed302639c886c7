import { createHmac, hash } from 'node:crypto'
import { inMicroseconds, second } from '../../clock.ts'
import type { Answer, Call, Deeds } from '../../http/call.ts'
import { textOf } from '../../json.ts'
import { createTokens, secretFor, type Tokens } from '../../tokens.ts'
import { answer, type Credentials, type World } from '../../world.ts'

/** A refresh token works once; the one that it is exchanged for takes its place. */
interface Refresh {
  name: string
  seconds: number
  used: boolean
  /** The access token that came with its successor. */
  successor: string | null
}

export interface OAuth {
  clientSecret: string
  tokens: Tokens
  issue(seconds?: number): Credentials
  authorize(call: Call): Answer
  exchange(call: Call, deeds: Deeds): Answer
  revoke(name: string): void
}

const scope = 'read_orders,write_orders,read_products,write_products,read_inventory,write_inventory'

export function createOAuth({ settings, clock, sky }: World): OAuth {
  const { seed } = settings
  const clientId = secretFor(seed, 'client id', 32)
  const clientSecret = `shpss_${secretFor(seed, 'client secret', 32)}`
  const tokens = createTokens(seed, 'shpat_', clock)
  const refreshes = new Map<string, Refresh>()
  const codes = new Set<string>()
  /** Which refresh token ends for good when an access token is used for the first time. */
  const endedByUse = new Map<string, Refresh>()
  let grants = 0
  let minted = 0

  function grant(name: string, seconds: number) {
    const { token, expiresAt } = tokens.mint(name, seconds)
    const refreshToken = `shprt_${secretFor(seed, `refresh ${++minted}`)}`
    refreshes.set(refreshToken, { name, seconds, used: false, successor: null })
    return { token, refreshToken, expiresAt }
  }
  const newName = () => `app-${++grants}`
  const told = ({ token, refreshToken, expiresAt }: ReturnType<typeof grant>): Answer =>
    answer(200, {
      access_token: token,
      scope,
      expires_in: Math.round((expiresAt - clock.now()) / second),
      refresh_token: refreshToken,
      refresh_token_expires_in: 90 * 86_400,
    })

  function refresh(given: string, deeds: Deeds): Answer {
    const known = refreshes.get(given)
    const graced = known?.used && sky.now().refresh_grace > 0 && known.successor !== null
    if (!known || (known.used && !graced))
      return answer(400, { error: 'invalid_grant', error_description: 'Refresh token is not valid' })
    deeds.as(known.name)
    if (known.successor) tokens.expire(known.successor)
    const next = grant(known.name, known.seconds)
    known.used = true
    known.successor = next.token
    endedByUse.set(next.token, known)
    deeds.effect('token.refresh', known.name, hash('sha256', given).slice(0, 32))
    return told(next)
  }

  return {
    clientSecret,
    tokens: {
      ...tokens,
      holder(token) {
        const name = tokens.holder(token)
        const ended = token === null ? undefined : endedByUse.get(token)
        if (name !== null && ended && token !== null) {
          ended.successor = null
          endedByUse.delete(token)
        }
        return name
      },
    },
    issue(seconds = settings.tokenSeconds) {
      const { token, refreshToken, expiresAt } = grant(newName(), seconds)
      return {
        client_id: clientId,
        client_secret: clientSecret,
        access_token: token,
        refresh_token: refreshToken,
        expires_at: inMicroseconds(expiresAt),
      }
    },
    authorize({ query }) {
      const redirect = URL.parse(query.get('redirect_uri') ?? '')
      if (query.get('client_id') !== clientId || !redirect || !/^https?:$/.test(redirect.protocol)) {
        return answer(400, '<html><body>This app can not be installed.</body></html>')
      }
      const code = secretFor(seed, `code ${++minted}`, 32)
      codes.add(code)
      const told: Record<string, string> = {
        code,
        host: Buffer.from(`${settings.shop}/admin`).toString('base64url'),
        shop: settings.shop,
        state: query.get('state') ?? '',
        timestamp: String(Math.floor(clock.now() / second)),
      }
      for (const [key, value] of Object.entries(told)) redirect.searchParams.set(key, value)
      redirect.searchParams.set('hmac', signQuery(told, clientSecret))
      return answer(302, undefined, { location: redirect.href })
    },
    exchange(call, deeds) {
      const fields = call.fields()
      if (fields['client_id'] !== clientId || fields['client_secret'] !== clientSecret) {
        return answer(401, { error: 'invalid_client', error_description: 'The client is not known' })
      }
      if (fields['grant_type'] === 'refresh_token') return refresh(textOf(fields['refresh_token']) ?? '', deeds)
      const code = textOf(fields['code']) ?? ''
      if (!codes.delete(code)) {
        return answer(400, {
          error: 'invalid_request',
          error_description: 'The code was not found or was already used',
        })
      }
      const name = newName()
      deeds.as(name)
      deeds.effect('token.exchange', name, hash('sha256', code).slice(0, 32))
      return told(grant(name, settings.tokenSeconds))
    },
    revoke(name) {
      tokens.revoke(name)
      for (const [token, known] of refreshes) if (known.name === name) refreshes.delete(token)
    },
  }
}

/** The query without its signature, sorted by name. */
export function signQuery(query: Readonly<Record<string, string>>, secret: string): string {
  const message = Object.entries(query)
    .filter(([name]) => name !== 'hmac' && name !== 'signature')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return createHmac('sha256', secret).update(message).digest('hex')
}
