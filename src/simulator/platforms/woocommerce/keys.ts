import { consentPage, decisionIn, noPage } from '../../consent-page.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { oauth1Signature } from '../../http/oauth1.ts'
import { textOf } from '../../json.ts'
import type { Credentials } from '../../platform.ts'
import { secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'

export interface Keys {
  issue(): Credentials
  /** Whose keys the call carries: as they are, or as a signature. */
  holder(call: Call): string | null
  /** The page that asks the merchant. */
  ask(call: Call): Answer
  /** Hands new keys over, if that is what was decided: the shop posts them to the app, then sends the browser back. */
  decide(call: Call, record: Recorder): Promise<Answer>
}

export function createKeys({ settings }: World): Keys {
  const pairs = new Map<string, { secret: string; name: string }>()
  let made = 0
  const pair = () => {
    const key = `ck_${secretFor(settings.seed, `consumer key ${++made}`)}`
    const secret = `cs_${secretFor(settings.seed, `consumer secret ${made}`)}`
    pairs.set(key, { secret, name: `key-${made}` })
    return { id: made, key, secret }
  }

  return {
    issue: () => {
      const { key, secret } = pair()
      return { consumer_key: key, consumer_secret: secret }
    },
    holder(call) {
      const signed = call.query.get('oauth_signature')
      if (signed !== null) {
        const known = pairs.get(call.query.get('oauth_consumer_key') ?? '')
        const right = known && oauth1Signature(call, call.query, { consumerSecret: known.secret })
        return known && right === signed ? known.name : null
      }
      // Without TLS the platform wants a signature: keys in the open are not looked at.
      if (!call.origin.startsWith('https:')) return null
      const [key, secret] = call.basic() ?? [call.query.get('consumer_key') ?? '', call.query.get('consumer_secret')]
      const known = pairs.get(key)
      return known && known.secret === secret ? known.name : null
    },
    ask({ query, path }) {
      const trip = tripIn(Object.fromEntries(query))
      if (!trip) return noPage(401, 'Missing or invalid parameter.')
      const wishes = wishesFor[trip.scope] ?? []
      return consentPage({ shop: settings.shop, app: trip.app, wishes, path, fields: query })
    },
    async decide(call, record) {
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

const wishesFor: Readonly<Record<string, readonly string[] | undefined>> = {
  read: ['see orders, products and customers'],
  write: ['change orders and products'],
  read_write: ['see orders, products and customers', 'change orders and products'],
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
