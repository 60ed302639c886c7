import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
// Chosen and printed once, here: the workers inherit it.
import './chance.ts'
import { bundleProgram } from './bundle-program.ts'
import { openGivenCluster } from './given-cluster.ts'
import { openTemplateCluster } from './template-cluster.ts'
import { poolAll } from './through-pooler.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A migrated database that is only ever cloned. */
    templateUrl: string
    /** The name of a database without tables, cloned just so. */
    emptyDatabase: string
    /** The data plane is distributed. */
    onCitus: boolean
  }
}

const given = process.env['TEST_DATABASE_URL']
const openCluster = () => (given ? openGivenCluster(given) : openTemplateCluster())

/** One PostgreSQL for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const build = [join(import.meta.dirname, '../../scripts/build-web.ts'), '--if-stale']
  // Whoever runs a few files is sooner done with the sources as they are.
  const areMany = project.vitest.state.getPaths().length > 20
  const [postgres, program] = await Promise.all([
    openCluster(),
    areMany ? bundleProgram() : null,
    promisify(execFile)(process.execPath, build),
  ])
  // What it sets, the workers inherit, as they do the program.
  const pooler = process.env['TEST_POOLER'] ? await poolAll(postgres.url) : null
  project.provide('templateUrl', postgres.url)
  project.provide('emptyDatabase', postgres.empty)
  project.provide('onCitus', postgres.onCitus)
  if (program) process.env['TEST_PROGRAM'] = program.root
  return async () => {
    await pooler?.close()
    await postgres.stop()
    await program?.remove()
  }
}
