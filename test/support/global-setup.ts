import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { openEmbeddedPostgres } from '../../src/runtime/db/embedded/embedded.ts'
import { migrate } from '../../src/runtime/db/migrate.ts'
import { createLog } from '../../src/runtime/log.ts'
// Chosen and printed once, here: the workers inherit it.
import './chance.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A migrated database that is only ever cloned. */
    templateUrl: string
  }
}

/** One PostgreSQL for the whole run, without the waiting for the disk that only durability needs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = createLog('warn')
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../scripts/build-web.ts'), '--if-stale'])
  const dataDir = await mkdtemp(join(tmpdir(), 'entrepot-test-'))
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: 300 }
  const postgres = await openEmbeddedPostgres({ dataDir, log, settings })
  await migrate({ url: postgres.url, log })
  project.provide('templateUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
