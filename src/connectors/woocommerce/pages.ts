import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { lackedLately } from '../../commerce/once-for-shop.ts'
import {
  arrayIn,
  bodyOf,
  type Fields,
  fieldsIn,
  fieldsOf,
  idIn,
  isFields,
  maybeText,
  timeOf,
} from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import { listByTime, secondsFrom } from '../../commerce/wire/time-pages.ts'
import type { WooShop } from './settings.ts'

type Query = NonNullable<RemoteRequest['query']>

/** As many as the platform gives at once. */
export const maxPageSize = 100

interface ChangedQuery extends Pick<ReadQuery, 'updatedSince' | 'cursor' | 'limit'> {
  /** What is asked besides. */
  further?: Query
}

/** Records with `id` and `date_modified_gmt`, oldest change first; by id from sites that are too old to sort so. */
export async function listChanged(
  shop: WooShop,
  path: string,
  { updatedSince, cursor, limit, further = {} }: ChangedQuery,
): Promise<RawPage> {
  const size = Math.min(limit, maxPageSize)
  if (cursor?.startsWith('i|')) return await walk(shop, path, { updatedSince, cursor, size, further })
  const ask = async (from: string | null, until: string | null, page: number) => {
    const query: Query = {
      ...further,
      orderby: 'modified',
      order: 'asc',
      dates_are_gmt: true,
      per_page: size,
      page,
      // Both ends are exclusive there.
      modified_after: from === null ? null : secondsFrom(from, -1),
      modified_before: until,
    }
    const read = rowsOf(await shop.remote.request({ method: 'GET', path, query }))
    if (from !== null && read.rows.some((row) => changedAt(row).slice(0, 19) < from)) throw tooOld
    return read
  }
  try {
    const list = {
      size,
      ask: ({ from, until, page }: { from: string | null; until: string | null; page: number }) =>
        ask(from, until, page),
      timeOf: changedAt,
      idOf: (row: Fields) => idIn(row, 'id'),
    }
    return await listByTime(list, { updatedSince, cursor })
  } catch (error) {
    if (error !== tooOld) throw error
    return await walk(shop, path, { updatedSince, cursor: null, size, further })
  }
}

/** WooCommerce before 5.8: it refuses the order, or does not look at the time. */
const tooOld = new Error('The site does not list by the time of the last change.')

/**
 * By id, which never changes. Each page begins with the last record of the one before: if that has moved up, something
 * was deleted, and we go back far enough to have missed nothing.
 */
async function walk(
  shop: WooShop,
  path: string,
  { updatedSince, cursor, size, further }: Omit<ChangedQuery, 'limit'> & { size: number },
): Promise<RawPage> {
  const [, updatedFrom = '', updatedTo = ''] = cursor?.split('|') ?? []
  const last = Number.parseInt(updatedTo, 10) || 0
  let offset = Math.max(0, (Number.parseInt(updatedFrom, 10) || 0) - 1)
  for (;;) {
    const query = { ...further, orderby: 'id', order: 'asc', per_page: size, offset }
    const { rows } = rowsOf(await shop.remote.request({ method: 'GET', path, query }))
    const first = rows[0]
    if (offset > 0 && (!first || Number(idIn(first, 'id')) > last)) {
      offset = Math.max(0, offset - size)
      continue
    }
    const fresh = rows.filter((row) => Number(idIn(row, 'id')) > last)
    const items = fresh.filter((row) => updatedSince === null || changedAt(row) >= updatedSince)
    const end = rows.at(-1)
    const next = rows.length < size || !end ? null : `i|${offset + rows.length}|${idIn(end, 'id')}`
    return { items, next, total: null }
  }
}

/** Of lists that cannot be asked for by time. */
export const listById = (
  shop: WooShop,
  path: string,
  { updatedSince, cursor, limit }: Pick<ReadQuery, 'updatedSince' | 'cursor' | 'limit'>,
): Promise<RawPage> => walk(shop, path, { updatedSince, cursor, size: Math.min(limit, maxPageSize), further: {} })

function rowsOf(answer: RemoteAnswer): { rows: readonly Fields[]; total: number | null } {
  if (answer.status === 400 && refusesOrder(answer.body)) throw tooOld
  const rows = arrayIn({ rows: bodyOf(answer) }, 'rows').map(fieldsOf)
  const total = Number.parseInt(answer.headers['x-wp-total'] ?? '', 10)
  return { rows, total: Number.isNaN(total) ? null : total }
}

const refusesOrder = (body: unknown): boolean => {
  const data = isFields(body) && isFields(body['data']) ? body['data'] : {}
  return isFields(data['params']) && Object.hasOwn(data['params'], 'orderby')
}

/** Drafts of a checkout have not been changed since they were made. */
export const changedAt = (row: Fields): string =>
  timeOf(maybeText(row, 'date_modified_gmt') ?? maybeText(row, 'date_created_gmt') ?? '')

/** All records of a list that is short. */
export async function listAll(shop: WooShop, path: string, further: Query = {}): Promise<readonly Fields[]> {
  const all: Fields[] = []
  for (let page = 1; ; page++) {
    const query = { ...further, per_page: maxPageSize, page }
    const { rows } = rowsOf(await shop.remote.request({ method: 'GET', path, query }))
    all.push(...rows)
    if (rows.length < maxPageSize) return all
  }
}

/**
 * One record, or null where there is none of that id. Only the platform's own word counts for that: a site whose
 * WooCommerce is switched off for an hour answers 404 as well, and has deleted nothing.
 */
export async function findOne(shop: WooShop, path: string, remoteId: string): Promise<Fields | null> {
  if (!isId(remoteId)) return null
  const answer = await shop.remote.request({ method: 'GET', path: `${path}/${remoteId}` })
  return isUnknownId(answer) ? null : fieldsOf(bodyOf(answer))
}

export const isId = (text: string): boolean => /^\d{1,18}$/.test(text)

const codeOf = ({ body }: RemoteAnswer): string => {
  const code = isFields(body) ? body['code'] : null
  return typeof code === 'string' ? code : ''
}

export const isUnknownId = (answer: RemoteAnswer): boolean =>
  answer.status === 404 && /_invalid_id$/.test(codeOf(answer))

/** The site has no such part: a plug-in that is not installed, a version that is older. */
export const isUnknownRoute = (answer: RemoteAnswer): boolean =>
  answer.status === 404 && codeOf(answer) === 'rest_no_route'

/** Asks such a part; null where the site lacks it, or did a moment ago. */
export function partOfSite(): (shop: WooShop, request: RemoteRequest) => Promise<RemoteAnswer | null> {
  const lacked = lackedLately<WooShop>()
  return async (shop, request) => {
    if (lacked.by(shop)) return null
    const answer = await shop.remote.request(request)
    if (!isUnknownRoute(answer)) return answer
    lacked.note(shop)
    return null
  }
}

/** One of the shop's own settings, such as its currency. */
export async function readSetting(shop: WooShop, path: string): Promise<string> {
  const setting = fieldsIn({ setting: bodyOf(await shop.remote.request({ method: 'GET', path })) }, 'setting')
  return String(setting['value'] ?? '')
}
