import { consentPage, decisionIn, noPage } from '../../auth/consent-routes.ts'
import { isLoopback } from '../../courier.ts'
import { oauth1Signature } from '../../http/oauth1.ts'
import { type Answer, answer, type Call, type Recorder } from '../../http/route.ts'
import { textOf } from '../../json.ts'
import type { Credentials } from '../../platform.ts'
import type { World } from '../../world.ts'
import { no } from './reply.ts'

export function createKeys({ settings, secretFor }: World) {
  const pairs = new Map<string, { secret: string; name: string }>()
  let made = 0
  const pair = () => {
    const key = `ck_${secretFor(`consumer key ${++made}`)}`
    const secret = `cs_${secretFor(`consumer secret ${made}`)}`
    pairs.set(key, { secret, name: `key-${made}` })
    return { id: made, key, secret }
  }

  /** Who calls, or what is wrong with how they say so. */
  function callerOf(call: Call): { name: string } | string | null {
    const signed = call.query.get('oauth_signature')
    if (signed !== null) {
      const known = pairs.get(call.query.get('oauth_consumer_key') ?? '')
      if (!known) return 'Consumer key is invalid.'
      const right = oauth1Signature(call, call.query, { consumerSecret: known.secret })
      return right === signed ? known : 'Invalid signature - provided signature does not match.'
    }
    // Without TLS the platform wants a signature: keys in the open are not looked at.
    if (!call.origin.startsWith('https:')) return null
    const [key, secret] = call.basic() ?? [call.query.get('consumer_key'), call.query.get('consumer_secret')]
    if (key === null) return null
    const known = pairs.get(key)
    if (!known) return 'Consumer key is invalid.'
    return known.secret === secret ? known : 'Consumer secret is invalid.'
  }

  return {
    issue(): Credentials {
      const { key, secret } = pair()
      return { consumer_key: key, consumer_secret: secret }
    },
    holder(call: Call): string | null {
      const caller = callerOf(call)
      return caller !== null && typeof caller === 'object' ? caller.name : null
    },
    denied(call: Call): Answer {
      const why = callerOf(call)
      return typeof why === 'string'
        ? no(401, 'woocommerce_rest_authentication_error', why)
        : no(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
    },
    /** The page that asks the merchant. */
    ask({ query }: Call): Answer {
      const trip = tripIn(Object.fromEntries(query))
      if (!trip) return noPage(401, 'Missing or invalid parameter.')
      const wishes = wishesFor[trip.scope] ?? []
      return consentPage({ shop: settings.shop, app: trip.app, wishes, fields: query })
    },
    /** Hands new keys over, if that is what was decided: the shop posts them to the app, then sends the browser back. */
    async decide(call: Call, record: Recorder): Promise<Answer> {
      const fields = call.fields()
      const trip = tripIn(fields)
      const decision = decisionIn(fields)
      if (!trip || decision === null) return noPage(401, 'Missing or invalid parameter.')
      const { callback, back, scope, user } = trip
      const goBack = (success: '0' | '1') => {
        back.searchParams.set('success', success)
        back.searchParams.set('user_id', user)
        return answer(302, undefined, { location: back.href })
      }
      if (decision === 'deny') return goBack('0')
      const { id, key, secret } = pair()
      const keys = { key_id: id, user_id: user, consumer_key: key, consumer_secret: secret, key_permissions: scope }
      if (!(await handOver(callback, keys))) {
        pairs.delete(key)
        return noPage(500, 'The keys could not be handed over.')
      }
      record.caller(`key-${id}`)
      record.effect('keys.hand_over', `key-${id}`)
      return goBack('1')
    },
  }
}

const [read, write] = ['see orders, products and customers', 'change orders and products']
const wishesFor: Readonly<Record<string, readonly string[] | undefined>> = {
  ...{ read: [read], write: [write], read_write: [read, write] },
}

/** What the app asks for, and where it waits; null if that makes no sense. */
function tripIn(fields: Readonly<Record<string, unknown>>) {
  const callback = URL.parse(textOf(fields['callback_url']) ?? '')
  const back = URL.parse(textOf(fields['return_url']) ?? '')
  const scope = textOf(fields['scope']) ?? ''
  const app = textOf(fields['app_name'])
  if (!callback || !back || !wishesFor[scope] || !app) return null
  return { callback, back, scope, app, user: textOf(fields['user_id']) ?? '' }
}

async function handOver(url: URL, keys: object): Promise<boolean> {
  if (!isLoopback(url.href)) return false
  try {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(keys), signal: AbortSignal.timeout(10_000) }
    const response = await fetch(url, { ...init, redirect: 'manual' })
    await response.body?.cancel()
    return response.status >= 200 && response.status < 300
  } catch {
    return false
  }
}
