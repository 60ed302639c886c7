import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** What a check has found in order, by the content of what it looked at: the same need not be looked at again. */
export interface CheckMemory {
  /** Those of these texts that are not known to be in order. */
  unknown<T extends { text: string }>(texts: readonly T[]): T[]
  /** All of these are in order, and nothing else is worth remembering. */
  keep(texts: readonly { text: string }[]): Promise<void>
}

const root = join(import.meta.dirname, '..')
const folder = join(root, 'node_modules/.cache/entrepot-checks')

/** `given` is what every finding follows from besides: versions and settings. */
export async function openMemory(name: string, given: readonly string[]): Promise<CheckMemory> {
  const file = join(folder, `${name}.json`)
  const common = hash('sha256', given.join('\n'))
  const nameOf = ({ text }: { text: string }) => hash('sha256', `${common}\n${text}`).slice(0, 32)
  const known = new Set<unknown>(JSON.parse(await readFile(file, 'utf8').catch(() => '[]')))
  return {
    unknown: (texts) => texts.filter((one) => !known.has(nameOf(one))),
    async keep(texts) {
      await mkdir(dirname(file), { recursive: true })
      // Moved into place as a whole: others may be reading it.
      const draft = `${file}.${process.pid}`
      await writeFile(draft, JSON.stringify(texts.map(nameOf)))
      await rename(draft, file)
    },
  }
}

/** Everything in the repository, with what is not added yet and without what is ignored; null where there is no Git. */
export function filesOf(...paths: readonly string[]): { path: string; text: string }[] | null {
  const list = (...more: readonly string[]) =>
    execFileSync('git', ['ls-files', '-z', ...more, '--', ...paths], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
      .split('\0')
      .filter((path) => path !== '')
  try {
    const gone = new Set(list('--deleted'))
    return [...new Set(list('--cached', '--others', '--exclude-standard'))]
      .filter((path) => !gone.has(path))
      .map((path) => ({ path, text: `${path}\n${readFileSync(join(root, path), 'latin1')}` }))
  } catch {
    return null
  }
}
