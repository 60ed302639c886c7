import { through } from './loopback.ts'
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts'

/** The database as a program behind a pooler is given it. */
export interface Pooled {
  url: string
  directUrl: string
}

/** From now on, programs of this process and of those that it starts work through a PgBouncer where their database is on that server. */
export async function poolAll(serverUrl: string): Promise<PgBouncer> {
  const pooler = await startPgBouncer(serverUrl)
  process.env['TEST_POOLER_PORT'] = String(pooler.port)
  process.env['TEST_POOLED_PORT'] = new URL(serverUrl).port
  return pooler
}

/** Null where they do not, or the database is another server's. */
export function pooledAddress(
  url: string,
  { TEST_POOLER_PORT: port, TEST_POOLED_PORT: server } = process.env,
): Pooled | null {
  if (!port || !URL.canParse(url) || new URL(url).port !== server) return null
  return { url: through(url, Number(port)), directUrl: url }
}
