import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { copyProject, project } from './project-copy.ts'
import { testsBeside } from './tests-beside.ts'

/** How many of the mutants that Stryker made of a folder's files its tests have noticed. */
export interface Score {
  folder: string
  mutants: number
  noticed: number
}

export interface Survivor {
  place: string
  kind: string
  becomes: string
  covered: boolean
}

interface Report {
  files: Record<
    string,
    {
      mutants: {
        mutatorName: string
        replacement?: string
        status: string
        location: { start: { line: number; column: number } }
      }[]
    }
  >
}

/** Files, folders and patterns of sources; tests and imitations of platforms are left out. */
export async function sourcesOf(paths: readonly string[]): Promise<string[]> {
  const patterns = await Promise.all(
    paths.map(async (path) =>
      (await stat(join(project, path)).catch(() => null))?.isDirectory() ? `${path}/**/*.ts` : path,
    ),
  )
  const files = new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: project })))
  return [...files].filter((file) => /^(?!.*\.(test|gen)\.ts$)(?!.*\/stand).*\.ts$/.test(file)).sort()
}

export async function measure(
  files: readonly string[],
  { concurrency }: { concurrency: number },
): Promise<{ scores: Score[]; survivors: Survivor[] }> {
  const copy = await copyProject()
  try {
    const tests = testsBeside(copy.path, files)
    const config = {
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { configFile: 'test/mutants/vitest.unit.config.ts', related: false },
      mutate: files,
      coverageAnalysis: 'perTest',
      concurrency,
      timeoutMS: 10_000,
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: 'mutants.json' },
      allowEmpty: true,
    }
    await writeFile(join(copy.path, 'stryker.config.json'), JSON.stringify(config))
    await run(copy.path, tests)
    const report: Report = JSON.parse(await readFile(join(copy.path, 'mutants.json'), 'utf8'))
    return { scores: scoresOf(report), survivors: survivorsOf(report) }
  } finally {
    await copy.remove()
  }
}

const run = (path: string, tests: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(path, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run'], {
      cwd: path,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, MUTANTS_TESTS: tests.join(',') },
    })
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`Stryker ended with ${code}.`))))
  })

const noticed = new Set(['Killed', 'Timeout'])
const missed = new Set(['Survived', 'NoCoverage'])

function scoresOf({ files }: Report): Score[] {
  const scores = new Map<string, Score>()
  for (const [file, { mutants }] of Object.entries(files)) {
    const folder = dirname(file)
    const score = scores.get(folder) ?? { folder, mutants: 0, noticed: 0 }
    scores.set(folder, score)
    for (const { status } of mutants) {
      if (noticed.has(status)) score.noticed++
      if (noticed.has(status) || missed.has(status)) score.mutants++
    }
  }
  return [...scores.values()]
}

const survivorsOf = ({ files }: Report): Survivor[] =>
  Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants
      .filter(({ status }) => missed.has(status))
      .map(({ mutatorName, replacement = '', status, location: { start } }) => ({
        place: `${file}:${start.line}:${start.column}`,
        kind: mutatorName,
        becomes: replacement.replace(/\s+/g, ' ').slice(0, 100),
        covered: status === 'Survived',
      })),
  )
