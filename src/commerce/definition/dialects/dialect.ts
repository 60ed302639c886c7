import type { DescribedPart } from '../suggest-places.ts'

/**
 * How well-known kinds of services are asked, where the address of a list or the name of its key tells which it is. Only what
 * was tried on such a server; a trial shows whether it fits this one.
 */
export interface Dialect {
  name: string
  paging: Readonly<Record<string, unknown>>
  /** Where an answer has its list; the body itself if left out. */
  items?: string
  /** Where a single record is; the body itself if left out. */
  record?: string
  total?: string
  /** What goes with every list: `expanded` are places that have only ids until they are asked for. */
  query(expanded: readonly string[], part: DescribedPart): readonly { name: string; value: string }[]
  /** What of it goes with a single record. */
  single: readonly string[]
  /** What changed since; of several places the first that has something counts. */
  since(places: readonly string[], part: DescribedPart): unknown
  /** One record by what it has at a place. */
  find(place: string, value: string): readonly { name: string; value: string }[]
  method: 'PATCH' | 'PUT'
  /** What no name tells, such as numbers that stand for words: by its place, from the top of the description. */
  known?: Partial<Record<DescribedPart, Readonly<Record<string, unknown>>>>
  /** How levels are set, where that is not by a change of the article. */
  stock?(sku: string): {
    fields: object
    set: { method: string; path: string; body: readonly object[]; find: object }
  }
}
