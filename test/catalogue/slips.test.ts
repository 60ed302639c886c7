import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lists, readList } from '../mutants/mutant.ts'

/** Slips that are kept as data are tried by `npm run mutate`: a list that the source has left behind would try nothing. */

const root = join(import.meta.dirname, '../..')

test.each(lists)('every slip of the list %s can still be made, and its tests are there', async (name) => {
  const { mutants } = await readList(name)
  expect(mutants.length).toBeGreaterThan(50)
  const stale = mutants.flatMap(({ id, file, was, tests }) => {
    const times = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8').split(was).length - 1 : 0
    const missing = tests.filter((path) => !existsSync(join(root, path))).map((path) => `${id}: no ${path}`)
    return times === 1 ? missing : [`${id}: stands ${times} times in ${file}`, ...missing]
  })
  expect(stale).toEqual([])
})
