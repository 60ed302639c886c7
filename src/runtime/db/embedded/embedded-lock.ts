import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Nothing that is done under the lock takes longer, so an older one was left behind. */
const staleAfterMs = 60_000

/**
 * One process at a time, by a file that names its holder. Only an economy: what is done under the lock stays right
 * without it (a cluster is put in its place by one rename, and PostgreSQL itself refuses to run twice on it).
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await createFile(path, String(process.pid)))) {
    if (await isStale(path)) await rm(path, { force: true })
    else await sleep(20)
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

/** False if the file is there already. */
export async function createFile(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    // Empty: made a moment ago and not written yet.
    return Date.now() - mtimeMs > staleAfterMs || (text !== '' && !isAlive(Number(text)))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
