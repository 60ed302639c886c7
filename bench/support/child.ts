import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../test/support/process.ts'
import type { Settings } from '../../test/support/program.ts'

/** A server in a process of its own. */
export interface Child {
  url: string
  stop(): Promise<void>
}

/** Runs a file beside us; it says where it listens on a line of its own. */
export async function startFile(file: URL, settings: object): Promise<Child> {
  const args = [fileURLToPath(file), JSON.stringify(settings)]
  return await start(args, {}, (line) => (line.startsWith('http://') ? line : null))
}

/** For such a file: what it was given. */
export const childSettings = <T>(): T => JSON.parse(process.argv[2] ?? '{}')

/** What `npm start` starts, with the same options of node. */
export async function startEntrepot(settings: Settings, nodeOptions: readonly string[] = []): Promise<Child> {
  const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  const [, , ...args] = String(scripts.start).split(' ')
  const port = String(await freePort())
  return await start([...nodeOptions, ...args, '--json'], { ...settings, PORT: port }, (line) =>
    line.includes('"role"') ? `http://127.0.0.1:${port}` : null,
  )
}

async function start(
  args: readonly string[],
  settings: Settings,
  listening: (line: string) => string | null,
): Promise<Child> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it listened.`)))
    const lines = createInterface(child.stdout).on('line', (line) => {
      const found = listening(line)
      if (found === null) return
      resolve(found)
      // What it says from now on is taken and not looked at, which whoever measures would do in its place.
      lines.close()
      child.stdout.resume()
    })
  })
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
