import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import type { Score } from './measure.ts'

const file = new URL('../../docs/proofs.md', import.meta.url)

/** Below what `npm run prove` writes, which leaves it as it is. */
export const scoreHeading = '## Mutation score'

const head = `${scoreHeading}

How many slips the tests notice. Folders: mutants that Stryker makes, before the tests beside them that need no database
(\`npm run mutate -- PATH --write\`); of connectors their translators, of \`src/domain\` the files with tests of their own without a
database (\`npm run mutate -- src/domain --rules --write\`). Slips by hand: [known](../test/mutants/known.json), which survived once, and
[chosen](../test/mutants/chosen.json), which were written before the tests were looked at (\`npm run mutate -- --known --write\`).

| Where | Mutants | Noticed | Score | Date | Commit |
| --- | --- | --- | --- | --- | --- |
`

/** A run of some leaves the rows of the others as they were. */
export async function writeScores(scores: readonly Score[]): Promise<void> {
  const text = await readFile(file, 'utf8')
  const [before = '', after = ''] = text.split(scoreHeading)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const date = new Date().toISOString().slice(0, 10)
  const rows = new Map(
    after
      .split('\n')
      .filter((line) => /^\| (?!Where|---)/.test(line))
      .map((line) => [line.split(' | ')[0]?.slice(2) ?? '', line]),
  )
  for (const { folder, mutants, noticed } of scores.filter((score) => score.mutants > 0)) {
    const percent = `${Math.round((noticed / mutants) * 1000) / 10} %`
    rows.set(folder, `| ${[folder, mutants, noticed, percent, date, commit].join(' | ')} |`)
  }
  const table = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
  await writeFile(file, `${before.trimEnd()}\n\n${head}${table.join('\n')}\n`)
}
