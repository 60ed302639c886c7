import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { flameGraph } from './flame.ts'

/** Where profiles of a benchmark and the pictures of them are left. */
const folderOf = (name: string) => join('bench-profiles', name)

/** For a process that is started beside us. */
export const profileOptions = (name: string): string[] => ['--cpu-prof', `--cpu-prof-dir=${folderOf(name)}`]

/** Runs a benchmark with a profile of this process, and draws it and those of the processes that it has started. */
export async function profiled<T>(name: string, work: () => Promise<T>): Promise<T> {
  const folder = folderOf(name)
  await mkdir(folder, { recursive: true })
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  try {
    return await work()
  } finally {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    await writeFile(join(folder, 'benchmark.cpuprofile'), JSON.stringify(profile))
    await drawAll(folder)
  }
}

async function drawAll(folder: string): Promise<void> {
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.cpuprofile')) continue
    const title = file.replace('.cpuprofile', '')
    const picture = flameGraph(JSON.parse(await readFile(join(folder, file), 'utf8')), title)
    await writeFile(join(folder, `${title}.svg`), picture)
  }
}
