import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkDefinition } from '../../src/commerce/definition/check-definition.ts'
import { customConnector } from '../../src/connectors/custom/index.ts'

const folder = join(import.meta.dirname, '../../docs/descriptions')
const files = (await readdir(folder)).filter((name) => name.endsWith('.json'))
const parts = ['orders', 'products', 'inventory'] as const

test.each(files)('%s is a description that reads its own samples, and stands in the table', async (file) => {
  const { name, notes, definition, samples } = JSON.parse(await readFile(join(folder, file), 'utf8'))
  expect([typeof name, typeof notes]).toEqual(['string', 'string'])
  const connector = customConnector(file.replace('.json', ''), checkDefinition(definition))
  const facts = { shop: 'shop.example', settings: {} }
  expect(Object.keys(samples)).toEqual(parts.filter((part) => part in definition))
  for (const part of parts) {
    if (part in samples) expect(connector?.[part]?.translate(samples[part], facts)).toBeTruthy()
  }
  expect(await readFile(join(folder, 'README.md'), 'utf8')).toContain(`[${file}](${file})`)
})

test('there are at least four', () => {
  expect(files.length).toBeGreaterThanOrEqual(4)
})
