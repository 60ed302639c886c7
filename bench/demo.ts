import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { start } from './start-up.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Seconds that `entrepot demo` takes beside a service that has just been started for the first time. */
export async function measureDemo(options: { rounds: number; progress(text: string): void }): Promise<number[]> {
  const times: number[] = []
  for (let round = 1; round <= options.rounds; round++) {
    const dataDir = await mkdtemp(join(tmpdir(), 'entrepot-bench-'))
    try {
      const service = await start(dataDir)
      try {
        const seconds = await demo(dataDir)
        options.progress(`round ${round}: ${seconds.toFixed(2)} s`)
        times.push(seconds)
      } finally {
        await service.stop()
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  }
  return times
}

async function demo(dataDir: string): Promise<number> {
  const begun = performance.now()
  const child = spawn('npm', ['run', '--silent', 'entrepot', '--', 'demo', '--json'], {
    cwd: root,
    env: { ...process.env, ENTREPOT_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`entrepot demo ended with ${code}.`)
  const { integrations } = JSON.parse(printed) as { integrations: unknown[] }
  if (integrations.length < 5) throw new Error(`The demo has ${integrations.length} shops.`)
  return (performance.now() - begun) / 1000
}
