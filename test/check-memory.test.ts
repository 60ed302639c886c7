import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { filesOf, openMemory } from '../scripts/check-memory.ts'

test('what was in order is not looked at again, unless it or what its rules follow from is another', async () => {
  const name = `test-${randomUUID()}`
  onTestFinished(() =>
    rm(join(import.meta.dirname, `../node_modules/.cache/entrepot-checks/${name}.json`), { force: true }),
  )
  const [one, two] = [{ text: 'one' }, { text: 'two' }]
  const memory = await openMemory(name, ['rules'])
  expect(memory.unknown([one, two])).toEqual([one, two])
  await memory.keep([one])
  const later = await openMemory(name, ['rules'])
  expect(later.unknown([one, two])).toEqual([two])
  expect((await openMemory(name, ['other rules'])).unknown([one])).toEqual([one])
  await later.keep([two])
  expect((await openMemory(name, ['rules'])).unknown([one, two])).toEqual([one])
})

test('files are known by their place and their content', () => {
  const [file] = filesOf('scripts/check.ts') ?? []
  expect(file?.path).toBe('scripts/check.ts')
  expect(file?.text).toMatch(/^scripts\/check\.ts\nimport /)
})
