import type { IndexPage, IndexWindow } from '../../../commerce/connector.ts'
import { fieldsOf, maybeText, textIn, timeOf } from '../../../commerce/reading.ts'
import { refused, shopAway } from '../../../commerce/remote.ts'
import { secondsFrom } from '../../../commerce/wire/time-pages.ts'
import { ask, bodyOf } from '../ask.ts'
import { type AmazonFacts, type AmazonShop, marketplaceIdsOf } from '../settings.ts'

/** All orders that changed in a time, line by line; who bought is not in it. */
const reportType = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL'

const base = '/reports/2021-06-30'
/** A report covers a month at most; this much of it is a file that is read at once. */
const sliceDays = 7
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
 * Ids and versions of orders by reports, which pay from budgets of their own: the list of orders is left to what is new.
 * Slice by slice; a report that is not there yet is waited for.
 */
export async function indexOrders(shop: AmazonShop, window: IndexWindow, oldestDays: number): Promise<IndexPage> {
  const end = secondsFrom(window.to.slice(0, 19), -lateSeconds)
  const oldest = secondsFrom(end, -oldestDays * daySeconds)
  const begin = window.from.slice(0, 19) < oldest ? oldest : window.from.slice(0, 19)
  const slice = window.cursor === null ? sliceFrom(begin, end) : readCursor(window.cursor)
  if (slice.report === null) return { items: [], next: writeCursor({ ...slice, report: await order(shop, slice) }) }
  const items = await fetchReport(shop, slice.report)
  return { items, next: slice.until === null ? null : writeCursor(sliceFrom(slice.until, end)) }
}

function sliceFrom(from: string, end: string): Slice {
  const until = secondsFrom(from, sliceDays * daySeconds)
  return { from, until: until < end ? until : null, report: null }
}

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
  const document = fieldsOf(await ask(shop, { path, budget: 'get_report_document' }))
  const isPacked = maybeText(document, 'compressionAlgorithm') === 'GZIP'
  const file = await shop.remote.request({
    method: 'GET',
    origin: 'download',
    path: textIn(document, 'url'),
    headers: { accept: 'text/*' },
    ...(isPacked ? { unpack: 'gzip' as const } : {}),
    timeoutSeconds: 120,
    budget: 'downloads',
  })
  return ordersIn(String(bodyOf(file) ?? ''), shop)
}

const senders = { merchant: 'Merchant', amazon: 'Amazon', all: null } as const

/** A line for each line of an order; of those that the list tells as well. */
export function ordersIn(text: string, { settings: { fulfilled_by: by = 'merchant' } }: AmazonFacts) {
  const [head = '', ...rows] = text.split(/\r?\n/)
  const names = head.replace(/^\uFEFF/, '').split('\t')
  const at = (name: string) => {
    const column = names.indexOf(name)
    if (column < 0) throw new TypeError(`The report has no column "${name}".`)
    return column
  }
  const columns = [at('amazon-order-id'), at('last-updated-date'), at('fulfillment-channel'), at('sales-channel')]
  const wanted = senders[by]
  const versions = new Map<string, string>()
  for (const row of rows) {
    if (row === '') continue
    const cells = row.split('\t')
    const [id = '', changed = '', sender = '', channel = ''] = columns.map((column) => cells[column] ?? '')
    // Sold elsewhere, and only sent by Amazon.
    if (channel === 'Non-Amazon' || (wanted !== null && sender !== wanted)) continue
    const version = timeOf(changed)
    if (version > (versions.get(id) ?? '')) versions.set(id, version)
  }
  return [...versions].map(([remoteId, version]) => ({ remoteId, version }))
}
