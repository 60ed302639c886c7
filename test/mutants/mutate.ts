import { parseArgs } from 'node:util'
import { lists, readList } from './mutant.ts'
import { replay } from './replay.ts'

/**
 * npm run mutate -- --known | --chosen [--only ID,…] [--jobs N]
 * Replays slips that are kept as data (`known.json`, `chosen.json`). Exit code 1 if a test misses one of them.
 */
const { values: options } = parseArgs({
  options: {
    known: { type: 'boolean', default: false },
    chosen: { type: 'boolean', default: false },
    only: { type: 'string' },
    jobs: { type: 'string', default: '1' },
  },
})

const say = (text: string) => void process.stdout.write(`${text}\n`)
const only = options.only?.split(',')
const named = await Promise.all(lists.filter((name) => options[name]).map(readList))
const mutants = named.flatMap(({ mutants: all }) => all).filter(({ id }) => !only || only.includes(id))
if (mutants.length === 0) {
  process.stderr.write('Which ones? --known, --chosen, and --only ID,… of them.\n')
  process.exit(2)
}
let done = 0
const outcomes = await replay(mutants, {
  jobs: Number(options.jobs),
  tell: ({ mutant, end, by }) => say(`[${++done} of ${mutants.length}] ${end} ${mutant.id}: ${mutant.says}\n    ${by}`),
})
const missed = outcomes.filter(({ end }) => end !== 'killed')
say(`${outcomes.length - missed.length} of ${outcomes.length} noticed.`)
for (const { mutant, end, by } of missed) say(`  ${end} ${mutant.id} (${mutant.file}): ${mutant.says} [${by}]`)
process.exit(missed.length === 0 ? 0 : 1)
