import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/**
 * All that can be said about the source without running it. The compiler alone remembers what it knew of files whose
 * content is the same, which is half of the work. Each part is one thread, which costs half of what the compiler would
 * use by itself; as many parts as there are cores run at the same time.
 */
const root = join(import.meta.dirname, '..')

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

const parts: readonly { name: string; command: readonly string[]; env?: Readonly<Record<string, string>> }[] = [
  { name: 'types', command: compiler('.', 'types'), env: withoutCollecting },
  { name: 'lint and format', command: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
  { name: 'generated files', command: ['scripts/generate.ts', '--check'] },
  {
    name: 'imports',
    command: [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'src',
    ],
  },
  { name: 'types of web', command: compiler('web', 'types-of-web'), env: withoutCollecting },
  { name: 'types of client', command: compiler('packages/client', 'types-of-client'), env: withoutCollecting },
]

async function run({ name, command, env = {} }: (typeof parts)[number]): Promise<void> {
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[code], ...said] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  if (code === 0) return void process.stdout.write(`${name}: ok\n`)
  process.stdout.write(`${name}: failed\n${said.join('')}\n`)
  process.exitCode = 1
}

const waiting = [...parts]
const worker = async () => {
  for (let part = waiting.shift(); part; part = waiting.shift()) await run(part)
}
await Promise.all(Array.from({ length: Math.min(availableParallelism(), parts.length) }, worker))
