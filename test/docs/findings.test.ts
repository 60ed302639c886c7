import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The list of what real shops taught names tests that there are. */

const root = join(import.meta.dirname, '../..')

interface Named {
  file: string
  title: string
}

function namedIn(page: string): Named[] {
  const rows = page.split('\n').filter((line) => line.startsWith('| '))
  return rows.flatMap((row) =>
    [...row.matchAll(/\]\(\.\.\/([^)]+\.ts)\) “(.+?)”(?=; \[| \|$)/g)].map(([, file = '', title = '']) => ({
      file,
      title,
    })),
  )
}

test('every finding names tests that are there', () => {
  const page = readFileSync(join(root, 'docs/findings.md'), 'utf8')
  const rows = page.split('## Not held')[0]?.match(/^\| (?!\|)(?!---).+ \| .+ \| .+ \|$/gm) ?? []
  expect(rows.filter((row) => namedIn(row).length === 0 && !row.includes('](decisions/'))).toEqual([])
  const named = namedIn(page)
  expect(named.length).toBeGreaterThanOrEqual(rows.length)
  const missing = named.filter(({ file, title }) => {
    const path = join(root, file)
    return !existsSync(path) || !readFileSync(path, 'utf8').replaceAll("\\'", "'").includes(title)
  })
  expect(missing).toEqual([])
})
