import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { areTablesFresh, generateTables } from '../scripts/generate-tables.ts'

test('the types of tables are those of a database with all migrations', async () => {
  const { path, text } = await generateTables()
  expect(readFileSync(join(import.meta.dirname, '..', path), 'utf8')).toBe(text)
  expect(await areTablesFresh()).toBe(true)
})
