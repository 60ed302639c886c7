import type { OrderAttribute, OrderReturn } from '../../../commerce/order.ts'
import { canonicalJson } from '../../../lib/sealing/canonical-json.ts'
import { type PersonSought, wordsOfPerson } from '../../../lib/sealing/person-words.ts'
import { blindWord, digestOf, type RecordKey, sealRecord } from '../../../lib/sealing/record-box.ts'
import { openRecords, type Through } from '../../../runtime/db/vault/vault.ts'
import { type Order, type OrderItem, redactedMark, type SyncedOrder } from '../order.ts'

/** What tells who bought, where it goes, and what was written for or by somebody: sealed as one record of its own. */
type PrivateColumn = (typeof privateColumns)[number]

export const privateColumns = [
  'customer',
  'billing_address',
  'shipping_address',
  'note',
  'tax_ids',
  'attributes',
  'tags',
  'purchase_order',
] as const

type Whole = Pick<SyncedOrder, PrivateColumn | 'items' | 'refunds'> & Pick<Order, 'returns'>

interface PrivatePart extends Partial<Pick<SyncedOrder, PrivateColumn>> {
  /** By the place of the line, refund or return in its list; left out where there are none. */
  lines?: Record<string, readonly OrderAttribute[]>
  refund_reasons?: Record<string, string>
  return_reasons?: Record<string, Record<string, string>>
}

/** What `private`, its digest and its words are in the database. */
export interface SealedPart {
  private: Buffer
  private_digest: Buffer
  private_words: number[]
}

const placeOf = (integrationId: number, remoteId: string): string => `orders.private/${integrationId}/${remoteId}`
const recordPlace = (integrationId: number, remoteId: string): string =>
  `orders.remote_record/${integrationId}/${remoteId}`

export interface Owner {
  integrationId: number
  remoteId: string
}

/** Of an order that is about to be stored beside `withoutPrivate` of it. */
export function sealPart(key: RecordKey, { integrationId, remoteId }: Owner, order: Whole): SealedPart {
  const text = canonicalJson(partOf(order))
  return {
    private: sealRecord(key, text, placeOf(integrationId, remoteId)),
    private_digest: digestOf(key, text),
    private_words: wordsOf(order).map((word) => blindWord(key, word)),
  }
}

/** What `private_digest` of it would be. */
export const digestOfPart = (key: RecordKey, order: Whole): Buffer => digestOf(key, canonicalJson(partOf(order)))

/** The shop's own record, as JSON. */
export const sealRemote = (key: RecordKey, { integrationId, remoteId }: Owner, payload: string): Buffer =>
  sealRecord(key, payload, recordPlace(integrationId, remoteId))

/** What is not there is left out: most orders have neither note nor tax number. */
function partOf(order: Whole): PrivatePart {
  const { customer, billing_address, shipping_address, note, tax_ids, attributes, tags, purchase_order } = order
  const lines = byPlace(order.items, ({ attributes: own = [] }) => (own.length > 0 ? own : null))
  const refunds = byPlace(order.refunds, ({ reason }) => reason)
  const returns = byPlace(order.returns, (one) => byPlace(one.lines, ({ reason }) => reason))
  return {
    customer,
    ...(billing_address && { billing_address }),
    ...(shipping_address && { shipping_address }),
    ...(note !== null && { note }),
    ...(tax_ids.length > 0 && { tax_ids }),
    ...(attributes.length > 0 && { attributes }),
    ...(tags.length > 0 && { tags }),
    ...(purchase_order !== null && { purchase_order }),
    ...(lines && { lines }),
    ...(refunds && { refund_reasons: refunds }),
    ...(returns && { return_reasons: returns }),
  }
}

function byPlace<One, Value>(all: readonly One[], read: (one: One) => Value | null): Record<string, Value> | null {
  const found: Record<string, Value> = {}
  let any = false
  for (const [place, one] of all.entries()) {
    const value = read(one)
    if (value === null) continue
    found[place] = value
    any = true
  }
  return any ? found : null
}

/** More than that nobody is known by. */
const maxWords = 60

/** Everything that somebody named in the order may be looked for by. */
function wordsOf({ customer, billing_address: billing, shipping_address: shipping }: Pick<Whole, PrivateColumn>) {
  const words = [customer, billing ?? {}, shipping ?? {}].flatMap((who) => {
    const names = ['name', 'first_name', 'last_name'].map((field) => textIn(who, field) ?? '')
    return wordsOfPerson({ email: textIn(who, 'email'), phone: textIn(who, 'phone'), name: names.join(' ') })
  })
  return [...new Set([...words, ...wordsOfPerson({ remoteId: textIn(customer, 'remote_id') })])].slice(0, maxWords)
}

function textIn(record: Record<string, unknown>, field: string): string | null {
  const value = record[field]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Whether somebody is named in an order that is not sealed yet. */
export function isAbout(order: Pick<Whole, PrivateColumn>, sought: PersonSought): boolean {
  const words = wordsOf(order)
  return wordsOfPerson(sought).every((word) => words.includes(word))
}

/** An order as it comes from the database. */
export type Sealed<Row> = Row & { private: Buffer | null }

/** The same orders in the clear. What cannot be opened any longer is shown as redacted. */
export async function unsealOrders<Row extends Order>(through: Through, rows: readonly Sealed<Row>[]): Promise<Row[]> {
  const sealed = rows.flatMap(({ private: bytes, integration_id: integrationId, remote_id: remoteId }) =>
    bytes ? [{ integrationId, sealed: bytes, place: placeOf(integrationId, remoteId) }] : [],
  )
  const opened = (await openRecords(through, sealed)).values()
  for (const row of rows) {
    if (row.private === null) continue
    const bytes = opened.next().value
    if (bytes) putBack(row, JSON.parse(bytes.toString()))
    else row.customer = redactedMark
    row.private = null
  }
  return [...rows]
}

export async function unsealOrder<Row extends Order>(through: Through, row: Sealed<Row>): Promise<Row> {
  const [order] = await unsealOrders<Row>(through, [row])
  return order ?? row
}

/**
 * The inverse of `partOf`: what it has left out is empty in the row as well. Into the row, which is nobody else's yet: a copy of so many columns
 * costs more than opening them.
 */
function putBack(row: Whole, part: PrivatePart): void {
  const { lines, refund_reasons: refunds, return_reasons: returns } = part
  const columns: Partial<Record<PrivateColumn, unknown>> = row
  for (const column of privateColumns) if (part[column] !== undefined) columns[column] = part[column]
  if (lines) row.items = row.items.map((item, place) => withAttributes(item, lines[place]))
  if (refunds) row.refunds = row.refunds.map((one, place) => ({ ...one, reason: refunds[place] ?? null }))
  if (returns) row.returns = row.returns.map((one, place) => withReasons(one, returns[place]))
}

const withReasons = (one: OrderReturn, reasons: Record<string, string> | undefined): OrderReturn =>
  reasons ? { ...one, lines: one.lines.map((line, place) => ({ ...line, reason: reasons[place] ?? null })) } : one

const withAttributes = (item: OrderItem, attributes: readonly OrderAttribute[] | undefined): OrderItem =>
  attributes ? { ...item, attributes } : item

/** The shop's own record of each, in the clear; null where it cannot be opened any longer. */
export async function unsealRemotes<
  Row extends { remote_record: Buffer | null; remote_id: string; remote_payload: unknown },
>(through: Through, integrationId: number, rows: readonly Row[]): Promise<(Row & { remote_payload: unknown })[]> {
  const sealed = rows.flatMap(({ remote_record: bytes, remote_id: remoteId }) =>
    bytes ? [{ integrationId, sealed: bytes, place: recordPlace(integrationId, remoteId) }] : [],
  )
  const opened = (await openRecords(through, sealed)).values()
  return rows.map((row) => {
    if (row.remote_record === null) return row
    const bytes = opened.next().value
    return { ...row, remote_record: null, remote_payload: bytes ? JSON.parse(bytes.toString()) : redactedMark }
  })
}
