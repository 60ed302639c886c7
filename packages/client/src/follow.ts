import { type CallOptions, type Http, pause, type Query } from './http.ts'

/** Where a follower stands. A text, to be kept as it is. */
export type Cursor = string

/** Where you keep it: a file, a row beside what you store. */
export interface CursorStore {
  load(): Cursor | null | undefined | Promise<Cursor | null | undefined>
  save(cursor: Cursor): void | Promise<void>
}

export interface FollowOptions {
  /**
   * Where to go on: what you kept, or a place to keep it. A place is written to when you ask for the next change, that is, when
   * you are done with the one before. To be sure that a crash repeats nothing, keep `change.cursor` in the same
   * transaction as what you make of the change, and give it here.
   */
  cursor?: Cursor | CursorStore | null
  /** Where there is no cursor yet: from when on. Everything, unless set. */
  since?: Date | string
  /** Between two questions while nothing has changed; 5 unless set. */
  everySeconds?: number
  /** Ends when all that has changed so far was seen; without it, it goes on until it is stopped. */
  once?: boolean
  signal?: AbortSignal
}

export interface Change<T> {
  record: T
  /** Whether the shop no longer has it. */
  deleted: boolean
  /** Where to go on after this change. */
  cursor: Cursor
}

interface ChangesPage<T> {
  data: T[]
  meta: { next_cursor: string; has_more: boolean }
}

/** A page is read from `since` on; those of it that are done are named, because a page may look different the next time. */
interface Position {
  since: string
  done: string[]
}

const perPage = 100

/**
 * What has changed, oldest change first, for as long as you like. Nothing is left out, and nothing comes twice: a change that
 * follows upon another of the same record brings the record as it is then.
 */
export async function* follow<T extends object>(
  http: Http,
  path: string,
  query: Query,
  options: FollowOptions = {},
): AsyncGenerator<Change<T>, void, undefined> {
  const { everySeconds = 5, once = false, signal } = options
  const { start, save } = await beginning(options)
  let { since, done } = start
  while (!signal?.aborted) {
    const calling: CallOptions = {
      query: { ...query, per_page: perPage, updated_since: since },
      ...(signal ? { signal } : {}),
    }
    const { data, meta } = (await http.call('GET', path, calling)) as ChangesPage<T>
    const known = new Set(done)
    const fresh = data.filter((record) => !known.has(nameOf(record)))
    for (const [n, record] of fresh.entries()) {
      const isLast = n === fresh.length - 1
      const seen = [...done, ...fresh.slice(0, n + 1).map(nameOf)]
      const cursor = isLast ? written({ since: meta.next_cursor, done: [] }) : written({ since, done: seen })
      yield { record, deleted: isDeleted(record), cursor }
      await save(cursor)
    }
    since = meta.next_cursor
    done = []
    if (meta.has_more) continue
    if (once) return
    await pause(everySeconds * 1000, signal).catch(() => undefined)
  }
}

async function beginning({
  cursor = null,
  since,
}: FollowOptions): Promise<{ start: Position; save: CursorStore['save'] }> {
  const isStore = typeof cursor === 'object' && cursor !== null
  const kept = isStore ? await cursor.load() : cursor
  const first = since instanceof Date ? since.toISOString() : (since ?? '2000-01-01T00:00:00Z')
  return {
    start: kept ? read(kept) : { since: first, done: [] },
    save: isStore ? (next) => cursor.save(next) : () => undefined,
  }
}

const written = ({ since, done }: Position): Cursor => JSON.stringify(done.length === 0 ? [since] : [since, done])

function read(cursor: Cursor): Position {
  try {
    const [since, done = []] = JSON.parse(cursor) as [string, string[]?]
    if (typeof since === 'string' && Array.isArray(done)) return { since, done }
  } catch {
    // Falls through: it is none of ours.
  }
  throw new TypeError('This is no cursor of a follower.')
}

/** A record in one of its states. Stock has no id, but an article and a place. */
function nameOf(record: object): string {
  const { id, sku, location, updated_at } = record as Record<string, unknown>
  return JSON.stringify([id ?? [sku, location], updated_at])
}

const isDeleted = (record: object): boolean => ((record as { deleted_at?: unknown }).deleted_at ?? null) !== null
