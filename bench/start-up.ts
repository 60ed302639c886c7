import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median } from './support/statistics.ts'

export interface StartUpResult {
  /** Seconds from `npm start` to the first answer, with an empty data folder and with the one that the first start left: half of the starts take no longer. */
  coldSeconds: number
  secondSeconds: number
  /** Our process when nothing happens, without PostgreSQL. */
  idleMegabytes: number
}

const furtherStarts = 5

const root = fileURLToPath(new URL('..', import.meta.url))

/** `npm start` as a person types it, time and again in the same new data folder. */
export async function measureStartUp(progress: (text: string) => void): Promise<StartUpResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'entrepot-bench-'))
  try {
    const first = await start(dataDir)
    progress(`first answer after ${first.seconds.toFixed(1)} s with an empty data folder`)
    // Whatever the start left behind has been collected by then.
    await sleep(15_000)
    const idleMegabytes = (await readMemory(first.url)) / 1024 / 1024
    progress(`${Math.round(idleMegabytes)} MB at rest`)
    await first.stop()
    const again: number[] = []
    while (again.length < furtherStarts) {
      const { seconds, stop } = await start(dataDir)
      again.push(seconds)
      progress(`first answer after ${seconds.toFixed(2)} s the next time`)
      await stop()
    }
    return { coldSeconds: first.seconds, secondSeconds: median(again), idleMegabytes }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** `npm start` in that data folder, on a port of its own, once it answers. */
export async function start(dataDir: string) {
  const port = await freePort()
  const begun = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), ENTREPOT_DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}.`)
    await sleep(20)
  }
  return {
    url,
    seconds: (performance.now() - begun) / 1000,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/ready`).then(
    (answer) => answer.ok,
    () => false,
  )

async function readMemory(url: string): Promise<number> {
  const text = await fetch(`${url}/metrics`).then((answer) => answer.text())
  const bytes = /^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]
  if (bytes === undefined) throw new Error('The metrics do not tell the memory.')
  return Number(bytes)
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('There is no free port.')),
      )
    })
  })
