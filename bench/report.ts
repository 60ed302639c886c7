import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { Rounds } from './support/compare.ts'

export interface Row {
  measured: string
  target: string
  result: string
  /** How far the rounds lay apart. */
  spread?: string
  /** Absolute figures, which hold for one machine and one moment only. */
  absolute?: string
  /** What `--check` compares: ratios, which carry over from one run to another on the same kind of machine. */
  rounds?: Rounds
  /** Null where there is no target. */
  pass: boolean | null
}

export interface Results {
  date: string
  commit: string
  cores: number
  arch: string
  platform: string
  node: string
  rows: readonly Row[]
}

/** The last run of each benchmark that was kept. The tables of the README are written from it. */
export type Kept = Readonly<Record<string, Results>>

const keptFile = new URL('results.json', import.meta.url)
const readme = new URL('README.md', import.meta.url)

export const readKept = async (): Promise<Kept> => JSON.parse(await readFile(keptFile, 'utf8'))

/** Replaces what is kept of one benchmark and leaves the others as they were. */
export async function keep(name: string, results: Results): Promise<void> {
  const kept = { ...(await readKept()), [name]: results }
  await writeFile(keptFile, `${JSON.stringify(kept, null, 2)}\n`)
  await writeFile(readme, withTables(await readFile(readme, 'utf8'), kept))
}

/** The text of the README with the tables of what is kept. */
export function withTables(text: string, kept: Kept): string {
  let written = text
  for (const [name, results] of Object.entries(kept)) {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
    const [from, to] = [written.indexOf(start), written.indexOf(end)]
    if (from < 0 || to < 0) throw new Error(`bench/README.md has no place for "${name}".`)
    const body = `${start}\n${table(results.rows)}\n\n${circumstances(results)}\n`
    written = written.slice(0, from) + body + written.slice(to)
  }
  return written
}

export function table(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(['Measured', 'Target', 'Result', 'Spread', 'For illustration', '']),
    line(Array.from({ length: 6 }, () => '---')),
    ...rows.map((row) =>
      line([row.measured, row.target, row.result, row.spread ?? '', row.absolute ?? '', verdictOf(row)]),
    ),
  ].join('\n')
}

const verdictOf = ({ pass }: Row): string => (pass === null ? '' : pass ? 'yes' : '**no**')

/** What was measured just now, by what and on what. */
export const resultsOf = (rows: readonly Row[]): Results => ({
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  cores: availableParallelism(),
  arch: process.arch,
  platform: process.platform,
  node: process.versions.node,
  rows,
})

const circumstances = ({ date, commit, cores, arch, platform, node }: Results): string =>
  `${date}, commit ${commit}, ${cores} cores, ${arch}, ${platform}, Node ${node}.`
