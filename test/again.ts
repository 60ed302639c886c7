import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * npm run test:again [-- --times N] [--only TEXT] [--list]
 * Runs every test file that draws lots or in which things happen at the same time, N times (50), each time with another
 * seed and every second time beside programs that keep the processors busy. Whatever fails is printed with its seed.
 */
const { values: options } = parseArgs({
  options: {
    times: { type: 'string', default: '50' },
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
  },
})

const root = join(import.meta.dirname, '..')

/** Lots, crowds that go at once, other processes, clocks, and waiting for what comes when it comes. */
const isOfChance =
  /seedFor\(|drawLots\(|new Promise|Promise\.(?:all|race|allSettled)\(|expect\.poll|vi\.waitFor|startEntrepot|\bspawn\(|setTimeout|NOTIFY|openListener|proofs\b/

async function filesOfChance(): Promise<string[]> {
  const found: string[] = []
  for await (const path of glob(['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'], { cwd: root })) {
    if (/^test\/(?:prove|stores)\//.test(path) || !path.includes(options.only)) continue
    if (isOfChance.test(readFileSync(join(root, path), 'utf8'))) found.push(path)
  }
  return found.sort()
}

const say = (text: string) => void process.stdout.write(`${text}\n`)

interface Round {
  failed: string[]
  output: string
}

/** All of them once: Vitest says in its last lines which failed. */
async function run(files: readonly string[], seed: string): Promise<Round> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', '--reporter=default', ...files], {
    cwd: root,
    env: { ...process.env, TEST_SEED: seed, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const failed = [...new Set(output.match(/^ FAIL .+$/gm) ?? [])]
  return { failed: code !== 0 && failed.length === 0 ? ['Vitest itself ended badly'] : failed, output }
}

/** Keeps every processor busy until it is stopped. */
function keepBusy(): () => void {
  const hogs = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(2)'], { stdio: 'ignore' }),
  )
  return () => {
    for (const hog of hogs) hog.kill()
  }
}

const files = await filesOfChance()
if (options.list) {
  say(files.join('\n'))
  process.exit(0)
}
const times = Number(options.times)
const failures = new Map<string, number>()
for (let time = 1; time <= times; time++) {
  const isBusy = time % 2 === 0
  const stop = isBusy ? keepBusy() : () => undefined
  const { failed, output } = await run(files, String(time)).finally(stop)
  say(
    `${time} of ${times}${isBusy ? ', busy' : ''}: ${failed.length === 0 ? 'green' : `${failed.length} failed, TEST_SEED=${time}`}`,
  )
  for (const name of failed) {
    failures.set(name, (failures.get(name) ?? 0) + 1)
    say(`  ${name.trim()}`)
  }
  if (failed.length > 0) say(output.slice(output.indexOf('Failed Tests')))
}
say(`${files.length} files, ${times} times: ${failures.size} tests failed at least once`)
for (const [name, count] of failures) say(`  ${count} × ${name.trim()}`)
process.exit(failures.size === 0 ? 0 : 1)
