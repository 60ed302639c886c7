import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The chart as Helm renders it, kept as files so that a test needs no Helm. After a change of the chart, with `helm` at hand:
 * node test/deploy/helm/render.ts
 */
export const chart = join(import.meta.dirname, '../../../deploy/helm/entrepot')
export const cases = ['least', 'everything'] as const
export type Case = (typeof cases)[number]

export const valuesOf = (name: Case) => join(import.meta.dirname, `${name}.values.yaml`)
export const renderedOf = (name: Case) => join(import.meta.dirname, `${name}.rendered.yaml`)

/** What a rendering depends on, but for the version, which every release changes. */
export async function fingerprint(name: Case): Promise<string> {
  const templates = (await readdir(join(chart, 'templates'))).sort().map((file) => join(chart, 'templates', file))
  const hash = createHash('sha256')
  for (const file of [...templates, join(chart, 'values.yaml'), valuesOf(name)]) hash.update(await readFile(file))
  return hash.digest('hex')
}

export const readRendered = (name: Case): string => readFileSync(renderedOf(name), 'utf8')

if (import.meta.main) {
  for (const name of cases) {
    const args = ['template', 'shop', chart, '--namespace', 'commerce', '--values', valuesOf(name)]
    const text = execFileSync('helm', args, { encoding: 'utf8' })
    await writeFile(renderedOf(name), `# ${await fingerprint(name)}\n${text}`)
  }
}
