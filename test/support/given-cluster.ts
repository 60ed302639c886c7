import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { distribute, hasCitus } from '../../src/runtime/db/citus/distribute.ts'
import { askInTurn, migrate } from '../../src/runtime/db/migrate.ts'
import { migrationsFolder, readMigrations } from '../../src/runtime/db/migration-files.ts'
import { createLog } from '../../src/runtime/log.ts'
import { fillCrowd } from './crowd.ts'
import { clone, crowdedTemplate, drop, makeStarted, startedTemplate, templateOf, urlOf } from './databases.ts'
import type { TemplateCluster } from './template-cluster.ts'

const log = createLog('warn')
const migrated = 'entrepot_test_template'

/**
 * The server of TEST_DATABASE_URL. The database that it names is empty but for extensions, and what every other begins as:
 * where that is Citus, the whole suite runs on distributed tables. One run at a time, as a superuser.
 */
export async function openGivenCluster(given: string): Promise<TemplateCluster> {
  const url = urlOf(given, migrated)
  for (const name of [migrated, crowdedTemplate, startedTemplate]) await drop(given, name)
  await clone(given, migrated, templateOf(given))
  const onCitus = await askInTurn(url, hasCitus)
  if (onCitus) await migrateDistributed(url)
  await migrate({ url, log })
  await clone(given, crowdedTemplate, migrated)
  await fillCrowd(urlOf(given, crowdedTemplate))
  await makeStarted(url)
  return { url, empty: templateOf(given), onCitus, stop: async () => undefined }
}

/** The last migration that applies before anything is distributed: `entrepot distribute` came after it. Every later one may find shards. */
export const lastBeforeShards = '0056'

async function migrateDistributed(url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'entrepot-before-'))
  try {
    const before = (await readMigrations()).filter(({ name }) => name.slice(0, 4) <= lastBeforeShards)
    for (const { name } of before) await cp(join(migrationsFolder, `${name}.sql`), join(folder, `${name}.sql`))
    await migrate({ url, log, folder })
    await askInTurn(url, distribute)
  } finally {
    await rm(folder, { recursive: true })
  }
}
