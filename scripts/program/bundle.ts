import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The program in a few files, for `npm start`: of a thousand modules each takes its place in memory, twice where the worker has a thread of
 * its own, and its time when it is loaded. Whatever else the program reads lies where it always lies.
 */
export interface Place {
  /** Of the checkout. */
  root: string
  /** Where bundles are kept; `current` in it names the one that was made of the sources as they are. */
  folder: string
}

/** Of those who started earlier and still run: they may yet load a part of theirs. */
const kept = 3
/** Making one takes seconds. */
const longestMs = 10 * 60_000

/** Makes the bundle of these sources current, and makes it where it is missing. */
export async function bundleIfStale(place: Place, make: (out: string) => Promise<void>): Promise<'fresh' | 'made'> {
  const { folder } = place
  const name = await fingerprint(place.root)
  const isThere = existsSync(join(folder, name))
  if (!isThere) {
    const unfinished = join(folder, `${name}.${process.pid}`)
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { recursive: true })
    await make(unfinished).catch(async (error: unknown) => {
      await rm(unfinished, { recursive: true, force: true })
      throw error
    })
    // Somebody else may have been faster with the same.
    await rename(unfinished, join(folder, name)).catch(() => rm(unfinished, { recursive: true, force: true }))
  }
  await sayCurrent(place, name)
  if (!isThere) await removeOld(folder, name)
  return isThere ? 'fresh' : 'made'
}

/** From now on the sources are started. */
export const startSources = ({ folder }: Place): Promise<void> => rm(join(folder, 'current'), { force: true })

async function sayCurrent({ folder }: Place, name: string): Promise<void> {
  const file = join(folder, 'current')
  if ((await readFile(file, 'utf8').catch(() => '')) === name) return
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, name)
  await rename(unfinished, file)
}

/** And what a start has left that was killed while it made one. */
async function removeOld(folder: string, name: string): Promise<void> {
  const others = (await readdir(folder)).filter((each) => /^[\da-f]{32}(\.\d+)?$/.test(each) && each !== name)
  const made = await Promise.all(others.map(async (each) => ({ each, at: await changedAt(join(folder, each)) })))
  const isUnfinished = ({ each }: { each: string }) => each.includes('.')
  const finished = made.filter((one) => !isUnfinished(one)).sort((a, b) => b.at - a.at)
  const abandoned = made.filter((one) => isUnfinished(one) && one.at < Date.now() - longestMs)
  const old = [...finished.slice(kept - 1), ...abandoned]
  await Promise.all(old.map(({ each }) => rm(join(folder, each), { recursive: true, force: true })))
}

/** Somebody else may have finished or removed it meanwhile. */
const changedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  )

/** What the result depends on, by size and time of change: to read it all would take a tenth of a second of each start. */
async function fingerprint(root: string): Promise<string> {
  const sources = await Promise.all(
    ['src', 'packages/client/src', 'scripts/program'].map((each) => filesIn(join(root, each))),
  )
  const files = [...sources.flat(), join(root, 'package-lock.json')]
  const facts = await Promise.all(
    files.map(async (file) => {
      const { size, mtimeMs } = await stat(file)
      return `${file} ${size} ${mtimeMs}`
    }),
  )
  return createHash('sha256').update(facts.sort().join('\n')).digest('hex').slice(0, 32)
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
}
