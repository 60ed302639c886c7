import type { Socket } from 'node:net'
import type pg from 'pg'

/**
 * Gives up connections on which a server owes an answer and says nothing at all: its own statement_timeout would have
 * spoken by then. One look at all connections twice a second does for every query, where the driver's `query_timeout`
 * sets a timer for each and thereby keeps its rows in memory past many collections (30 times longer pauses, measured).
 */
export function watchForSilence(pool: pg.Pool, limitMs: number): { close(): void } {
  const clients = new Map<Watched, { bytesRead: number; since: number }>()

  const look = () => {
    const now = performance.now()
    for (const [client, heard] of clients) {
      const { bytesRead } = client.connection.stream
      if (client.readyForQuery || bytesRead !== heard.bytesRead) {
        heard.bytesRead = bytesRead
        heard.since = now
      } else if (now - heard.since > limitMs) {
        // Whoever waits for it is told "Connection terminated unexpectedly".
        client.connection.stream.destroy()
      }
    }
  }
  const timer = setInterval(look, Math.min(500, limitMs / 2))
  timer.unref()

  pool.on('connect', (client) => clients.set(asWatched(client), { bytesRead: 0, since: performance.now() }))
  pool.on('remove', (client) => clients.delete(asWatched(client)))
  return { close: () => clearInterval(timer) }
}

/** What the driver's types leave out. */
interface Watched {
  readyForQuery: boolean
  connection: { stream: Pick<Socket, 'bytesRead' | 'destroy'> }
}

const asWatched = (client: pg.PoolClient) => client as unknown as Watched
