import { globSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Mutant } from '@stryker-mutator/api/core'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import type { Attempt } from './attempts.ts'
import { copyProject, type ProjectCopy, project } from './project-copy.ts'
import { testsBeside } from './tests-beside.ts'
import { tryMutants } from './try-mutants.ts'

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
  { jobs, tell }: { jobs: number; tell: (text: string) => void },
): Promise<{ scores: Score[]; survivors: Survivor[] }> {
  const copy = await copyProject()
  try {
    const mutants = await instrument(copy, files)
    tell(`${mutants.length} mutants in ${files.length} files.`)
    const attempts = await tryMutants(copy.path, { tests: testsBeside(copy.path, files), jobs, tell })
    return { scores: scoresOf(mutants, attempts), survivors: survivorsOf(mutants, attempts) }
  } finally {
    await copy.remove()
  }
}

/** All mutants of these files are in them at once, each behind a switch. */
async function instrument(copy: ProjectCopy, files: readonly string[]): Promise<readonly Mutant[]> {
  const sources = await Promise.all(
    files.map(async (name) => ({ name, mutate: true, content: await readFile(join(copy.path, name), 'utf8') })),
  )
  const instrumenter = new Instrumenter(silent)
  const made = await instrumenter.instrument(sources, { plugins: null, excludedMutations: [], ignorers: [] })
  for (const { name, content } of made.files) await writeFile(join(copy.path, name), content)
  return made.mutants.filter(({ status }) => status !== 'Ignored')
}

const nothing = () => {}
const silent = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
}

/** Mutants that a test has noticed, and those that it has reached at least. */
interface Ends {
  noticed: ReadonlySet<string>
  reached: ReadonlySet<string>
}

const endsOf = (attempts: readonly Attempt[]): Ends => {
  const last = new Map(attempts.map((attempt) => [`${attempt.file} ${attempt.id}`, attempt]))
  const ends = [...last.values()]
  return {
    noticed: new Set(ends.filter(({ end }) => end === 'killed' || end === 'hung').map(({ id }) => id)),
    reached: new Set(ends.map(({ id }) => id)),
  }
}

function scoresOf(mutants: readonly Mutant[], attempts: readonly Attempt[]): Score[] {
  const { noticed } = endsOf(attempts)
  const scores = new Map<string, Score>()
  for (const { id, fileName } of mutants) {
    const folder = dirname(fileName)
    const score = scores.get(folder) ?? { folder, mutants: 0, noticed: 0 }
    scores.set(folder, score)
    score.mutants++
    if (noticed.has(id)) score.noticed++
  }
  return [...scores.values()]
}

function survivorsOf(mutants: readonly Mutant[], attempts: readonly Attempt[]): Survivor[] {
  const { noticed, reached } = endsOf(attempts)
  return mutants
    .filter(({ id }) => !noticed.has(id))
    .map(({ id, fileName, mutatorName, replacement, location: { start } }) => ({
      place: `${fileName}:${start.line + 1}:${start.column + 1}`,
      kind: mutatorName,
      becomes: replacement.replace(/\s+/g, ' ').slice(0, 100),
      covered: reached.has(id),
    }))
}
