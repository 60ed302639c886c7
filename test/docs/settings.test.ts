import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'

/** Settings have the names and the defaults that `.env.example` and the guide for operators give them. */

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

const unset = readConfig({})
/** A setting that has its default changes nothing. */
const set = (name: string, value: string) => readConfig({ [name]: value })

/** What is read, and not what the command line goes by, which stands before. */
const source = read('src/config.ts')
const settings = new Set(
  [...source.slice(source.indexOf('export function readConfig')).matchAll(/\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*\b(?=[':])/g)]
    .map(([name]) => name)
    // Says in which surroundings it runs, and is nobody's own.
    .filter((name) => name !== 'NODE_ENV'),
)

describe('.env.example', () => {
  const named = new Map(
    [...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )

  test('has every setting, and none that is not read', () => {
    expect(settings.size).toBeGreaterThan(40)
    expect([...settings].filter((name) => !named.has(name))).toEqual([])
    const inFiles = [...named.keys()].filter((name) => settings.has(name.replace(/_FILE$/, '')))
    expect([...named.keys()].filter((name) => !inFiles.includes(name))).toEqual([])
  })

  // One that is off by default is shown with an example.
  const figures = [...named].filter(([name, value]) => /^\d+$/.test(value) && name !== 'PROBE_PORT')
  test.each(figures)('%s is %s by default', (name, value) => {
    expect(set(name, value)).toEqual(unset)
  })
})

describe('the table of the guide', () => {
  const guide = read('docs/guides/operate.md')
  const table = guide.slice(guide.indexOf('## Limits and ways out'), guide.indexOf('## Personal data'))
  const rows = [...table.matchAll(/^\| (`[A-Z].*?`) \| (.*?) \|/gm)].flatMap(([, names = '', defaults = '']) => {
    const [first = '', ...others] = names.split(', ').map((name) => name.replaceAll('`', ''))
    const stem = first.slice(0, first.lastIndexOf('_'))
    const all = [first, ...others.map((name) => (name.startsWith('_') ? stem + name : name))]
    const values = defaults
      .replaceAll('`', '')
      .replace(/ each$/, '')
      .split(', ')
    return all.map((name, at) => [name, (values[at] ?? values[0] ?? '').replaceAll(',', '')] as const)
  })

  test('names settings that there are', () => {
    expect(rows.length).toBeGreaterThan(25)
    expect(rows.map(([name]) => name).filter((name) => !settings.has(name))).toEqual([])
  })

  test.each(rows.filter(([, value]) => /^\d+$/.test(value)))('%s is %s by default', (name, value) => {
    expect(set(name, value)).toEqual(unset)
    expect(set(name, String(Number(value) - 1))).not.toEqual(unset)
  })
})
