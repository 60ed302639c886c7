import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Json, plain } from '../../src/api/collection/json.ts'

/** The document of the last release, without its words: what later ones are compared with. */

const folder = join(import.meta.dirname, '../../docs/api')
export const releasedPath = 'docs/api/released.json'

const words = ['description', 'summary', 'example', 'examples', 'tags', 'operationId', 'title', 'security', 'servers']

/** Without what cannot be broken. A property may be called like a word of the document, and is kept. */
function bare(value: unknown, isProperties = false): unknown {
  if (Array.isArray(value)) return value.map((one) => bare(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isProperties || (!words.includes(name) && !/^[45]\d\d$/.test(name)))
      .map(([name, one]) => [name, bare(one, name === 'properties' && !isProperties)]),
  )
}

/** One line for each path, event and record, so that a release shows what it changes. */
export function snapshotOf(document: Json): string {
  const { paths, webhooks, components } = plain(bare(document))
  const { schemas } = plain(components)
  const lines = (part: unknown) =>
    Object.entries(plain(part))
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(',\n')
  return `{"paths":{\n${lines(paths)}\n},"webhooks":{\n${lines(webhooks)}\n},"components":{"schemas":{\n${lines(schemas)}\n}}}\n`
}

export const readReleased = async (): Promise<Json> => JSON.parse(await readFile(join(folder, 'released.json'), 'utf8'))

/** Breaks that were decided on: the line of the change, and why. */
export const readAccepted = async (): Promise<Readonly<Record<string, string>>> =>
  JSON.parse(await readFile(join(folder, 'accepted-breaks.json'), 'utf8'))
