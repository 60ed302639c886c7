import { type Fields, idIn, isFields, recordsIn } from '../../commerce/reading.ts'
import {
  noData,
  notTheShop,
  type RemoteAnswer,
  type RemoteRequest,
  refusalReason,
  refused,
} from '../../commerce/remote.ts'
import { behindNotices } from '../../commerce/wire/notices.ts'
import { say } from '../../commerce/words/say.ts'
import { chunks } from '../../lib/chunks.ts'
import { Fault } from '../../lib/fault.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import type { PrestaShop } from './settings.ts'
import { readXml, writeXml } from './xml.ts'

type Query = NonNullable<RemoteRequest['query']>

interface Listing {
  /** Field and condition: `[1|2]` is one of them, `[1,9]` between. */
  filters?: Readonly<Record<string, string>>
  /** All fields by default. */
  display?: string
  sort?: readonly string[]
  size?: number
  /** Of all shops of the installation, and not only of this one. */
  everywhere?: boolean
}

/** Records of one kind, such as `orders`. An empty list comes as just `[]`. */
export async function listRecords(
  shop: PrestaShop,
  resource: string,
  listing: Listing = {},
): Promise<readonly Fields[]> {
  const { filters = {}, display = 'full', sort = [], size, everywhere = false } = listing
  const query: Query = {
    ...common(shop),
    ...(everywhere && shop.settings.id_shop !== undefined ? { id_shop: 'all' } : {}),
    display,
    ...Object.fromEntries(Object.entries(filters).map(([field, condition]) => [`filter[${field}]`, condition])),
    ...(sort.length > 0 ? { sort: `[${sort.map((field) => `${field}_ASC`).join(',')}]` } : {}),
    ...(size === undefined ? {} : { limit: `0,${size}` }),
    // Without it times can be neither asked for nor sorted by.
    ...('date_upd' in filters || sort.includes('date_upd') ? { date: 1 } : {}),
  }
  const answer = await shop.remote.request({ method: 'GET', path: `/api/${resource}`, query, headers: plain })
  const body = await bodyIn(answer)
  // The one resource whose list has another name.
  const name = resource === 'order_slip' ? 'order_slips' : resource
  return isFields(body) && body[name] !== undefined ? recordsIn(body, name) : []
}

/** As `recordsWith`; none where the key has no right to read them, which nothing else depends on. */
export async function allowedRecords(
  shop: PrestaShop,
  resource: string,
  wanted: { field: string; values: readonly string[] },
): Promise<Fields[]> {
  try {
    return await recordsWith(shop, resource, wanted)
  } catch (error) {
    if (error instanceof Fault && error.kind === 'upstream_refused') return []
    throw error
  }
}

const atOnce = 100

interface Wanted {
  field?: string
  values: Iterable<string>
  display?: string
  /** What must hold besides. */
  filters?: Readonly<Record<string, string>>
  everywhere?: boolean
}

/** All records with one of these values. Beyond a hundred they are asked for in several goes. */
export async function recordsWith(
  shop: PrestaShop,
  resource: string,
  { field = 'id', values, display, filters: further = {}, everywhere = false }: Wanted,
): Promise<Fields[]> {
  // 0 stands for none.
  const wanted = [...new Set(values)].filter((value) => value !== '' && value !== '0')
  const all: Fields[] = []
  for (const some of chunks(wanted, atOnce)) {
    const filters = { ...further, [field]: `[${some.join('|')}]` }
    all.push(...(await listRecords(shop, resource, { filters, everywhere, ...(display ? { display } : {}) })))
  }
  return all
}

export const byId = (records: readonly Fields[]): ReadonlyMap<string, Fields> =>
  new Map(records.map((record) => [idIn(record, 'id'), record]))

interface Target {
  resource: string
  node: string
  id?: string
  email?: boolean
  /** Only these fields, and nothing else is touched; since PrestaShop 8. */
  partly?: boolean
}

/** A new record, or the whole of an old one: the platform empties what it is not sent. */
export async function saveRecord(
  shop: PrestaShop,
  { resource, node, id, email = false, partly = false }: Target,
  fields: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  const request: RemoteRequest = {
    method: id === undefined ? 'POST' : partly ? 'PATCH' : 'PUT',
    path: `/api/${resource}${id === undefined ? '' : `/${id}`}`,
    query: { ...common(shop), ...(email ? { sendemail: 1 } : {}) },
    headers: { ...plain, 'content-type': 'text/xml' },
    body: writeXml(node, id === undefined ? fields : { ...fields, id }),
    repeatable: id !== undefined,
  }
  await bodyIn(await shop.remote.request(request))
}

/** A shop that cannot send its mail saves the record all the same, and then says no: so it is looked whether it did. */
export async function saveChecked(save: () => Promise<void>, isSaved: () => Promise<boolean>): Promise<void> {
  const reason = await refusalReason(save)
  if (reason !== null && !(await isSaved())) throw refused(reason)
}

/** Anything is taken: who asks for JSON alone is not handed the XML that some hosts answer with. */
const plain = { accept: '*/*', 'output-format': 'JSON' }

const common = ({ settings: { language, id_shop: idShop } }: PrestaShop): Query => ({
  output_format: 'JSON',
  ...(language === undefined ? {} : { language }),
  ...(idShop === undefined ? {} : { id_shop: idShop }),
})

/** What the shop said, in whichever way it said it. */
async function bodyIn({ status, body }: RemoteAnswer): Promise<unknown> {
  const said = typeof body === 'string' ? await ofText(body, status) : body
  const errors = isFields(said) && Array.isArray(said['errors']) ? said['errors'].filter(isFields) : []
  if (status < 300 && errors.length === 0) return said
  const refusal = refused(reasonIn(errors) ?? say('rejected'))
  throw status === 404 && said === null ? notTheShop(refusal) : refusal
}

const reasonIn = ([first]: readonly Fields[]): string | null =>
  first && typeof first['message'] === 'string' && first['message'] !== '' ? first['message'] : null

async function ofText(text: string, status: number): Promise<unknown> {
  const start = text.trimStart()
  if (/^<\?xml|^<prestashop/i.test(start)) return readXml(start)
  const behind = await behindNotices(text)
  if (behind !== undefined) return behind
  // A page of something in between, or of a shop that is being repaired.
  if (status < 300) throw noData(text, new Error('received HTML instead of records'))
  return null
}

/* Fields are texts or numbers, as the version pleases. -------------------------------------------------------------- */

export const valueIn = (fields: Fields, name: string): string | null => {
  const value = fields[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

export const needed = (fields: Fields, name: string): string => {
  const value = valueIn(fields, name)
  if (value === null) throw new Unreadable(say('lacks_field', { name }))
  return value
}

export const isYes = (fields: Fields, name: string): boolean => valueIn(fields, name) === '1' || fields[name] === true

export function countIn(fields: Fields, name: string): number {
  const value = needed(fields, name)
  if (!/^-?\d{1,15}$/.test(value)) throw new Unreadable(say('no_whole_number', { name }))
  return Number(value)
}

/** The text in the language that was asked for; or the first there is. */
export function textOf(fields: Fields, name: string): string | null {
  const value = fields[name]
  if (!Array.isArray(value)) return valueIn(fields, name)
  return (
    value
      .filter(isFields)
      .map((one) => valueIn(one, 'value'))
      .find((text) => text !== null) ?? null
  )
}

export const associated = (record: Fields, name: string): readonly Fields[] => {
  const lists = record['associations']
  return isFields(lists) && Array.isArray(lists[name]) ? recordsIn(lists, name) : []
}

export const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)
