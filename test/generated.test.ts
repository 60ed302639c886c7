import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { areTablesFresh, generateTables } from '../scripts/generate-tables.ts'
import { headed, isHeaded } from '../scripts/generated-head.ts'

test('the types of tables are those of a database with all migrations', async () => {
  const { path, text } = await generateTables()
  expect(readFileSync(join(import.meta.dirname, '..', path), 'utf8')).toBe(text)
  expect(await areTablesFresh()).toBe(true)
})

test('a generated file is stale once it, or anything that it follows from, is another', () => {
  const follows = { from: 'elsewhere', inputs: ['one', 'two'] }
  const text = headed(follows, 'export const made = 1\n')
  expect(isHeaded(text, follows)).toBe(true)
  expect(isHeaded(text.replace('made = 1', 'made = 2'), follows)).toBe(false)
  expect(isHeaded(text.replace(/^.*\n/, ''), follows)).toBe(false)
  for (const inputs of [['one'], ['one', 'three'], ['one', 'two', 'three']])
    expect(isHeaded(text, { ...follows, inputs })).toBe(false)
  expect(isHeaded('', follows)).toBe(false)
})
