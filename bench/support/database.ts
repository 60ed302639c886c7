import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbeddedPostgres } from '../../src/runtime/db/embedded/embedded.ts'
import { migrate } from '../../src/runtime/db/migrate.ts'
import { createLog } from '../../src/runtime/log.ts'
import { fillCrowd } from '../../test/support/crowd.ts'

/** Stops the database and starts it anew: what was written before is on the disk then, and nobody writes it beside what is measured. */
type Restart = () => Promise<string>

/** A PostgreSQL of one's own with the settings everybody gets, durable, with a thousand shops of others in its tables. */
export async function withDatabase<T>(work: (url: string, restart: Restart) => Promise<T>): Promise<T> {
  return await withServer(async ({ url, restart }) => await work(url, restart))
}

/** The same, with further, empty databases on the same server, each owned by whoever it is made for. */
export async function withDatabases<T>(
  work: (url: string, makeDatabase: (name: string) => Promise<string>) => Promise<T>,
): Promise<T> {
  return await withServer(
    async ({ url, superuserUrl }) => await work(url, async (name) => await makeDatabase(superuserUrl, url, name)),
  )
}

async function makeDatabase(superuserUrl: string, url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    await client.query(
      `create database ${client.escapeIdentifier(name)} owner ${client.escapeIdentifier(new URL(url).username)}`,
    )
  } finally {
    await client.end()
  }
  return Object.assign(new URL(url), { pathname: name }).href
}

interface Server {
  url: string
  superuserUrl: string
  restart: Restart
}

async function withServer<T>(work: (server: Server) => Promise<T>): Promise<T> {
  const log = createLog('warn')
  const dataDir = await mkdtemp(join(tmpdir(), 'entrepot-bench-'))
  let postgres = await openEmbeddedPostgres({ dataDir, log })
  const restart = async () => {
    await postgres.stop()
    postgres = await openEmbeddedPostgres({ dataDir, log })
    return postgres.url
  }
  try {
    await migrate({ url: postgres.url, log })
    await fillCrowd(postgres.url)
    return await work({ url: postgres.url, superuserUrl: postgres.superuserUrl, restart })
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
