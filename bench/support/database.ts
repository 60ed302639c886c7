import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '../../src/runtime/db/embedded/embedded.ts'
import { migrate } from '../../src/runtime/db/migrate.ts'
import { createLog } from '../../src/runtime/log.ts'
import { fillCrowd } from '../../test/support/crowd.ts'

/** Stops the database and starts it anew: what was written before is on the disk then, and nobody writes it beside what is measured. */
type Restart = () => Promise<string>

/** A PostgreSQL of one's own with the settings everybody gets, durable, with a thousand shops of others in its tables. */
export async function withDatabase<T>(work: (url: string, restart: Restart) => Promise<T>): Promise<T> {
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
    return await work(postgres.url, restart)
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
