import type { ReturnList, ReturnQuery } from '../../../commerce/connector/parts.ts'
import type { RawPage } from '../../../commerce/connector/reads.ts'
import type { OrderReturn, RemoteReturn } from '../../../commerce/order.ts'
import { type Fields, fieldsOf, maybeText, recordsIn, textIn, timeOf } from '../../../commerce/reading.ts'
import { secondsFrom } from '../../../commerce/wire/time-pages.ts'
import type { AmazonShop, Credentials, Settings } from '../settings.ts'
import { createReport, readReport, readSlice, type Slice, writeSlice } from './report.ts'

/** Returns of what the seller sends, by the day on which they were asked for. Reports are few: so it is read four times a day. */
export const returns: ReturnList<Settings, Credentials> = { list, translate: toReturns, everyMinutes: 360 }

const reportType = 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE'

/** A report covers no more. What changed is not told: the last one is read again each time. */
const windowSeconds = 60 * 86_400
/** How many of these are read the first time: two years, as with orders. */
const firstWindows = 12

async function list(shop: AmazonShop, { updatedSince, now, cursor }: ReturnQuery): Promise<RawPage> {
  // Of what Amazon sends it also takes the returns, and reports them elsewhere.
  if (shop.settings.fulfilled_by === 'amazon') return { items: [], next: null, total: null }
  const end = now.slice(0, 19)
  const slice: Slice =
    cursor === null ? { from: secondsFrom(end, -windowSeconds), until: null, report: null } : readSlice(cursor)
  const page = (items: readonly Fields[], next: Slice | null): RawPage => ({
    items,
    next: next && writeSlice(next),
    total: null,
  })
  if (slice.report === null) return page([], { ...slice, report: await createReport(shop, reportType, slice) })
  const text = await readReport(shop, slice.report)
  const oldest = secondsFrom(end, -(updatedSince === null ? firstWindows : 1) * windowSeconds)
  const before = { from: secondsFrom(slice.from, -windowSeconds), until: slice.from, report: null }
  return page(text === null ? [] : recordsOf(text), slice.from <= oldest ? null : before)
}

/** What is kept of a row, by the name of its column in small letters. */
const names = [
  'order id',
  'return request date',
  'return request status',
  'amazon rma id',
  'merchant sku',
  'return quantity',
  'return reason',
  'return delivery date',
  'refunded amount',
] as const

/** One for all rows of a return. */
function recordsOf(text: string): Fields[] {
  const [head = '', ...lines] = text.split(/\r?\n/)
  const columns = head
    .replace(/^\uFEFF/, '')
    .split('\t')
    .map((name) => name.trim().toLowerCase())
  if (!columns.includes('order id')) throw new TypeError('The report has no column "Order ID".')
  const rows = lines
    .filter((line) => line !== '')
    .map((line) => {
      const cells = line.split('\t')
      return Object.fromEntries(names.map((name) => [name, cells[columns.indexOf(name)]?.trim() ?? '']))
    })
  const byReturn = Map.groupBy(rows, (row) =>
    ['order id', 'amazon rma id', 'return request date'].map((name) => row[name]).join(' '),
  )
  return [...byReturn.values()].map((all) => ({ rows: all }))
}

function toReturns(raw: unknown): RemoteReturn[] {
  const rows = recordsIn(fieldsOf(raw), 'rows')
  const [first = {}] = rows
  const [order, requested] = [textIn(first, 'order id'), dayOf(textIn(first, 'return request date'))]
  return [
    {
      order_remote_id: order,
      updated_at: requested,
      skus: rows.map((row) => maybeText(row, 'merchant sku')),
      told: {
        // Not every return has a number.
        remote_id: maybeText(first, 'amazon rma id') ?? `${order} ${requested.slice(0, 10)}`,
        status: statusOf(rows),
        remote_status: maybeText(first, 'return request status') ?? '',
        requested_at: requested,
        lines: rows.map((row) => ({
          order_line_remote_id: null,
          quantity: Number(maybeText(row, 'return quantity') ?? 1),
          reason: maybeText(row, 'return reason'),
        })),
      },
    },
  ]
}

/** Amazon publishes no list of its words; what is none of these is unknown. */
const words: readonly (readonly [RegExp, OrderReturn['status']])[] = [
  [/den(y|ied)|declin|reject/i, 'declined'],
  [/cancel/i, 'cancelled'],
  [/clos|complet/i, 'completed'],
  [/pending|request/i, 'requested'],
  [/approv|authori[sz]/i, 'approved'],
]

/** Money that went back ends it; goods that arrived are there, whatever was said before. */
function statusOf(rows: readonly Fields[]): OrderReturn['status'] {
  const count = (name: string) => rows.filter((row) => maybeText(row, name) !== null).length
  const word = maybeText(rows[0] ?? {}, 'return request status') ?? ''
  const said = words.find(([pattern]) => pattern.test(word))?.[1] ?? 'unknown'
  if (said === 'declined' || said === 'cancelled' || said === 'completed') return said
  if (rows.every((row) => Number(maybeText(row, 'refunded amount') ?? 0) > 0)) return 'completed'
  const arrived = count('return delivery date')
  return arrived === 0 ? said : arrived < rows.length ? 'partially_received' : 'received'
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Days are written as `03-Nov-2026`. */
function dayOf(text: string): string {
  const [, day, month, year] = /^(\d{1,2})-([A-Za-z]{3})-(\d{4})$/.exec(text) ?? []
  const number = months.indexOf(month?.toLowerCase() ?? '') + 1
  if (!day || number === 0) return timeOf(text)
  return timeOf(`${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00Z`)
}
