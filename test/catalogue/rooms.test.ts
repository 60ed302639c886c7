import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Folders are small enough to be taken in at a glance, and those of connectors look alike. */

const root = join(import.meta.dirname, '../..')
const source = join(root, 'src')
const connectors = join(source, 'connectors')
const maxFiles = 25

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

const allBelow = (folder: string): string[] => [
  folder,
  ...foldersIn(folder).flatMap((name) => allBelow(join(folder, name))),
]

/** The first column of the table in the section "Add a connector". */
function namesOfRoles(): ReadonlySet<string> {
  const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const [, table = ''] = guide.split('| `src/connectors/medusa/` | |\n')
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n')
  const columns = rows.map((row) => row.split('|')[1] ?? '')
  return new Set(
    columns.flatMap((column) => [...column.matchAll(/`([\w-]+(?:\.test)?\.(?:ts|md))`/g)].map(([, name = '']) => name)),
  )
}

test(`no folder of the source holds more than ${maxFiles} files side by side`, () => {
  // What is built holds as much as it does.
  const folders = [
    ...allBelow(source),
    ...['components', 'console', 'lib', 'parts'].flatMap((room) => allBelow(join(root, 'web', room))),
  ]
  const sizes = folders.map((folder) => ({ folder: relative(root, folder), files: filesIn(folder).length }))
  expect(sizes.length).toBeGreaterThan(50)
  expect(sizes.filter(({ files }) => files > maxFiles)).toEqual([])
})

describe('files of a connector are named for their roles', () => {
  const roles = namesOfRoles()
  const types = foldersIn(connectors)

  test.each(types)('%s', (type) => {
    const isKnown = (name: string) =>
      roles.has(name) || name === `${type}.test.ts` || roles.has(name.replace(/\.test\.ts$/, '.ts'))
    expect(filesIn(join(connectors, type)).filter((name) => !isKnown(name))).toEqual([])
  })

  test('and every role of the list has one', () => {
    const used = new Set(types.flatMap((type) => readdirSync(join(connectors, type))))
    expect([...roles].filter((name) => !used.has(name))).toEqual([])
  })
})
