import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { bodyOf, bodyOrNull, type Fields, fieldsOf, idIn, numberIn, recordsIn, timeIn } from '../../commerce/reading.ts'
import type { RemoteRequest } from '../../commerce/remote.ts'
import { listByTime } from '../../commerce/wire/time-pages.ts'
import type { MedusaShop } from './settings.ts'

/** A list of the server: where it is, the field it stands in, which fields of each, and which of it. */
export interface ServerList {
  path: string
  name: string
  fields: string
  filter?: RemoteRequest['query']
}

export interface ServerPage extends RawPage {
  items: readonly Fields[]
}

const maxPerRequest = 100

async function ask({ remote }: MedusaShop, { path, name, fields, filter }: ServerList, page: RemoteRequest['query']) {
  const query = { fields, ...filter, ...page }
  const body = fieldsOf(bodyOf(await remote.request({ method: 'GET', path, query })))
  return { rows: recordsIn(body, name), total: numberIn(body, 'count') }
}

/**
 * Pages by a time, oldest first: by that of the making, which never changes, or by that of the last change. By number,
 * pages would slip whenever something moves.
 */
export async function pageBy(
  time: 'created_at' | 'updated_at',
  shop: MedusaShop,
  list: ServerList,
  { updatedSince = null, cursor, limit }: { updatedSince?: string | null; cursor: string | null; limit: number },
): Promise<ServerPage> {
  const size = Math.max(1, Math.min(limit, maxPerRequest))
  const timed = {
    size,
    timeOf: (row: Fields) => timeIn(row, time),
    idOf: (row: Fields) => idIn(row, 'id'),
    ask: ({ from, until, page }: { from: string | null; until: string | null; page: number }) =>
      ask(shop, list, {
        // Within one second any order will do that is always the same.
        order: until === null ? time : 'id',
        limit: size,
        offset: (page - 1) * size,
        ...(from === null ? {} : { [`${time}[$gte]`]: `${from}Z` }),
        ...(until === null ? {} : { [`${time}[$lt]`]: `${until}Z` }),
      }),
  }
  const { items, next, total } = await listByTime(timed, { updatedSince, cursor })
  return { items: recordsIn({ items }, 'items'), next, total }
}

/**
 * Pages by id, for what cannot be asked for by time. Ids grow; if the last one is no longer where it was, something before
 * it is gone, and a page more is read of which only what comes after it counts.
 */
export async function pageById(
  shop: MedusaShop,
  list: ServerList,
  { cursor, limit }: Pick<ReadQuery, 'cursor' | 'limit'>,
): Promise<ServerPage> {
  const size = Math.max(1, Math.min(limit, maxPerRequest))
  const [place = '0', last = ''] = cursor?.split('|') ?? []
  const at = Number.parseInt(place, 10) || 0
  const from = async (offset: number) => ({
    offset,
    ...(await ask(shop, list, { order: 'id', limit: size + 1, offset })),
  })
  let page = await from(Math.max(0, at - 1))
  const [first] = page.rows
  if (at > 0 && (!first || idIn(first, 'id') !== last)) page = await from(Math.max(0, at - 1 - size))
  const items = page.rows.filter((row) => idIn(row, 'id') > last)
  const end = page.offset + page.rows.length
  const lastHere = items.at(-1)
  const next = end < page.total ? `${end}|${lastHere ? idIn(lastHere, 'id') : last}` : null
  return { items, next, total: null }
}

export async function byIds(shop: MedusaShop, list: ServerList, ids: readonly string[]): Promise<readonly Fields[]> {
  if (ids.length === 0) return []
  const { filter: _, ...whole } = list
  return (await ask(shop, whole, { 'id[]': ids, limit: ids.length, offset: 0 })).rows
}

/** One, or null if there is none. */
export async function oneAt(
  { remote }: MedusaShop,
  path: string,
  fields: string,
  name: string,
): Promise<Fields | null> {
  const body = bodyOrNull(await remote.request({ method: 'GET', path, query: { fields } }))
  return body === null ? null : fieldsOf(fieldsOf(body)[name])
}
