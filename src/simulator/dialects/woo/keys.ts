import type { Answer, Call, Deeds } from '../../http/call.ts'
import { secretFor } from '../../tokens.ts'
import { answer, type Credentials, type World } from '../../world.ts'

export interface Keys {
  issue(): Credentials
  /** Whose keys the call carries, by Basic authentication or in its query. */
  holder(call: Call): string | null
  /** Hands new keys over: the shop posts them to the app, then sends the browser back. */
  authorize(call: Call, deeds: Deeds): Promise<Answer>
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
      const [key, secret] = call.basic() ?? [call.query.get('consumer_key') ?? '', call.query.get('consumer_secret')]
      const known = pairs.get(key)
      return known && known.secret === secret ? known.name : null
    },
    async authorize({ query }, deeds) {
      const callback = URL.parse(query.get('callback_url') ?? '')
      const back = URL.parse(query.get('return_url') ?? '')
      const scope = query.get('scope') ?? ''
      if (!callback || !back || !['read', 'write', 'read_write'].includes(scope) || !query.get('app_name')) {
        return answer(401, '<html><body>Missing or invalid parameter.</body></html>')
      }
      const user = query.get('user_id') ?? ''
      const { id, key, secret } = pair()
      const keys = { key_id: id, user_id: user, consumer_key: key, consumer_secret: secret, key_permissions: scope }
      if (!(await handOver(callback, keys))) {
        pairs.delete(key)
        return answer(500, '<html><body>The keys could not be handed over.</body></html>')
      }
      deeds.as(`key-${id}`)
      deeds.effect('keys.hand_over', `key-${id}`)
      back.searchParams.set('success', '1')
      back.searchParams.set('user_id', user)
      return answer(302, undefined, { location: back.href })
    },
  }
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
