import { benchmarks } from './benchmarks.ts'
import { check } from './check.ts'
import { options, say } from './options.ts'
import { keep, readKept, resultsOf, table } from './report.ts'
import { profiled } from './support/profile.ts'

const chosen = Object.entries(benchmarks).filter(([name]) => options.only === undefined || options.only === name)
if (chosen.length === 0) {
  say(`There is no benchmark "${options.only}". There are: ${Object.keys(benchmarks).join(', ')}.`)
  process.exit(2)
}
let failed = 0
for (const [name, measure] of chosen) {
  say(`\n${name}`)
  const rows = await (options.profile ? profiled(name, measure) : measure())
  say(`\n${table(rows)}`)
  if (rows.length === 0) continue
  const results = resultsOf(rows)
  if (options.check) {
    const findings = check((await readKept())[name], results)
    for (const { sentence } of findings) say(sentence)
    failed += findings.filter(({ lost }) => lost).length
  } else {
    failed += rows.filter(({ pass }) => pass === false).length
    if (!options.dry) await keep(name, results)
  }
}
process.exit(failed > 0 ? 1 : 0)
