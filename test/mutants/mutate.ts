import { parseArgs } from 'node:util'
import { measure, sourcesOf } from './measure.ts'
import { type ListName, lists, readList } from './mutant.ts'
import { project } from './project-copy.ts'
import { replay } from './replay.ts'
import { writeScores } from './score-report.ts'
import { isTriedAlone } from './tests-beside.ts'

/**
 * npm run mutate -- PATH… [--rules] [--jobs N] [--write]
 * Stryker's mutants of these files, folders or patterns, before the tests beside them that need no database. Prints what
 * survived and the score of each folder; `--write` puts it into docs/proofs.md. `--rules`: only of files that have tests of
 * their own without a database, as those of pure rules do.
 *
 * npm run mutate -- --known | --chosen [--only ID,…] [--jobs N] [--write]
 * Slips that are kept as data (`known.json`, `chosen.json`), each before the tests that have to notice it. Exit code 1
 * if one is missed.
 */
const { values: options, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    known: { type: 'boolean', default: false },
    chosen: { type: 'boolean', default: false },
    only: { type: 'string' },
    rules: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})

const say = (text: string) => void process.stdout.write(`${text}\n`)
const jobs = Number(options.jobs)

async function replayLists(names: readonly ListName[]): Promise<boolean> {
  const only = options.only?.split(',')
  let good = true
  for (const name of names) {
    const { mutants: all } = await readList(name)
    const mutants = all.filter(({ id, equivalent }) => equivalent === undefined && (!only || only.includes(id)))
    let done = 0
    const outcomes = await replay(mutants, {
      jobs,
      tell: ({ mutant, end, by }) =>
        say(`[${++done} of ${mutants.length}] ${end} ${mutant.id}: ${mutant.says}\n    ${by}`),
    })
    const missed = outcomes.filter(({ end }) => end !== 'killed')
    say(`${name}: ${outcomes.length - missed.length} of ${outcomes.length} noticed.`)
    for (const { mutant, end, by } of missed) say(`  ${end} ${mutant.id} (${mutant.file}): ${mutant.says} [${by}]`)
    good &&= missed.length === 0
    const score = {
      folder: `slips by hand, ${name}`,
      mutants: outcomes.length,
      noticed: outcomes.length - missed.length,
    }
    if (options.write && !only) await writeScores([score])
  }
  return good
}

async function measurePaths(): Promise<void> {
  const sources = await sourcesOf(paths)
  const files = options.rules ? sources.filter((file) => isTriedAlone(project, file)) : sources
  const { scores, survivors } = await measure(files, { jobs, tell: say })
  for (const { place, kind, becomes, covered } of survivors) {
    say(`${place} ${kind} → ${becomes}${covered ? '' : ' (no test comes by)'}`)
  }
  for (const { folder, mutants, noticed } of scores) {
    say(`${folder}: ${noticed} of ${mutants} (${Math.round((noticed / Math.max(1, mutants)) * 1000) / 10} %)`)
  }
  if (options.write) await writeScores(scores)
}

const named = lists.filter((name) => options[name])
if (named.length === 0 && paths.length === 0) {
  process.stderr.write('Which ones? Paths, --known or --chosen, and --only ID,… of these.\n')
  process.exit(2)
}
if (paths.length > 0) await measurePaths()
process.exit((await replayLists(named)) ? 0 : 1)
