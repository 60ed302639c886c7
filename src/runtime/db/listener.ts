import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import { connectTo } from './address/connect-to.ts'
import { columnTypes } from './column-types.ts'
import { sessionSettings } from './connection.ts'

/**
 * The one connection of a process on which it receives notifications of other processes (LISTEN/NOTIFY). It comes back by itself;
 * what was said while it was away is lost, so whoever keeps something in memory clears it in `onDisconnect`.
 */
export interface Listener {
  on(channel: string, handler: (payload: string) => void): void
  readonly connected: boolean
  /** What is said does not arrive: a pooler stands in between, and hands it to whoever has our connection now. */
  readonly deaf: boolean
  /** Resolves with the first connection. Rejects if that is deaf: no setting of ours will mend it. */
  readonly begun: Promise<void>
  /** Called after every (re)connection, when it listens on all channels again. */
  onConnect(handler: () => void): void
  /** Called at once when the connection is gone or no longer answers. */
  onDisconnect(handler: () => void): void
  /** One after the other, on the listening connection; fails at once while there is none. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

const minPauseMs = 50
const maxPauseMs = 1000
const heartbeatMs = 5000

export interface ListenerOptions {
  url: string
  log: Log
  /** Says something on a channel by another connection than the listening one, for the listener to find out whether it hears. */
  say?: (channel: string, word: string) => Promise<unknown>
}

export function openListener({ url, log, say }: ListenerOptions): Listener {
  const handlers = new Map<string, ((payload: string) => void)[]>()
  const connectHandlers: (() => void)[] = []
  const disconnectHandlers: (() => void)[] = []
  const closing = new AbortController()
  /** Open, and not yet found to hear anything: what is listened for from now on has to reach it all the same. */
  let opened: Connection | undefined
  let current: Connection | undefined
  let deaf = false
  const begin = Promise.withResolvers<void>()
  // Whoever does not ask for it is not to end with it.
  begin.promise.catch(() => undefined)

  /** A handler that throws must harm neither the other handlers nor the connection. */
  const call = (handler: () => void) => {
    try {
      handler()
    } catch (error) {
      log.error({ err: error }, 'a listener failed')
    }
  }
  const notify = (channel: string, payload: string) => {
    for (const handler of handlers.get(channel) ?? []) call(() => handler(payload))
  }
  const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined)

  async function hearItself(connection: Connection): Promise<void> {
    // Twice: a machine that is very busy is slow, and not deaf.
    deaf = !(await connection.hears(say)) && !(await connection.hears(say))
    if (deaf) throw new Error(deafWords)
  }

  async function serve(): Promise<void> {
    const connection = await connect(url, notify)
    const signal = AbortSignal.any([connection.ended, closing.signal])
    opened = connection
    try {
      for (const channel of handlers.keys()) await connection.listen(channel)
      await hearItself(connection)
      current = connection
      begin.resolve()
      for (const handler of connectHandlers) call(handler)
      while (!signal.aborted) {
        await pause(heartbeatMs, signal)
        // A connection that was cut without a word looks fine until it is asked something.
        if (!signal.aborted) await hearItself(connection)
      }
    } finally {
      opened = undefined
      if (current) {
        current = undefined
        for (const handler of disconnectHandlers) call(handler)
      }
      await connection.close()
    }
  }

  async function keepServing(): Promise<void> {
    let pauseMs = minPauseMs
    while (!closing.signal.aborted) {
      const before = performance.now()
      await serve().catch((error: unknown) => {
        log.warn({ err: error }, 'no connection to listen on')
        if (deaf) begin.reject(error)
      })
      if (performance.now() - before > heartbeatMs) pauseMs = minPauseMs
      await pause(pauseMs, closing.signal)
      pauseMs = Math.min(pauseMs * 2, maxPauseMs)
    }
  }
  const serving = keepServing()

  return {
    on(channel, handler) {
      handlers.set(channel, [...(handlers.get(channel) ?? []), handler])
      opened?.listen(channel).catch(() => undefined)
    },
    get connected() {
      return current !== undefined
    },
    get deaf() {
      return deaf
    },
    begun: begin.promise,
    onConnect: (handler) => void connectHandlers.push(handler),
    onDisconnect: (handler) => void disconnectHandlers.push(handler),
    async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
      if (!current) throw new Error('Connection terminated')
      return await current.query<Row>(text, values)
    },
    async close() {
      closing.abort()
      await serving
    },
  }
}

const deafWords =
  'What processes say to each other through the database does not arrive: a pooler stands in between. Name the database itself in DATABASE_DIRECT_URL.'

interface Connection {
  ended: AbortSignal
  /** Whether what is said arrives. */
  hears(say: ListenerOptions['say']): Promise<boolean>
  listen(channel: string): Promise<unknown>
  query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

async function connect(url: string, notify: (channel: string, payload: string) => void): Promise<Connection> {
  const client = new pg.Client({
    ...connectTo(url),
    application_name: 'entrepot listener',
    connectionTimeoutMillis: 2000,
    keepAlive: true,
    keepAliveInitialDelayMillis: heartbeatMs,
    query_timeout: heartbeatMs,
    options: sessionSettings({}),
    types: columnTypes,
  })
  const ended = new AbortController()
  client.on('error', () => ended.abort())
  client.on('end', () => ended.abort())
  const ownChannel = `entrepot_${randomUUID().replaceAll('-', '')}`
  const hearing = new EventEmitter()
  client.on('notification', ({ channel, payload = '' }) => {
    if (channel === ownChannel) hearing.emit(payload)
    else notify(channel, payload)
  })
  await client.connect()

  let turn: Promise<unknown> = Promise.resolve()
  async function query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const result = turn.then(() => client.query<Row>(text, [...values]))
    turn = result.catch(() => undefined)
    return (await result).rows
  }
  await query(`listen ${ownChannel}`, [])
  return {
    ended: ended.signal,
    query,
    async hears(say = (channel, word) => query('select pg_notify($1, $2)', [channel, word])) {
      const word = randomUUID()
      const over = new AbortController()
      const stop = () => over.abort()
      const timer = setTimeout(stop, heartbeatMs)
      ended.signal.addEventListener('abort', stop)
      const heard = once(hearing, word, { signal: over.signal }).then(
        () => true,
        () => ended.signal.aborted,
      )
      try {
        // Nothing was said where nobody could say it.
        const isSaid = await say(ownChannel, word).then(
          () => true,
          () => false,
        )
        return !isSaid || (await heard)
      } finally {
        clearTimeout(timer)
        ended.signal.removeEventListener('abort', stop)
        stop()
      }
    },
    listen: (channel) => query(`listen ${pg.escapeIdentifier(channel)}`, []),
    // An orderly end needs an answer; a connection that gives none is left to the keep-alive.
    close: () => Promise.race([client.end().catch(() => undefined), sleep(1000, undefined, { ref: false })]),
  }
}
