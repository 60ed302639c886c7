import { type ChildProcess, spawn } from 'node:child_process'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Attempt, attemptsVariable, unchanged } from './attempts.ts'

/** Nothing that a test does by itself takes as long: its own limit ends it before. */
const maxMs = 60_000

/** All mutants of a copy before these tests. What hangs without end is counted, and the rest goes on in a new process. */
export async function tryMutants(
  path: string,
  { tests, jobs, tell }: { tests: readonly string[]; jobs: number; tell: (text: string) => void },
): Promise<readonly Attempt[]> {
  const file = join(path, 'mutants.jsonl')
  await writeFile(file, '')
  if (tests.length === 0) return []
  let hung: readonly Attempt[]
  do {
    hung = await watch(start(path, { tests, jobs, file }), { file, tell })
    for (const attempt of hung) await appendFile(file, `${JSON.stringify({ ...attempt, end: 'hung' })}\n`)
  } while (hung.length > 0)
  const attempts = await readAttempts(file)
  const sound = new Set(attempts.filter(({ id, end }) => id === unchanged && end === 'survived').map((one) => one.file))
  const broken = tests.filter((test) => !sound.has(test))
  if (broken.length > 0) tell(`These do not pass as they are, and notice nothing: ${broken.join(', ')}`)
  return attempts.filter(({ id }) => id !== unchanged)
}

const start = (
  path: string,
  { tests, jobs, file }: { tests: readonly string[]; jobs: number; file: string },
): ChildProcess =>
  spawn(
    process.execPath,
    [join(path, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/mutants/vitest.unit.config.ts'],
    {
      cwd: path,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, MUTANTS_TESTS: tests.join(','), MUTANTS_JOBS: String(jobs), [attemptsVariable]: file },
    },
  )

/** Those that have not come to an end, if it had to be killed for them. */
function watch(
  child: ChildProcess,
  { file, tell }: { file: string; tell: (text: string) => void },
): Promise<readonly Attempt[]> {
  return new Promise((resolve, reject) => {
    let hung: readonly Attempt[] = []
    let before = ''
    const look = async () => {
      const attempts = await readAttempts(file)
      const noticed = new Set(attempts.filter(({ end }) => end === 'killed').map(({ id }) => id)).size
      tell(`  ${new Set(attempts.map(({ id }) => id)).size} reached, ${noticed} noticed`)
      const open = openAttempts(attempts)
      const state = JSON.stringify(open)
      if (open.length > 0 && state === before && child.pid !== undefined) {
        hung = open
        process.kill(-child.pid, 'SIGKILL')
      }
      before = state
    }
    const timer = setInterval(() => void look().catch(reject), maxMs)
    child.on('error', reject)
    // Its own result is that of the last mutant.
    child.on('exit', () => {
      clearInterval(timer)
      resolve(hung)
    })
  })
}

const openAttempts = (attempts: readonly Attempt[]): Attempt[] => [
  ...new Map(attempts.map((attempt) => [`${attempt.file} ${attempt.id}`, attempt]))
    .values()
    .filter(({ end }) => end === 'begun'),
]

const readAttempts = async (file: string): Promise<Attempt[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
