import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Child {
  url: string
  stop(): Promise<void>
}

/** Runs a file beside us as a server of its own; it says where it listens on a line of its own. */
export async function startChild(file: URL, settings: object, nodeOptions: readonly string[] = []): Promise<Child> {
  const child = spawn(process.execPath, [...nodeOptions, fileURLToPath(file), JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it listened.`)))
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('http://')) resolve(line)
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

/** For the file that runs as a child: what it was given. */
export const childSettings = <T>(): T => JSON.parse(process.argv[2] ?? '{}')
