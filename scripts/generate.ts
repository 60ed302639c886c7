import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateApiChangelog } from './generate-api-changelog.ts'
import { generateClientTypes, generateLibraryTypes, generateOpenApi } from './generate-openapi.ts'
import { generatePlatforms } from './generate-platforms.ts'
import { generateRights } from './generate-rights.ts'
import { areTablesFresh, generateTables } from './generate-tables.ts'

/** A file that is made from another source of truth, and checked in. The path starts at the root of the repository. */
interface GeneratedFile {
  path: string
  text: string
}

/** Every generator, in order: a later one may need what an earlier one wrote. */
const generators: readonly (() => Promise<GeneratedFile>)[] = [
  generateTables,
  generateOpenApi,
  generateClientTypes,
  generateLibraryTypes,
  generatePlatforms,
  generateRights,
  generateApiChangelog,
]

const root = join(import.meta.dirname, '..')
const onlyCheck = process.argv.includes('--check')
const stale: string[] = []

for (const generate of generators) {
  if (onlyCheck && generate === generateTables && (await areTablesFresh())) continue
  const { path, text } = await generate()
  const current = await readFile(join(root, path), 'utf8').catch(() => '')
  if (current === text) continue
  stale.push(path)
  if (!onlyCheck) await writeFile(join(root, path), text)
}

const word = onlyCheck ? 'out of date, run npm run gen' : 'written'
for (const path of stale) process.stdout.write(`${path}: ${word}\n`)
if (onlyCheck && stale.length > 0) process.exitCode = 1
