import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** What only a database, or a whole server, can answer. */
const database = 'test/support/database.ts'

/**
 * The test that is named for a file, else those in its folder and below, as far as they need nothing that has to be
 * started: hundreds of mutants go before them in seconds.
 */
export function testsBeside(root: string, files: readonly string[]): string[] {
  const tests = files.flatMap((file) => {
    const own = file.replace(/\.ts$/, '.test.ts')
    return existsSync(join(root, own)) ? [own] : globSync(`${dirname(file)}/**/*.test.ts`, { cwd: root })
  })
  return [...new Set(tests)].filter((test) => !reaches(root, test, database)).sort()
}

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
