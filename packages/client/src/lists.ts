import type { CallOptions, Http, Query } from './http.ts'

export interface Page<T> {
  data: T[]
  meta: {
    current_page: number
    last_page: number
    per_page: number
    from: number | null
    to: number | null
    total: number
    /** Only where there are more than were counted: `total` and `last_page` say at least how many, and grow until the last page. */
    total_exact?: false
  }
}

/** Records that come page by page: `for await` goes through all of them, asking for a page when it gets there. */
export interface Listing<T> extends AsyncIterable<T> {
  /** One page, with how many there are in all. */
  page(number?: number): Promise<Page<T>>
  /** So many at most, from the beginning. */
  take(limit: number): Promise<T[]>
}

/** As many as the service gives at once, unless asked for otherwise. */
const perPage = 100

export function listing<T>(
  http: Http,
  path: string,
  query: Query = {},
  options: Pick<CallOptions, 'signal'> = {},
): Listing<T> {
  const read = async (page: number): Promise<Page<T>> =>
    (await http.call('GET', path, { ...options, query: { per_page: perPage, ...query, page } })) as Page<T>
  async function* records(): AsyncGenerator<T, void, undefined> {
    for (let number = 1; ; number++) {
      const { data, meta } = await read(number)
      yield* data
      if (number >= meta.last_page) return
    }
  }
  return {
    page: (number = 1) => read(number),
    async take(limit) {
      const taken: T[] = []
      if (limit <= 0) return taken
      for await (const record of records()) {
        taken.push(record)
        if (taken.length >= limit) break
      }
      return taken
    },
    [Symbol.asyncIterator]: records,
  }
}
