import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** What only a database, or a whole server, can answer. */
const database = 'test/support/database.ts'

/**
 * The tests that are named for these files, and after them those in the folders of the others and below, as far as they
 * need nothing that has to be started: hundreds of mutants go before them in seconds. Those of properties try thousands of
 * cases, which is too long for each mutant.
 */
export function testsBeside(root: string, files: readonly string[]): string[] {
  const named = new Map(files.map((file) => [file, ownTest(file)]))
  const own = [...named.values()].filter((test) => existsSync(join(root, test)))
  const others = files
    .filter((file) => !own.includes(named.get(file) ?? ''))
    .flatMap((file) => globSync(`${dirname(file)}/**/*.test.ts`, { cwd: root }).sort())
  return [...new Set([...own, ...others])].filter(
    (test) => !/\.property\.test\.ts$/.test(test) && !reaches(root, test, database),
  )
}

const ownTest = (file: string): string => file.replace(/\.ts$/, '.test.ts')

/** Whether a test that is named for the file tries it without a database: those of pure rules are. */
export const isTriedAlone = (root: string, file: string): boolean =>
  existsSync(join(root, ownTest(file))) && !reaches(root, ownTest(file), database)

function reaches(root: string, from: string, target: string): boolean {
  const seen = new Set<string>()
  const waiting = [from]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (file === target) return true
    if (seen.has(file)) continue
    seen.add(file)
    waiting.push(...importsOf(root, file))
  }
  return false
}

function importsOf(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const named = [...text.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+\.ts)'/g)].map(([, name = '']) => name)
  return named
    .map((name) => relative(root, join(root, dirname(file), name)))
    .filter((name) => existsSync(join(root, name)))
}
