import type { Context } from '../../domain/context.ts'
import type { PageOf, Reader, Version } from '../../runtime/db/lists/paginate.ts'
import type { Page } from '../../runtime/http/endpoint.ts'
import type { ListQuery } from '../../runtime/http/input/list-query.ts'
import { type KeptBytes, keptBytes } from '../../runtime/http/written/kept-bytes.ts'
import { Written } from '../../runtime/http/written/written.ts'

export interface Versioned<Row extends { id: number }> {
  /** Of the kind of record, in the shop that it belongs to. */
  name: string
  /** What is on the page. */
  versions(reader: Reader, query: ListQuery): Promise<PageOf<Version>>
  byIds(reader: Reader, ids: readonly number[]): Promise<readonly Row[]>
  versionOf(row: Row): string
  /** What they are opened with just now, null where that is not in memory; not there for records in the clear. */
  openedWith?(reader: Reader): object | null
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

const inTheClear = {}

const marks = new WeakMap<object, object>()

/** Stands for what records are opened with: a key that was destroyed is not kept in memory by what it opened. */
function markOf(key: object): object {
  const mark = marks.get(key) ?? {}
  marks.set(key, mark)
  return mark
}

/**
 * The first page of a list, which software asks for again and again: which records are on it is asked each time, and of those that are as they were
 * when they were last shown the bytes are still there. To read, open and write them again takes several times as long. Null where one has
 * changed between the two questions.
 */
export async function firstPage<Row extends { id: number }>(
  context: Context,
  query: ListQuery,
  { name, versions, byIds, versionOf, openedWith = () => inTheClear, shownBy, view }: Versioned<Row>,
): Promise<Page<Written> | null> {
  if (query.page > 1) return null
  const { reader } = context
  const records = keptOf(context)
  const page = await versions(reader, query)
  const nameOf = (id: number) => `${name}/${id}`
  const marksOf = (version: string, key: object) => [version, shownBy, markOf(key)]
  const known = openedWith(reader)
  const found = new Map<number, Written>()
  for (const { id, version } of page.rows) {
    const written = known && records.get(nameOf(id), marksOf(version, known))
    if (written) found.set(id, written)
  }
  const missing = page.rows.filter(({ id }) => !found.has(id))
  if (missing.length > 0) {
    const rows = await byIds(
      reader,
      missing.map(({ id }) => id),
    )
    // Before anything else is waited for: it is what they were opened with. Where it has gone meanwhile, nothing is kept.
    const key = openedWith(reader)
    const now = new Map(rows.map((row) => [row.id, versionOf(row)]))
    if (missing.some(({ id, version }) => now.get(id) !== version)) return null
    const views = await view(rows)
    for (const [place, row] of rows.entries()) {
      const written = new Written(views[place])
      found.set(row.id, written)
      if (key) records.keep(nameOf(row.id), marksOf(versionOf(row), key), written)
    }
  }
  return { rows: page.rows.flatMap(({ id }) => found.get(id) ?? []), total: page.total }
}
