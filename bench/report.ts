import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'

export interface Row {
  measured: string
  target: string
  result: string
  /** How far the rounds lay apart. */
  spread?: string
  /** Absolute figures, which hold for one machine and one moment only. */
  absolute?: string
  pass: boolean
}

const file = new URL('README.md', import.meta.url)
const marker = (name: string) => ({ start: `<!-- ${name} -->`, end: `<!-- /${name} -->` })

/** Replaces one benchmark's table in the README, and leaves the others as they were. */
export async function writeTable(name: string, rows: readonly Row[]): Promise<void> {
  const text = await readFile(file, 'utf8')
  const { start, end } = marker(name)
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < 0) throw new Error(`bench/README.md has no place for "${name}".`)
  await writeFile(file, `${text.slice(0, from)}${start}\n${table(rows)}\n\n${circumstances()}\n${text.slice(to)}`)
}

export function table(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(['Measured', 'Target', 'Result', 'Spread', 'For illustration', '']),
    line(Array.from({ length: 6 }, () => '---')),
    ...rows.map((row) =>
      line([row.measured, row.target, row.result, row.spread ?? '', row.absolute ?? '', row.pass ? 'yes' : '**no**']),
    ),
  ].join('\n')
}

function circumstances(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const date = new Date().toISOString().slice(0, 10)
  const machine = `${availableParallelism()} cores, ${process.arch}, ${process.platform}, Node ${process.versions.node}`
  return `${date}, commit ${commit}, ${machine}.`
}
