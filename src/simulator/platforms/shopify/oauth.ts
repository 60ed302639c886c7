import { createHmac, hash } from 'node:crypto'
import { type Moment, second } from '../../clock.ts'
import { consentPage, decisionIn, noPage } from '../../consent-page.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { type Fields, textOf } from '../../json.ts'
import type { Credentials } from '../../platform.ts'
import { createTokens, secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { shopIn } from './ids.ts'

interface Holder {
  name: string
  scopes: ReadonlySet<string>
}

/** A refresh token that was used works on until what came of it is used. */
interface Refresh extends Holder {
  seconds: number
  /** Unused for so long it ends by itself. */
  endsAt: Moment
  /** The tokens that it was exchanged for. */
  next: { access: string; refresh: string } | null
}

export interface OAuth {
  client: Credentials
  /** Who the token stands for. */
  holder(token: string | null): Holder | null
  expire(token: string): void
  expireAll(): void
  keep(seconds?: number): Credentials
  /** A token of an app of the merchant's own, which does not end by itself. */
  typed(seconds?: number): Credentials
  ask(call: Call): Answer
  decide(call: Call): Answer
  exchange(call: Call, record: Recorder): Answer
  revoke(name: string): void
}

const refreshLife = 90 * 86_400 * second
const forever = 100 * 365 * 86_400

/** What a connector for orders, goods and stock has to ask for. */
const usual = `write_orders,read_all_orders,write_products,write_inventory,read_locations,read_customers,read_fulfillments,\
write_merchant_managed_fulfillment_orders`

export function createOAuth({ settings, clock }: World): OAuth {
  const { seed, variant } = settings
  const client = {
    client_id: secretFor(seed, 'client id', 32),
    client_secret: `shpss_${secretFor(seed, 'client secret', 32)}`,
  }
  const granted = new Set((variant['scopes'] ?? usual).split(','))
  const tokens = createTokens(seed, 'shpat_', clock)
  const holders = new Map<string, Holder>()
  const refreshes = new Map<string, Refresh>()
  /** By a token, the refresh token that it was given for. */
  const before = new Map<string, string>()
  const codes = new Map<string, ReadonlySet<string>>()
  let minted = 0

  const newHolder = (scopes: ReadonlySet<string>): Holder => {
    const made = { name: `app-${holders.size + 1}`, scopes }
    holders.set(made.name, made)
    return made
  }

  function grant(holder: Holder, seconds: number) {
    const { token: access, expiresAt } = tokens.mint(holder.name, seconds)
    const refresh = `shprt_${secretFor(seed, `refresh ${++minted}`)}`
    refreshes.set(refresh, { ...holder, seconds, endsAt: clock.now() + refreshLife, next: null })
    return { access, refresh, expiresAt }
  }
  const tokenAnswer = ({ scopes }: Holder, { access, refresh, expiresAt }: ReturnType<typeof grant>): Answer =>
    answer(200, {
      ...{ access_token: access, scope: [...scopes].join(',') },
      expires_in: Math.round((expiresAt - clock.now()) / second),
      ...{ refresh_token: refresh, refresh_token_expires_in: refreshLife / second },
    })

  /** Whoever uses a token has received it: the refresh token before it is over. */
  function settle(used: string): void {
    refreshes.delete(before.get(used) ?? '')
    before.delete(used)
  }

  function refresh(given: string, record: Recorder): Answer {
    const known = refreshes.get(given)
    if (!known || known.endsAt <= clock.now())
      return answer(400, { error: 'invalid_grant', error_description: 'Refresh token is not valid' })
    record.caller(known.name)
    settle(given)
    if (known.next) {
      tokens.expire(known.next.access)
      refreshes.delete(known.next.refresh)
    }
    const next = grant(known, known.seconds)
    known.next = next
    before.set(next.access, given).set(next.refresh, given)
    record.effect('token.refresh', known.name, hash('sha256', given).slice(0, 32))
    return tokenAnswer(known, next)
  }

  /** Where the merchant came from and goes back to; a sentence if that is nowhere. */
  function tripIn(fields: Fields) {
    const redirect = URL.parse(textOf(fields['redirect_uri']) ?? '')
    if (fields['client_id'] !== client.client_id) return 'This app is not known here.'
    if (!redirect || !/^https?:$/.test(redirect.protocol)) return 'The app does not say where you are to return to.'
    const scopes = new Set((textOf(fields['scope']) ?? usual).split(/[\s,]+/))
    return { redirect, scopes, state: textOf(fields['state']) ?? '' }
  }

  return {
    client,
    holder(token) {
      const name = tokens.holder(token)
      if (name !== null && token !== null) settle(token)
      return name === null ? null : (holders.get(name) ?? null)
    },
    expire: tokens.expire,
    expireAll: tokens.expireAll,
    keep(seconds = settings.tokenSeconds) {
      const made = grant(newHolder(granted), seconds)
      return { access_token: made.access, refresh_token: made.refresh }
    },
    typed: (seconds = forever) => ({ access_token: tokens.mint(newHolder(granted).name, seconds).token }),
    ask({ query, origin }) {
      const trip = tripIn(Object.fromEntries(query))
      if (typeof trip === 'string') return noPage(400, trip)
      const app = `The app at ${trip.redirect.host}`
      return consentPage({ shop: shopIn(settings, origin), app, wishes: [...trip.scopes], fields: query })
    },
    decide(call) {
      const fields = call.fields()
      const trip = tripIn(fields)
      const decision = decisionIn(fields)
      if (typeof trip === 'string') return noPage(400, trip)
      if (decision === null) return noPage(400, 'Nothing was decided.')
      const code = secretFor(seed, `code ${++minted}`, 32)
      if (decision === 'allow') codes.set(code, variant['scopes'] === undefined ? trip.scopes : granted)
      const back: Readonly<Record<string, string>> = {
        ...(decision === 'allow' ? { code } : denial),
        host: Buffer.from(`${shopIn(settings, call.origin)}/admin`).toString('base64url'),
        ...{
          shop: shopIn(settings, call.origin),
          state: trip.state,
          timestamp: String(Math.floor(clock.now() / second)),
        },
      }
      for (const [name, value] of Object.entries(back)) trip.redirect.searchParams.set(name, value)
      trip.redirect.searchParams.set('hmac', signed(back, client.client_secret))
      return answer(302, undefined, { location: trip.redirect.href })
    },
    exchange(call, record) {
      const fields = call.fields()
      if (fields['client_id'] !== client.client_id || fields['client_secret'] !== client.client_secret)
        return answer(401, { error: 'invalid_client', error_description: 'The client is not known' })
      if (fields['grant_type'] === 'refresh_token') return refresh(textOf(fields['refresh_token']) ?? '', record)
      const code = textOf(fields['code']) ?? ''
      const scopes = codes.get(code)
      codes.delete(code)
      if (!scopes) {
        const error_description = 'The authorization code was not found or was already used'
        return answer(400, { error: 'invalid_request', error_description })
      }
      const holder = newHolder(scopes)
      record.caller(holder.name)
      record.effect('token.exchange', holder.name, hash('sha256', code).slice(0, 32))
      if (String(fields['expiring']) === '1') return tokenAnswer(holder, grant(holder, settings.tokenSeconds))
      const { token } = tokens.mint(holder.name, forever)
      return answer(200, { access_token: token, scope: [...scopes].join(',') })
    },
    revoke(name) {
      tokens.revoke(name)
      for (const [token, known] of refreshes) if (known.name === name) refreshes.delete(token)
    },
  }
}

const denial = { error: 'access_denied', error_description: 'The merchant did not let the app in.' }

/** The query without its signature, sorted by name. */
function signed(query: Readonly<Record<string, string>>, secret: string): string {
  const message = Object.entries(query)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return createHmac('sha256', secret).update(message).digest('hex')
}
