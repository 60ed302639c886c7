import type { IndexItem, IndexPage, IndexWindow } from '../../../commerce/connector/reads.ts'
import { timeOf } from '../../../commerce/reading.ts'
import { secondsFrom } from '../../../commerce/wire/time-pages.ts'
import type { AmazonFacts, AmazonShop } from '../settings.ts'
import { outlineOf, type Row, rowsIn } from './outline.ts'
import { createReport, readReport, readSlice, type Slice, writeSlice } from './report.ts'

/** All orders that changed in a time, line by line; who bought is not in it, nor ids of lines. */
const reportType = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL'

/** A report covers a month at most. The first one covers a week; from then on as many days as make a file of this size. */
const firstDays = 7
const maxDays = 30
const wantedOrders = 4000
const daySeconds = 86_400
/** The window of a comparison ends a day late, so that no clock is too slow for it. */
const lateSeconds = daySeconds

/**
 * Ids, versions and outlines of orders by reports, which pay from budgets of their own: the list of orders is left to what
 * is new. Slice by slice, the latest first; a report that is not there yet is waited for.
 */
export async function indexOrders(shop: AmazonShop, window: IndexWindow, oldestDays: number): Promise<IndexPage> {
  const end = secondsFrom(window.to.slice(0, 19), -lateSeconds)
  const begin = laterOf(window.from.slice(0, 19), secondsFrom(end, -oldestDays * daySeconds))
  const latest = { from: laterOf(begin, secondsFrom(end, -firstDays * daySeconds)), until: null, report: null }
  const slice: Slice = window.cursor === null ? latest : readSlice(window.cursor)
  if (slice.report === null)
    return { items: [], next: writeSlice({ ...slice, report: await createReport(shop, reportType, slice) }) }
  const items = await fetchReport(shop, slice.report)
  if (slice.from <= begin) return { items, next: null }
  const days = (Date.parse(`${slice.until ?? end}Z`) - Date.parse(`${slice.from}Z`)) / (daySeconds * 1000)
  const fitting = Math.max(1, Math.min(maxDays, Math.floor((days * wantedOrders) / Math.max(1, items.length))))
  const from = laterOf(begin, secondsFrom(slice.from, -fitting * daySeconds))
  return { items, next: writeSlice({ from, until: slice.from, report: null }) }
}

const laterOf = (one: string, other: string): string => (one > other ? one : other)

async function fetchReport(shop: AmazonShop, id: string): Promise<IndexPage['items']> {
  const text = await readReport(shop, id)
  return text === null ? [] : ordersIn(text, shop)
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
