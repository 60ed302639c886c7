import type { Context } from '../../domain/context.ts'
import type { PageOf, Reader } from '../../runtime/db/lists/paginate.ts'
import type { Page } from '../../runtime/http/endpoint.ts'
import type { ListQuery } from '../../runtime/http/input/list-query.ts'
import { type KeptBytes, keptBytes } from '../../runtime/http/written/kept-bytes.ts'
import { Written } from '../../runtime/http/written/written.ts'

/** Which record it is, and as of when. */
export interface Version {
  id: number
  updated_at: string
}

export interface Versioned<Row> {
  name: string
  /** What is on the page. */
  versions(reader: Reader, integrationId: number, query: ListQuery): Promise<PageOf<Version>>
  byIds(reader: Reader, integrationId: number, ids: readonly number[]): Promise<Row[]>
  /** What they are opened with just now; null where that is not in memory. */
  openedWith(reader: Reader, integrationId: number): object | null
  /** What else the view of a record follows from. */
  shownBy: unknown
  view(rows: readonly Row[]): readonly unknown[] | Promise<readonly unknown[]>
}

/** In the clear, so for no longer than this; and shown to nobody once the key that it was opened with has left memory. */
const kept = { maxBytes: 16 * 1024 * 1024, maxAgeMs: 60_000 }

const keptByDatabase = new WeakMap<Context['db'], KeptBytes<Written>>()

function keptOf({ db }: Context): KeptBytes<Written> {
  const known = keptByDatabase.get(db) ?? keptBytes<Written>(kept)
  keptByDatabase.set(db, known)
  return known
}

/**
 * The first page of a list, which software asks for again and again: which records are on it is asked each time, and of those that are as they were
 * when they were last shown the bytes are still there. To read, open and write them again takes several times as long. Null where one has
 * changed between the two questions.
 */
export async function firstPage<Row extends Version>(
  context: Context,
  integrationId: number,
  query: ListQuery,
  { name, versions, byIds, openedWith, shownBy, view }: Versioned<Row>,
): Promise<Page<Written> | null> {
  if (query.page > 1 || query.since !== null) return null
  const { reader } = context
  const records = keptOf(context)
  const page = await versions(reader, integrationId, query)
  const nameOf = (id: number) => `${name}/${integrationId}/${id}`
  const marksOf = ({ updated_at: at }: Version, key: object) => [at, shownBy, key]
  const known = openedWith(reader, integrationId)
  const found = new Map<number, Written>()
  for (const version of page.rows) {
    const written = known && records.get(nameOf(version.id), marksOf(version, known))
    if (written) found.set(version.id, written)
  }
  const missing = page.rows.filter(({ id }) => !found.has(id))
  if (missing.length > 0) {
    const rows = await byIds(
      reader,
      integrationId,
      missing.map(({ id }) => id),
    )
    // Before anything else is waited for: it is what they were opened with. Where it has gone meanwhile, nothing is kept.
    const key = openedWith(reader, integrationId)
    const now = new Map(rows.map((row) => [row.id, row.updated_at]))
    if (missing.some(({ id, updated_at: at }) => now.get(id) !== at)) return null
    const views = await view(rows)
    for (const [place, row] of rows.entries()) {
      const written = new Written(views[place])
      found.set(row.id, written)
      if (key) records.keep(nameOf(row.id), marksOf(row, key), written)
    }
  }
  return { rows: page.rows.flatMap(({ id }) => found.get(id) ?? []), total: page.total }
}
