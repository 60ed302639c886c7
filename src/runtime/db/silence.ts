import type { Socket } from 'node:net'
import pg from 'pg'
import { connectTo } from './address/connect-to.ts'

export interface SilenceWatch {
  /** A connection that has just been made. */
  add(client: pg.ClientBase): void
  close(): void
}

export interface SilenceOptions {
  url: string
  limitMs: number
  /** After so long without a byte the server is asked, over a new connection, whether it is working at all; 5 s by default. */
  doubtMs?: number
}

const defaultDoubtMs = 5000
const lookEveryMs = 500

/**
 * Gives up connections on which a server owes an answer and says nothing at all: at `limitMs`, when its own
 * statement_timeout would have spoken, and long before where the server says that it is not working on any. So one that
 * a network has lost without a word is found within seconds, and a statement that takes its time is left in peace. One
 * look at all connections twice a second does for every query, where the driver's `query_timeout` sets a timer for each
 * and thereby keeps its rows in memory past many collections (30 times longer pauses, measured).
 */
export function watchForSilence({ url, limitMs, doubtMs = defaultDoubtMs }: SilenceOptions): SilenceWatch {
  const clients = new Map<Watched, Activity>()
  let asking = false
  const everyMs = Math.min(lookEveryMs, limitMs / 2)
  let lookedAt = performance.now()

  const look = () => {
    const now = performance.now()
    // While the process stood still an answer may have come, which is read after this.
    const missedMs = Math.max(0, now - lookedAt - 2 * everyMs)
    lookedAt = now
    if (missedMs > 0) for (const activity of clients.values()) activity.owesSince += missedMs
    const doubted: Watched[] = []
    for (const [client, activity] of clients) {
      const { bytesRead } = client.connection.stream
      if (bytesRead !== activity.bytesRead) Object.assign(activity, { bytesRead, at: now, owesSince: now, idle: 0 })
      else if (client.readyForQuery) Object.assign(activity, { owesSince: now, idle: 0 })
      else if (now - activity.owesSince > limitMs) lose(client)
      else if (now - activity.owesSince > doubtMs) doubted.push(client)
    }
    if (doubted.length > 0 && !asking) void judge(doubted)
  }
  const timer = setInterval(look, everyMs)
  timer.unref()

  async function judge(doubted: readonly Watched[]): Promise<void> {
    asking = true
    const working = await workingOn(
      url,
      doubted.map(({ processID }) => processID),
    ).catch(() => null)
    asking = false
    for (const client of doubted) {
      const activity = clients.get(client)
      const isSilent = activity && !client.readyForQuery && client.connection.stream.bytesRead === activity.bytesRead
      if (!working || !isSilent || working.has(client.processID)) continue
      // The answer may have been on its way at that moment, so the server is asked twice.
      if (++activity.idle > 1) lose(client)
    }
  }

  /** What became of one connection has often become of all: those at rest are not tried in turn, each for as long. */
  function lose(lost: Watched): void {
    giveUp(lost)
    const now = performance.now()
    for (const [client, { at }] of clients) if (client.readyForQuery && now - at > doubtMs) giveUp(client)
  }

  return {
    add(client) {
      const watched = client as unknown as Watched & pg.ClientBase
      const now = performance.now()
      const { bytesRead } = watched.connection.stream
      clients.set(watched, { bytesRead, at: now, owesSince: now, idle: 0 })
      watched.on('end', () => clients.delete(watched))
    },
    close: () => clearInterval(timer),
  }
}

interface Activity {
  bytesRead: number
  /** When they last became more. */
  at: number
  /** Since when an answer is owed. */
  owesSince: number
  /** How often the server has said since that it is not working on anything for us. */
  idle: number
}

/** Whoever waits for it gets "Connection terminated unexpectedly". */
const giveUp = ({ connection }: Watched) => connection.stream.destroy()

/** Those of our connections on which the server is working; null where a pooler in between has given them other names. */
async function workingOn(url: string, processes: readonly number[]): Promise<Set<number> | null> {
  const client = new pg.Client({
    ...connectTo(url),
    application_name: 'entrepot silence',
    connectionTimeoutMillis: 2000,
    query_timeout: 2000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid = pg_backend_pid()
        or pid = any($1) and (state is null or state not like 'idle%')`,
      [processes],
    )
    const working = new Set(rows.map(({ pid }) => pid))
    return working.has((client as unknown as Watched).processID) ? working : null
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** What the driver's types leave out. */
interface Watched {
  processID: number
  readyForQuery: boolean
  connection: { stream: Pick<Socket, 'bytesRead' | 'destroy'> }
}
