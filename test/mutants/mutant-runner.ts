import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { type RunnerTask, type RunnerTestFile, TestRunner, vi } from 'vitest'
import { startTests } from 'vitest/internal/browser'
import { type Attempt, attemptsVariable, unchanged } from './attempts.ts'

/** Where the sources that Stryker's instrumenter has written look for the mutant that is active, and count what is reached. */
interface Switches {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number
  hitLimit?: number
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> }
}
type Hits = Record<string, number>

declare global {
  var __stryker__: Switches | undefined
}

/** A mutant as a test file reaches it: by these tests, or while its modules are loaded. */
interface Reached {
  id: string
  hits: number
  loading: boolean
  tests: ReadonlySet<string>
}

const namespace = () => {
  globalThis.__stryker__ ??= {}
  return globalThis.__stryker__
}

const nameOf = (task: RunnerTask): string => (task.suite ? `${nameOf(task.suite)}\n${task.name}` : task.name)

/**
 * Runs a test file as it is, and then once more for each mutant that it has reached. All of it in one process with the
 * modules that are loaded already: a start of Vitest for each mutant took a hundred times as long.
 */
export default class MutantRunner extends TestRunner {
  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(test)
    namespace().currentTestId = nameOf(test)
  }

  override onAfterRunTask(test: RunnerTask): void {
    super.onAfterRunTask(test)
    namespace().currentTestId = undefined
  }

  // Vitest waits for it, though TestRunner's own is over at once.
  override onAfterRunFiles(files: RunnerTestFile[]): void | Promise<void> {
    super.onAfterRunFiles(files)
    const [file] = files
    return file && this.tryMutants(file)
  }

  private async tryMutants({ filepath, result }: RunnerTestFile): Promise<void> {
    const file = relative(this.config.root, filepath)
    note({ file, id: unchanged, end: result?.state === 'pass' ? 'survived' : 'killed' })
    if (result?.state !== 'pass') return
    const reached = reachedMutants(file)
    const once = reached.filter(({ loading }) => !loading)
    for (let at = 0; at < once.length; at += 25) await this.tryBatch(filepath, file, once.slice(at, at + 25))
    for (const mutant of reached.filter(({ loading }) => loading)) await this.tryOut(filepath, file, mutant, true)
  }

  /** A mutant may leave behind what makes others fail: then each gets modules of its own. */
  private async tryBatch(path: string, file: string, mutants: readonly Reached[]): Promise<void> {
    let killed = false
    for (const mutant of mutants) killed = (await this.tryOut(path, file, mutant, false)) !== 'survived' || killed
    if (!killed || (await this.passes(path, null))) return
    for (const mutant of mutants) await this.tryOut(path, file, mutant, true)
    vi.resetModules()
  }

  private async tryOut(path: string, file: string, mutant: Reached, fresh: boolean): Promise<Attempt['end']> {
    note({ file, id: mutant.id, end: 'begun' })
    if (fresh) vi.resetModules()
    const end = (await this.passes(path, mutant)) ? 'survived' : 'killed'
    note({ file, id: mutant.id, end })
    return end
  }

  private async passes(path: string, mutant: Reached | null): Promise<boolean> {
    const switches = namespace()
    switches.activeMutant = mutant?.id
    switches.hitCount = 0
    switches.hitLimit = (mutant?.hits ?? 0) * 100
    const limit = switches.hitLimit
    let failed = false
    let over = false
    const quiet: TestRunner = Object.create(this, {
      onTaskUpdate: { value: async () => {} },
      onCollected: { value: async () => {} },
      onCollectStart: { value: (one: RunnerTestFile) => TestRunner.prototype.onCollectStart.call(quiet, one) },
      onAfterRunFiles: { value: () => {} },
      onBeforeRunTask: {
        value: async (test: RunnerTask) => {
          await TestRunner.prototype.onBeforeRunTask.call(quiet, test)
          const wanted = mutant === null || mutant.loading || mutant.tests.has(nameOf(test))
          if (over || !wanted) test.mode = 'skip'
        },
      },
      onAfterRunTask: {
        value: (test: RunnerTask) => {
          TestRunner.prototype.onAfterRunTask.call(quiet, test)
          if (test.result?.state === 'fail') over = true
        },
      },
    })
    try {
      const files = await startTests([path], quiet)
      failed = files.some(hasFailed)
    } finally {
      switches.activeMutant = undefined
    }
    return !failed && (mutant === null || switches.hitCount <= limit)
  }
}

const hasFailed = (task: RunnerTask): boolean =>
  task.result?.state === 'fail' || ('tasks' in task && task.tasks.some(hasFailed))

const attemptsFile = () => process.env[attemptsVariable] ?? ''

const note = (attempt: Attempt): void => appendFileSync(attemptsFile(), `${JSON.stringify(attempt)}\n`)

/** Without those that another file has noticed, or that this one has tried before the process had to be ended. */
function reachedMutants(file: string): Reached[] {
  const { static: whileLoading = {}, perTest = {} } = namespace().mutantCoverage ?? {}
  const reached = new Map<string, { hits: number; loading: boolean; tests: Set<string> }>()
  const at = (id: string) => {
    const known = reached.get(id) ?? { hits: 0, loading: false, tests: new Set<string>() }
    reached.set(id, known)
    return known
  }
  for (const [id, hits] of Object.entries(whileLoading)) Object.assign(at(id), { hits, loading: true })
  for (const [test, ids] of Object.entries(perTest)) {
    for (const [id, hits] of Object.entries(ids)) {
      at(id).tests.add(test)
      at(id).hits += hits
    }
  }
  const done = new Set(
    (existsSync(attemptsFile()) ? readFileSync(attemptsFile(), 'utf8') : '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Attempt => JSON.parse(line))
      .filter((attempt) => attempt.end === 'killed' || attempt.end === 'hung' || attempt.file === file)
      .map(({ id }) => id),
  )
  return [...reached].filter(([id]) => !done.has(id)).map(([id, how]) => ({ id, ...how }))
}
