import { hash } from 'node:crypto'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Listener } from '../../../runtime/db/listener.ts'
import { identityChannel, onAnnounce } from '../../announce-store.ts'
import type { Caller } from '../../tenant.ts'
import { verifyAccessToken } from '../access-token.ts'
import { isAgentToken } from '../agents/agent-token-store.ts'
import { readAgentCaller } from '../agents/read-agent.ts'
import { isSessionToken, readSessionCaller } from '../sign-in/console-session.ts'
import { createCallerCache } from './caller-cache.ts'
import { readLiveToken } from './caller-store.ts'

/** How the server hands on which app a user with a token speaks for: no token of ours has this character in it. */
const appMark = '~'

export interface Identifier {
  /** Who sends this token. At once if it was seen before; null for anything that is not a valid token of ours. */
  identify(token: string): Caller | null | Promise<Caller | null>
  /** Callers in memory. */
  readonly size: number
}

/**
 * A token costs a signature and a query the first time, and a hash from then on. What was remembered is forgotten as
 * soon as anything it rests on is announced as changed; while announcements cannot reach us nothing is remembered. Who
 * makes a change here is answered by it from then on: that is not left to an announcement that is still on its way.
 */
export function createIdentifier(options: {
  db: Db
  publicUrl: string
  listener: Pick<Listener, 'on' | 'onConnect' | 'onDisconnect' | 'query' | 'connected'>
  max?: number
  /** A clock that only goes forward, in milliseconds. */
  now?: () => number
}): Identifier {
  const { db, publicUrl, listener, max = 50_000, now = () => performance.now() } = options
  const cache = createCallerCache({ max, now })
  let hearing = false
  const hear = (now: boolean) => {
    hearing = now
    cache.clear()
  }
  listener.on(identityChannel, (payload) => cache.forget(payload))
  onAnnounce(db, (whose) => cache.forget(whose))
  listener.onConnect(() => hear(true))
  listener.onDisconnect(() => hear(false))
  // On a connection that was there before us this is answered once our channel is heard.
  if (listener.connected)
    listener.query('select 1').then(
      () => hear(listener.connected),
      () => undefined,
    )

  const underWay = new Map<string, { generation: number; caller: Promise<Caller | null> }>()

  /** A crowd with one token, as after a start, asks the database once; unless something was forgotten meanwhile. */
  function join(token: string, key: string): Promise<Caller | null> {
    const { generation } = cache
    const other = underWay.get(key)
    if (hearing && other?.generation === generation) return other.caller
    const mine = { generation, caller: lookUp(token, key, generation) }
    underWay.set(key, mine)
    const done = () => {
      if (underWay.get(key) === mine) underWay.delete(key)
    }
    mine.caller.then(done, done)
    return mine.caller
  }

  async function lookUp(token: string, key: string, generation: number): Promise<Caller | null> {
    const live = await readCaller(token)
    if (live === null) return null
    if (hearing) cache.put(key, live.caller, { lifetimeMs: live.secondsLeft * 1000, generation })
    return live.caller
  }

  async function readCaller(token: string) {
    if (isSessionToken(token)) return await readSessionCaller(db, token)
    return isAgentToken(token) ? await readAgentCaller(db, token) : await readToken(token)
  }

  async function readToken(token: string) {
    const [signed = '', app] = token.split(appMark)
    const jti = await verifyAccessToken({ db, publicUrl }, signed)
    return jti === null ? null : await readLiveToken(db, jti, app)
  }

  return {
    identify(token) {
      const key = hash('sha256', token, 'base64')
      return (hearing ? cache.get(key) : undefined) ?? join(token, key)
    },
    get size() {
      return cache.size
    },
  }
}
