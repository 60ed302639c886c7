import { PassThrough } from 'node:stream'
import { type Static, Type } from 'typebox'
import { findApp } from '../../../../domain/apps/app-store.ts'
import type { Context } from '../../../../domain/context.ts'
import type { Live, LiveEvent } from '../../../../domain/live.ts'
import type { Right } from '../../../../domain/rights.ts'
import { reaches, type UserCaller } from '../../../../domain/tenant.ts'
import { unavailable } from '../../../../lib/fault.ts'
import { answer, type RequestFacts } from '../../../../runtime/http/endpoint.ts'
import { bearer } from '../../../../runtime/http/guard.ts'
import { authorizationOf } from '../../../../runtime/http/session-cookie.ts'
import { endpoint } from '../../../define.ts'
import { groups } from '../../../groups.ts'
import { appInPath } from '../../in-path.ts'

const right = 'read-integration' satisfies Right

const liveSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String({ description: 'For `Last-Event-ID`' }),
      type: Type.Union([
        Type.Literal('run'),
        Type.Literal('order'),
        Type.Literal('orders', { description: 'Orders of a shop have changed, or something was done about them' }),
        Type.Literal('shop'),
        Type.Literal('gap', { description: 'More happened than is told: read the lists again' }),
      ]),
      data: Type.Unsafe<object>({
        type: 'object',
        description:
          'The run or order as the lists of the app show it, or the shop (`integration`), with its `status` where that changed',
      }),
    }),
  ),
})

/** Proxies close what is silent; whoever is gone without a word is noticed by it. */
const heartbeatMs = 15_000
/** Whoever reads so slowly is cut off, and takes the stream up again where it was. */
const maxUnread = 512 * 1024

const mayRead = (caller: UserCaller, wanted: Right, appId: number): boolean =>
  caller.rights.has(wanted) && reaches(caller.within?.(wanted) ?? caller, appId)

/** One event, in the form of server-sent events; our JSON has no line breaks. */
const written = ({ id, type, data }: LiveEvent): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`

interface Following {
  context: Context
  live: Live
  caller: UserCaller
  appId: number
  request: RequestFacts
}

const watcherOf = ({ caller, appId, request }: Omit<Following, 'context' | 'live'>) => ({
  userId: caller.userId,
  appId,
  readsOrders: mayRead(caller, 'read-order', appId),
  since: request.header('last-event-id') ?? null,
})

function streamOf(following: Following): PassThrough {
  const { context, live } = following
  const watcher = watcherOf(following)
  const out = new PassThrough()
  const write = (text: string) => {
    if (out.writableEnded || out.destroyed) return
    out.write(text)
    if (out.writableLength + out.readableLength > maxUnread) out.destroy()
  }
  const end = () => void out.end()
  // Before anything is read, so that nothing falls in between; what comes meanwhile waits behind what is there already.
  let waiting: LiveEvent[] | null = []
  const { stop } = live.follow(watcher, (event) => {
    if (waiting) waiting.push(event)
    else write(written(event))
  })
  live.latest(watcher).then(
    (events) => {
      // A browser that was cut off tries again after this time.
      write(`retry: 2000\n\n${events.map(written).join('')}`)
      for (const event of waiting ?? []) write(written(event))
      waiting = null
    },
    () => end(),
  )
  /** The session is over, or gives less than it did: whoever still may watch comes again. */
  const check = async () => {
    if (!(await stillMay(following, watcher.readsOrders))) end()
  }
  const heartbeat = setInterval(() => {
    write(': still here\n\n')
    check().catch(end)
  }, heartbeatMs)
  const restsOn = new Set(reasonsOf(following))
  const rights = live.onRightsChanged((whose) => {
    if (restsOn.has(whose)) check().catch(end)
  })
  context.stopping?.addEventListener('abort', end)
  out.once('close', () => {
    clearInterval(heartbeat)
    stop()
    rights.stop()
    context.stopping?.removeEventListener('abort', end)
  })
  return out
}

/** What is announced when it changes; the heartbeat asks after everything else. */
const reasonsOf = ({ caller: { userId, tokenId, clientId }, appId }: Following): string[] => [
  `user:${userId}`,
  `token:${tokenId}`,
  `client:${clientId}`,
  `app:${appId}`,
]

async function stillMay({ context, appId, request }: Following, readsOrders: boolean): Promise<boolean> {
  const token = bearer(authorizationOf(request.headers()))
  const caller = token === null ? null : await context.identify(token)
  if (caller?.kind !== 'user' || !mayRead(caller, right, appId)) return false
  if (mayRead(caller, 'read-order', appId) !== readsOrders) return false
  return await findApp(context.db, caller.within?.(right) ?? caller, appId).then(
    () => true,
    () => false,
  )
}

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/live',
  right,
  extension: true,
  summary: 'What is happening in an app',
  description:
    'Runs, orders that came in, shops in which something happened to orders, and shops whose status changed, over all integrations of the app, the latest last. With `Accept: text/event-stream` they are told as they happen, as server-sent events; `Last-Event-ID` takes a stream up again where it was cut. It ends with the session or token. Orders are told to those who may read orders.',
  find: appInPath,
  returns: answer(liveSchema),
  async handle({ context, caller, found, request }) {
    const { live } = context
    if (!live) throw unavailable()
    const following = { context, live, caller, appId: found.id, request }
    if (!(request.header('accept') ?? '').includes('text/event-stream')) {
      const body: Static<typeof liveSchema> = { data: await live.latest(watcherOf(following)) }
      return { status: 200, body }
    }
    return {
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      body: streamOf(following),
    }
  },
})

export const userAppLive = [get]
