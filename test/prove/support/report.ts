import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { scoreHeading } from '../../mutants/score-report.ts'

export interface Result {
  name: string
  asked: string
  measured: string
  pass: boolean
  seconds: number
}

const file = new URL('../../../docs/proofs.md', import.meta.url)

const head = `# Proofs

What cannot be shown in seconds: kills, races and floods at their full figures. Written by \`npm run prove\`; each is a file
of its own in [test/prove](../test/prove), and \`npm test\` runs the same files with small figures.
Rows that begin with *real* are of [real stores](guides/try-your-own-store.md): \`npm run test:stores\`, and what needs hands at the shop besides.

| Proof | Asked | Measured | | Took | Date | Commit |
| --- | --- | --- | --- | --- | --- | --- |
`

/** A run of some proofs leaves the rows of the others as they were. */
export async function writeResults(results: readonly Result[]): Promise<void> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const date = new Date().toISOString().slice(0, 10)
  const [proofs = '', ...scores] = (await readFile(file, 'utf8').catch(() => '')).split(scoreHeading)
  const rows = new Map(rowsIn(proofs))
  for (const { name, asked, measured, pass, seconds } of results) {
    const cells = [name, asked, measured, pass ? 'holds' : '**fails**', `${Math.round(seconds)} s`, date, commit]
    rows.set(name, `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`)
  }
  const machine = `${availableParallelism()} cores, ${process.arch}, ${process.platform}, Node ${process.versions.node}`
  const below = scores.map((text) => `\n${scoreHeading}${text}`).join('')
  await writeFile(file, `${head}${[...rows.values()].join('\n')}\n\nLast run on ${machine}.\n${below}`)
}

function rowsIn(text: string): [string, string][] {
  return text
    .split('\n')
    .filter((line) => /^\| (?!Proof|---)/.test(line))
    .map((line) => [line.split(' | ')[0]?.slice(2) ?? '', line])
}
