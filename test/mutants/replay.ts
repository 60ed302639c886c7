import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openTemplateCluster } from '../support/template-cluster.ts'
import { type Mutant, mutated } from './mutant.ts'
import { copyProject, type ProjectCopy } from './project-copy.ts'
import { databaseVariable } from './provide-database.ts'

/** `killed`: a test has noticed; `by` says which. `broken`: not even the unchanged source passes, or nothing ran. */
export interface Outcome {
  mutant: Mutant
  end: 'killed' | 'survived' | 'broken'
  by: string
}

const maxMs = 240_000

/** Each mutant by itself in a copy of the project, before the tests that the list names for it. */
export async function replay(
  mutants: readonly Mutant[],
  { jobs, tell }: { jobs: number; tell: (outcome: Outcome) => void },
): Promise<Outcome[]> {
  const copies = await Promise.all(Array.from({ length: jobs }, copyProject))
  const database = await openTemplateCluster()
  const waiting = mutants.values()
  const outcomes: Outcome[] = []
  try {
    await Promise.all(
      copies.map(async (copy) => {
        for (const mutant of waiting) {
          const outcome = { mutant, ...(await tryOut(copy, mutant, database.url)) }
          outcomes.push(outcome)
          tell(outcome)
        }
      }),
    )
  } finally {
    await Promise.all(copies.map((copy) => copy.remove()))
    await database.stop()
  }
  return outcomes
}

async function tryOut(copy: ProjectCopy, mutant: Mutant, url: string): Promise<Omit<Outcome, 'mutant'>> {
  try {
    const source = await readFile(join(copy.path, mutant.file), 'utf8')
    const run = await copy.withFile(mutant.file, mutated(source, mutant), () => runTests(copy, mutant.tests, url))
    if (run.ran === 0 && run.failed === null) return { end: 'broken', by: 'no test ran' }
    if (run.failed !== null && !run.inTest) {
      // A whole file fails by the slip, or by something that has nothing to do with it.
      const unchanged = await runTests(copy, mutant.tests, url)
      if (unchanged.failed !== null) return { end: 'broken', by: unchanged.failed }
    }
    return run.failed === null ? { end: 'survived', by: `${run.ran} tests` } : { end: 'killed', by: run.failed }
  } catch (error) {
    return { end: 'broken', by: error instanceof Error ? error.message : String(error) }
  }
}

interface TestReport {
  numPassedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[]
  }[]
}

/** `failed`: the first that does, and why; `inTest` if it is a test, and not a file that cannot begin. */
export async function runTests(
  copy: ProjectCopy,
  tests: readonly string[],
  url: string,
): Promise<{ ran: number; failed: string | null; inTest: boolean }> {
  const report = join(copy.path, 'mutants-report.json')
  await rm(report, { force: true })
  const options = ['run', '--config', 'test/mutants/vitest.config.ts', '--bail', '1', '--reporter', 'json']
  const inTime = await run(copy, [...options, '--outputFile', report, ...tests], url)
  const text = await readFile(report, 'utf8').catch(() => null)
  if (text === null) {
    return { ran: 0, failed: inTime ? 'the tests ended without a report' : 'the tests took too long', inTest: false }
  }
  const { numPassedTests: ran, testResults }: TestReport = JSON.parse(text)
  for (const { assertionResults, status, message, name } of testResults) {
    const test = assertionResults.find((one) => one.status === 'failed')
    if (test) return { ran, failed: `${test.fullName}: ${firstLine(test.failureMessages?.[0] ?? '')}`, inTest: true }
    if (status === 'failed') {
      return { ran, failed: `${name.slice(copy.path.length + 1)}: ${firstLine(message)}`, inTest: false }
    }
  }
  return { ran, failed: null, inTest: false }
}

const firstLine = (text: string): string => text.split('\n')[0]?.slice(0, 160) ?? ''

/** False if it had to be ended. */
function run({ path }: ProjectCopy, args: readonly string[], url: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(path, 'node_modules/vitest/vitest.mjs'), ...args], {
      cwd: path,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, [databaseVariable]: url },
    })
    let inTime = true
    const timer = setTimeout(() => {
      inTime = false
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, maxMs)
    child.on('error', reject)
    child.on('exit', () => {
      clearTimeout(timer)
      resolve(inTime)
    })
  })
}
