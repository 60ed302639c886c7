import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A folder for a database. In memory where there is plenty of it: a database is 1,500 files, and to make those on a disk takes 350 ms of
 * a core, in memory 40; a whole run makes hundreds. Nothing is run from there, which may be forbidden.
 */
export async function makeDataFolder(): Promise<string> {
  return await mkdtemp(join((await hasRoom()) ? inMemory : tmpdir(), `${prefix}${process.pid}-`))
}

const prefix = 'entrepot-test-'
const inMemory = '/dev/shm'

/** What lives at a time is some hundred megabytes. */
const enough = 4 * 2 ** 30

async function hasRoom(): Promise<boolean> {
  if (process.availableMemory() < 2 * enough) return false
  const place = await statfs(inMemory).catch(() => null)
  return place !== null && place.bavail * place.bsize >= enough
}

/** Of runs that were killed: memory would stay taken until the machine is started again. */
export async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(inMemory).catch(() => [])) {
    const [, pid] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(inMemory, name), { recursive: true, force: true })
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
