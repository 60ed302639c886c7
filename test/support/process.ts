import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The command line as a person would use it: a process of its own. In whole runs of the tests it loads sooner (`bundle-program.ts`). */
const here = process.env['TEST_PROGRAM'] ?? fileURLToPath(new URL('../..', import.meta.url))

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

export interface ProcessOptions {
  env?: Record<string, string>
  cwd?: string
  /** Where the program is; this one by default. */
  root?: string
  /** Keys can be pressed; nobody sits there by default. */
  keyed?: boolean
  /** Megabytes for young objects, times three; 4 by default, as in the scripts of package.json. */
  young?: number
}

export function startEntrepot(args: readonly string[], options: ProcessOptions = {}): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  return spawn(
    process.execPath,
    [`--max-semi-space-size=${options.young ?? 4}`, join(options.root ?? here, 'bin/entrepot.js'), ...args],
    {
      // Said beforehand, as the launcher does: a service that was started without a word about it begins a second time.
      env: { PATH, HOME, MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '262144', ...options.env },
      ...(options.cwd ? { cwd: options.cwd } : {}),
      stdio: [options.keyed ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    },
  )
}

export async function runEntrepot(args: readonly string[], options: ProcessOptions = {}): Promise<Finished> {
  return await finish(startEntrepot(args, options))
}

export async function runShell(script: string, options: ProcessOptions = {}): Promise<Finished> {
  const { PATH = '' } = process.env
  const child = spawn('bash', ['-e', '-c', script], {
    env: { PATH, ...options.env },
    ...(options.cwd ? { cwd: options.cwd } : {}),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return await finish(child)
}

export async function finish(child: ChildProcess): Promise<Finished> {
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}

/** Resolves with everything printed so far as soon as `text` is among it. */
export async function printed(child: ChildProcess, text: string): Promise<string> {
  let output = ''
  return await new Promise<string>((resolve, reject) => {
    const see = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(text)) resolve(output)
    }
    child.stdout?.on('data', see)
    child.stderr?.on('data', see)
    child.once('exit', (code) => reject(new Error(`It ended with ${code} before it said "${text}":\n${output}`)))
  })
}

export async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

/**
 * Below those that the system hands out to whoever asks for any, as every other test does all the time: what is free stays so until whoever
 * was told of it listens there. Processes of a run begin far from each other.
 */
const ports = { from: 20_000, count: 12_000 }
let turn = process.pid * 1009

export async function freePort(): Promise<number> {
  for (let tried = 0; tried < ports.count; tried++) {
    const port = ports.from + (turn++ % ports.count)
    if (await isFree(port)) return port
  }
  throw new Error('No port could be had.')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const listens = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!listens) return false
  server.close()
  await once(server, 'close')
  return true
}
