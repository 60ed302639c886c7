import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateApiChangelog } from './generate-api-changelog.ts'
import { clientTypes, generateOpenApi, libraryTypes } from './generate-openapi.ts'
import { generatePlatforms } from './generate-platforms.ts'
import { generateRights } from './generate-rights.ts'
import { areTablesFresh, generateTables } from './generate-tables.ts'

/** A file that is made from another source of truth, and checked in. The path starts at the root of the repository. */
interface GeneratedFile {
  path: string
  text: string
}

interface Generator {
  generate(): Promise<GeneratedFile>
  /** Whether generating would change nothing, where that can be said for less. */
  areFresh?(): Promise<boolean>
}

/** Every generator, in order: a later one may need what an earlier one wrote. */
const generators: readonly Generator[] = [
  { generate: generateTables, areFresh: areTablesFresh },
  { generate: generateOpenApi },
  clientTypes,
  libraryTypes,
  { generate: generatePlatforms },
  { generate: generateRights },
  { generate: generateApiChangelog },
]

const root = join(import.meta.dirname, '..')
const onlyCheck = process.argv.includes('--check')
const stale: string[] = []

for (const { generate, areFresh } of generators) {
  if (onlyCheck && (await areFresh?.())) continue
  const { path, text } = await generate()
  const current = await readFile(join(root, path), 'utf8').catch(() => '')
  if (current === text) continue
  stale.push(path)
  if (!onlyCheck) await writeFile(join(root, path), text)
}

const word = onlyCheck ? 'out of date, run npm run gen' : 'written'
for (const path of stale) process.stdout.write(`${path}: ${word}\n`)
if (onlyCheck && stale.length > 0) process.exitCode = 1
