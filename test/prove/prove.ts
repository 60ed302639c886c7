import { parseArgs } from 'node:util'
import { proofs } from './index.ts'
import { openDatabases } from './support/lab.ts'
import { type Result, writeResults } from './support/report.ts'

/**
 * npm run prove [-- --only NAME] [--pooler] [--quick] [--figures '{"kills": 3}']
 * Runs the long proofs and writes docs/proofs.md; with small figures (`--quick`) or other ones (`--figures`) it only prints. Exit code 1 if one fails.
 * With `--pooler` all processes work through a PgBouncer in transaction mode, and each row says so.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    pooler: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    figures: { type: 'string' },
  },
})

const chosen = proofs.filter(({ name }) => options.only === undefined || options.only === name)
if (chosen.length === 0) {
  process.stderr.write(
    `There is no proof "${options.only}". There are: ${proofs.map(({ name }) => name).join(', ')}.\n`,
  )
  process.exit(2)
}

const other = options.figures === undefined ? undefined : JSON.parse(options.figures)
const terminal = process.stdout.isTTY
const say = (text: string) => void process.stdout.write(`${text}\n`)
const databases = await openDatabases({ pooled: options.pooler })
const results: Result[] = []

for (const [index, proof] of chosen.entries()) {
  const name = options.pooler ? `${proof.name}, pooled` : proof.name
  const title = `[${index + 1} of ${chosen.length}] ${name}`
  say(`${title}: ${proof.asked}`)
  const missing = proof.missing()
  if (missing !== null) {
    say(`  not run: ${missing}`)
    continue
  }
  const begun = performance.now()
  let shown = 0
  const progress = (text: string, done?: number, all?: number) => {
    const line = `  ${text}${done === undefined ? '' : ` ${done} of ${all}`}`
    if (terminal) process.stdout.write(`\r\u001b[K${line}`)
    else if (performance.now() - shown > 10_000) {
      shown = performance.now()
      say(line)
    }
  }
  const outcome = await proof
    .run(options.quick ? 'quick' : 'full', { progress, database: databases.database }, other)
    .catch((error: unknown) => ({ measured: error instanceof Error ? error.message : String(error), pass: false }))
  const seconds = (performance.now() - begun) / 1000
  const asked = options.pooler ? `through PgBouncer in transaction mode: ${proof.asked}` : proof.asked
  results.push({ name, asked, ...outcome, seconds })
  say(
    `${terminal ? '\r\u001b[K' : ''}  ${outcome.pass ? 'holds' : 'FAILS'}: ${outcome.measured} (${Math.round(seconds)} s)`,
  )
}

await databases.close()
if (!options.quick && other === undefined) await writeResults(results)
const failed = results.filter(({ pass }) => !pass)
say(failed.length === 0 ? 'All hold.' : `${failed.length} of ${results.length} fail.`)
process.exit(failed.length === 0 ? 0 : 1)
