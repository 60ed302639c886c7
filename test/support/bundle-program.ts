import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleProgram as bundle } from '../../scripts/program/bundle-program.ts'
import { isAlive } from './data-folder.ts'

/**
 * The program in a few files, for the processes that tests start: loading its thousand modules one by one takes each of them
 * almost three seconds of a core, in this form one. Nothing else is different; what it reads besides lies where it always
 * lies. As people start it, it is started by the tests in `test/deploy`.
 */
const root = join(import.meta.dirname, '../..')
/** Below node_modules, so that libraries are found from there. */
const folder = join(root, 'node_modules/.cache/entrepot-test-program')

export interface BundledProgram {
  /** A folder with `bin/entrepot.js`. */
  root: string
  remove(): Promise<void>
}

export async function bundleProgram(): Promise<BundledProgram> {
  await removeAbandoned()
  const place = join(folder, String(process.pid))
  const remove = () => rm(place, { recursive: true, force: true })
  await remove()
  await mkdir(join(place, 'bin'), { recursive: true })
  await copyFile(join(root, 'bin/entrepot.js'), join(place, 'bin/entrepot.js'))
  await bundle(root, place)
  return { root: place, remove }
}

/** Of runs that were killed. */
async function removeAbandoned(): Promise<void> {
  const runs = await readdir(folder).catch(() => [])
  for (const run of runs) if (!isAlive(Number(run))) await rm(join(folder, run), { recursive: true, force: true })
}
