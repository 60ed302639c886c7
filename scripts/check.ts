import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { filesOf, openMemory } from './check-memory.ts'

/**
 * All that can be said about the source without running it. What was found in order is remembered by its content: the compiler does
 * so by itself, for Biome and the import rules we do. Each part is one thread, which costs half of what the compiler would
 * use by itself; as many parts as there are cores run at the same time.
 */
const root = join(import.meta.dirname, '..')
const contentOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** It is gone before it would have been worth collecting anything; the limit is for the day when it no longer is. */
const withoutCollecting = { GOGC: 'off', GOMEMLIMIT: '2GiB' }
const compiler = (project: string, memory: string) => [
  'node_modules/typescript-7/bin/tsc',
  '--noEmit',
  '--singleThreaded',
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/${memory}.tsbuildinfo`,
  '--project',
  project,
]

interface Part {
  name: string
  /** Null where everything is known to be in order. */
  command: readonly string[] | null
  env?: Readonly<Record<string, string>>
  /** Called when it went well. */
  remember?(): Promise<void>
}

/** Files are judged one by one, by rules that follow from these. A file that was in order is not looked at again. */
async function lint(): Promise<Part> {
  const name = 'lint and format'
  const command = ['node_modules/@biomejs/biome/bin/biome', 'check']
  const files = filesOf('.')
  if (!files) return { name, command: [...command, '.'] }
  const memory = await openMemory('biome', ['biome.json', 'package.json', 'package-lock.json'].map(contentOf))
  const unknown = memory.unknown(files)
  if (unknown.length === 0) return { name, command: null }
  const paths = unknown.length > files.length / 2 ? ['.'] : unknown.map(({ path }) => path)
  return {
    name,
    command: [...command, '--no-errors-on-unmatched', '--files-ignore-unknown=true', ...paths],
    remember: () => memory.keep(files),
  }
}

/** Rules about who imports whom follow from the imports, and from nothing else in a file. */
async function imports(): Promise<Part> {
  const part = {
    name: 'imports',
    command: [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'src',
    ],
  }
  const files = filesOf('src', 'packages')
  if (!files) return part
  const memory = await openMemory(
    'imports',
    ['.dependency-cruiser.cjs', 'package.json', 'package-lock.json', 'tsconfig.json'].map(contentOf),
  )
  const all = [{ text: files.map(({ path, text: content }) => [path, ...importsIn(content)].join('\n')).join('\n') }]
  return memory.unknown(all).length === 0 ? { ...part, command: null } : { ...part, remember: () => memory.keep(all) }
}

/** Every place that names a module, with what is said of it there. */
const importsIn = (content: string): string[] =>
  content.match(/^(?:import|export)\b[^'"`;=()]*['"][^'"]*['"]|\b(?:import|require)\s*\([^)]*\)?/gm) ?? []

const parts: readonly (() => Promise<Part>)[] = [
  async () => ({ name: 'types', command: compiler('.', 'types'), env: withoutCollecting }),
  lint,
  async () => ({ name: 'generated files', command: ['scripts/generate.ts', '--check'] }),
  imports,
  async () => ({ name: 'types of web', command: compiler('web', 'types-of-web'), env: withoutCollecting }),
  async () => ({
    name: 'types of client',
    command: compiler('packages/client', 'types-of-client'),
    env: withoutCollecting,
  }),
]

async function run({ name, command, env = {}, remember }: Part): Promise<void> {
  if (command === null) return void process.stdout.write(`${name}: ok, as before\n`)
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[code], ...said] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  if (code === 0) {
    await remember?.()
    return void process.stdout.write(`${name}: ok\n`)
  }
  process.stdout.write(`${name}: failed\n${said.join('')}\n`)
  process.exitCode = 1
}

const waiting = [...parts]
const worker = async () => {
  for (let prepare = waiting.shift(); prepare; prepare = waiting.shift()) {
    await run(await prepare())
  }
}
await Promise.all(Array.from({ length: Math.min(availableParallelism(), parts.length) }, worker))
