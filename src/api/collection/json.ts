/** Parts of a document that is only known to be JSON. */
export type Json = Readonly<Record<string, unknown>>

export const plain = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** What a reference of the document means. */
export function resolve(document: Json, value: unknown): Json {
  const part = plain(value)
  const ref = part['$ref']
  if (typeof ref !== 'string') return part
  let found: unknown = document
  for (const name of ref.slice(2).split('/')) found = plain(found)[name]
  return resolve(document, found)
}
