import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the service answers that has this data folder, for the commands that are given beside it. */
interface RunningService {
  url: string
  pid: number
}

const fileIn = (dataDir: string) => join(dataDir, 'service.json')

/** Says it; the function that comes back takes it back. */
export async function announceService(dataDir: string, url: string): Promise<() => Promise<void>> {
  const running: RunningService = { url, pid: process.pid }
  await mkdir(dataDir, { recursive: true })
  await writeFile(fileIn(dataDir), `${JSON.stringify(running)}\n`)
  return async () => await rm(fileIn(dataDir), { force: true })
}

/** Null where none has said so, or where it is gone. */
export function runningService(dataDir: string): RunningService | null {
  try {
    const { url, pid }: Partial<RunningService> = JSON.parse(readFileSync(fileIn(dataDir), 'utf8'))
    if (typeof url !== 'string' || typeof pid !== 'number') return null
    process.kill(pid, 0)
    return { url, pid }
  } catch {
    return null
  }
}
