import { createHmac, hash } from 'node:crypto'
import { inMicroseconds, second } from '../../clock.ts'
import { consentPage, decisionIn, noPage } from '../../consent-page.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { textOf } from '../../json.ts'
import type { Credentials } from '../../platform.ts'
import { createTokens, secretFor, type Tokens } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'

/** A refresh token works once; the one that it is exchanged for takes its place. */
interface Refresh {
  name: string
  seconds: number
  used: boolean
  /** Unused for so long it ends by itself. */
  endsAt: number
  /** The access token that came with its successor. */
  successor: string | null
}

export interface OAuth {
  clientSecret: string
  tokens: Tokens
  issue(seconds?: number): Credentials
  /** The page that asks the merchant, and what becomes of the answer. */
  ask(call: Call): Answer
  decide(call: Call): Answer
  exchange(call: Call, record: Recorder): Answer
  revoke(name: string): void
}

const refreshLife = 90 * 86_400 * second

const scope = 'read_orders,write_orders,read_products,write_products,read_inventory,write_inventory'

export function createOAuth({ settings, clock, weather }: World): OAuth {
  const { seed } = settings
  const clientId = secretFor(seed, 'client id', 32)
  const clientSecret = `shpss_${secretFor(seed, 'client secret', 32)}`
  const tokens = createTokens(seed, 'shpat_', clock)
  const refreshes = new Map<string, Refresh>()
  /** The PKCE challenge that each was asked for with, if there was one. */
  const codes = new Map<string, string | null>()
  /** Which refresh token ends for good when an access token is used for the first time. */
  const endedByUse = new Map<string, Refresh>()
  let grants = 0
  let minted = 0

  function grant(name: string, seconds: number) {
    const { token, expiresAt } = tokens.mint(name, seconds)
    const refreshToken = `shprt_${secretFor(seed, `refresh ${++minted}`)}`
    refreshes.set(refreshToken, { name, seconds, used: false, endsAt: clock.now() + refreshLife, successor: null })
    return { token, refreshToken, expiresAt }
  }
  const newName = () => `app-${++grants}`
  const told = ({ token, refreshToken, expiresAt }: ReturnType<typeof grant>): Answer =>
    answer(200, {
      access_token: token,
      scope,
      expires_in: Math.round((expiresAt - clock.now()) / second),
      refresh_token: refreshToken,
      refresh_token_expires_in: refreshLife / second,
    })

  const newCode = (challenge: string | null) => {
    const code = secretFor(seed, `code ${++minted}`, 32)
    codes.set(code, challenge)
    return code
  }

  /** Where the merchant came from and goes back to; a sentence if that is nowhere. */
  function tripIn(fields: Readonly<Record<string, unknown>>) {
    const redirect = URL.parse(textOf(fields['redirect_uri']) ?? '')
    if (fields['client_id'] !== clientId) return 'This app is not known here.'
    if (!redirect || !/^https?:$/.test(redirect.protocol)) return 'The app does not say where you are to return to.'
    const challenge = textOf(fields['code_challenge'])
    if (challenge !== null && fields['code_challenge_method'] !== 'S256')
      return 'The app asks in a way that is not safe.'
    return { redirect, challenge, state: textOf(fields['state']) ?? '' }
  }

  function refresh(given: string, record: Recorder): Answer {
    const known = refreshes.get(given)
    const graced = known?.used && weather.now().refresh_grace > 0 && known.successor !== null
    if (!known || known.endsAt <= clock.now() || (known.used && !graced))
      return answer(400, { error: 'invalid_grant', error_description: 'Refresh token is not valid' })
    record.caller(known.name)
    if (known.successor) tokens.expire(known.successor)
    const next = grant(known.name, known.seconds)
    known.used = true
    known.successor = next.token
    endedByUse.set(next.token, known)
    record.effect('token.refresh', known.name, hash('sha256', given).slice(0, 32))
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
    ask({ query, path }) {
      const trip = tripIn(Object.fromEntries(query))
      if (typeof trip === 'string') return noPage(400, trip)
      const wishes = (query.get('scope') ?? '').split(/[\s,]+/).filter((word) => word !== '')
      return consentPage({
        shop: settings.shop,
        app: redirectName(trip.redirect),
        wishes: wishes.length > 0 ? wishes : scope.split(','),
        path,
        fields: query,
      })
    },
    decide(call) {
      const fields = call.fields()
      const trip = tripIn(fields)
      const decision = decisionIn(fields)
      if (typeof trip === 'string') return noPage(400, trip)
      if (decision === null) return noPage(400, 'Nothing was decided.')
      const outcome = decision === 'allow' ? { code: newCode(trip.challenge) } : denial
      const told: Record<string, string> = {
        ...outcome,
        host: Buffer.from(`${settings.shop}/admin`).toString('base64url'),
        shop: settings.shop,
        state: trip.state,
        timestamp: String(Math.floor(clock.now() / second)),
      }
      for (const [key, value] of Object.entries(told)) trip.redirect.searchParams.set(key, value)
      trip.redirect.searchParams.set('hmac', signQuery(told, clientSecret))
      return answer(302, undefined, { location: trip.redirect.href })
    },
    exchange(call, record) {
      const fields = call.fields()
      if (fields['client_id'] !== clientId || fields['client_secret'] !== clientSecret) {
        return answer(401, { error: 'invalid_client', error_description: 'The client is not known' })
      }
      if (fields['grant_type'] === 'refresh_token') return refresh(textOf(fields['refresh_token']) ?? '', record)
      const code = textOf(fields['code']) ?? ''
      const challenge = codes.get(code) ?? null
      const verified = challenge === null || challengeOf(textOf(fields['code_verifier']) ?? '') === challenge
      if (!codes.delete(code) || !verified) {
        return answer(400, {
          error: 'invalid_request',
          error_description: 'The code was not found or was already used',
        })
      }
      const name = newName()
      record.caller(name)
      record.effect('token.exchange', name, hash('sha256', code).slice(0, 32))
      return told(grant(name, settings.tokenSeconds))
    },
    revoke(name) {
      tokens.revoke(name)
      for (const [token, known] of refreshes) if (known.name === name) refreshes.delete(token)
    },
  }
}

const denial = { error: 'access_denied', error_description: 'The merchant did not let the app in.' }

const redirectName = ({ host }: URL) => `The app at ${host}`

const challengeOf = (verifier: string): string => hash('sha256', verifier, 'buffer').toString('base64url')

/** The query without its signature, sorted by name. */
function signQuery(query: Readonly<Record<string, string>>, secret: string): string {
  const message = Object.entries(query)
    .filter(([name]) => name !== 'hmac' && name !== 'signature')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return createHmac('sha256', secret).update(message).digest('hex')
}
