import type { IndexItem, IndexPage, IndexWindow } from '../../../commerce/connector.ts'
import { fieldsOf, textIn, timeOf } from '../../../commerce/reading.ts'
import { refused, shopAway } from '../../../commerce/remote.ts'
import { secondsFrom } from '../../../commerce/wire/time-pages.ts'
import { ask, readDocument } from '../ask.ts'
import { type AmazonFacts, type AmazonShop, marketplaceIdsOf } from '../settings.ts'
import { outlineOf, type Row, rowsIn } from './outline.ts'

/** All orders that changed in a time, line by line; who bought is not in it, nor ids of lines. */
const reportType = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL'

const base = '/reports/2021-06-30'
/** A report covers a month at most. The first one covers a week; from then on as many days as make a file of this size. */
const firstDays = 7
const maxDays = 30
const wantedOrders = 4000
const daySeconds = 86_400
/** The window of a comparison ends a day late, so that no clock is too slow for it. */
const lateSeconds = daySeconds
/** Until it is looked whether a report is there. */
const lookAgainSeconds = 60

/** In Greenwich, to the second. */
interface Slice {
  from: string
  /** Null is now. */
  until: string | null
  report: string | null
}

/**
 * Ids, versions and outlines of orders by reports, which pay from budgets of their own: the list of orders is left to what
 * is new. Slice by slice, the latest first; a report that is not there yet is waited for.
 */
export async function indexOrders(shop: AmazonShop, window: IndexWindow, oldestDays: number): Promise<IndexPage> {
  const end = secondsFrom(window.to.slice(0, 19), -lateSeconds)
  const begin = laterOf(window.from.slice(0, 19), secondsFrom(end, -oldestDays * daySeconds))
  const latest = { from: laterOf(begin, secondsFrom(end, -firstDays * daySeconds)), until: null, report: null }
  const slice: Slice = window.cursor === null ? latest : readCursor(window.cursor)
  if (slice.report === null) return { items: [], next: writeCursor({ ...slice, report: await order(shop, slice) }) }
  const items = await fetchReport(shop, slice.report)
  if (slice.from <= begin) return { items, next: null }
  const days = (Date.parse(`${slice.until ?? end}Z`) - Date.parse(`${slice.from}Z`)) / (daySeconds * 1000)
  const fitting = Math.max(1, Math.min(maxDays, Math.floor((days * wantedOrders) / Math.max(1, items.length))))
  const from = laterOf(begin, secondsFrom(slice.from, -fitting * daySeconds))
  return { items, next: writeCursor({ from, until: slice.from, report: null }) }
}

const laterOf = (one: string, other: string): string => (one > other ? one : other)

const writeCursor = ({ from, until, report }: Slice): string => [from, until ?? '', report ?? ''].join(' ')

const moment = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d'
const pattern = new RegExp(`^(${moment}) (${moment})? (\\w{1,100})?$`)

function readCursor(cursor: string): Slice {
  const [, from, until, report] = pattern.exec(cursor) ?? []
  if (!from) throw refused('Invalid cursor.')
  return { from, until: until ?? null, report: report ?? null }
}

async function order(shop: AmazonShop, { from, until }: Slice): Promise<string> {
  const reported = await ask(shop, {
    method: 'POST',
    path: `${base}/reports`,
    body: {
      reportType,
      marketplaceIds: marketplaceIdsOf(shop),
      dataStartTime: `${from}Z`,
      ...(until === null ? {} : { dataEndTime: `${until}Z` }),
    },
    budget: 'create_report',
  })
  return textIn(fieldsOf(reported), 'reportId')
}

async function fetchReport(shop: AmazonShop, id: string): Promise<IndexPage['items']> {
  const report = fieldsOf(await ask(shop, { path: `${base}/reports/${id}`, budget: 'get_report' }))
  const status = textIn(report, 'processingStatus')
  // There is nothing to report on.
  if (status === 'CANCELLED') return []
  if (status === 'FATAL') throw refused('Amazon could not make the report of orders.')
  if (status !== 'DONE') throw shopAway(lookAgainSeconds, undefined, 'Amazon is still making the report of orders.')
  const path = `${base}/documents/${textIn(report, 'reportDocumentId')}`
  const limits = { timeoutSeconds: 120, maxBytes: 100_000_000 }
  return ordersIn(await readDocument(shop, { path, budget: 'get_report_document', ...limits }), shop)
}

const senders = { merchant: 'Merchant', amazon: 'Amazon', all: null } as const

/** One for all lines of an order; of those that the list tells as well. */
export function ordersIn(text: string, { settings: { fulfilled_by: by = 'merchant' } }: AmazonFacts): IndexItem[] {
  const wanted = senders[by]
  const orders = new Map<string, Row[]>()
  for (const row of rowsIn(text)) {
    const id = row['amazon-order-id'] ?? ''
    // Sold elsewhere, and only sent by Amazon.
    if (row['sales-channel'] === 'Non-Amazon' || (wanted !== null && row['fulfillment-channel'] !== wanted)) continue
    const rows = orders.get(id)
    if (rows) rows.push(row)
    else orders.set(id, [row])
  }
  return [...orders].map(([remoteId, rows]) => {
    const [version = ''] = rows.map((row) => timeOf(row['last-updated-date'] ?? '')).sort((a, b) => (a < b ? 1 : -1))
    return { remoteId, version, outline: outlineOf(rows) }
  })
}
