import { gzipSync } from 'node:zlib'
import { decimal } from '../../amounts.ts'
import { day, inSeconds, type Moment, minute, momentOf } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type RouteRow } from '../../http/route.ts'
import { listOf, textOf } from '../../json.ts'
import { listOrders } from '../../shop/list-orders.ts'
import type { OrderLine, ShopOrder } from '../../shop/order.ts'
import { listReturns, type Return } from '../../shop/returns.ts'
import type { World } from '../../world.ts'
import { isPending, marketplace, orderIdOf, senderOf, statuses } from './orders.ts'
import { invalid, no } from './reply.ts'

export const fileHost = 'tortuga-prod-eu.s3.eu-west-1.amazonaws.com'

const ofOrders = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL'
const ofReturns = 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE'
/** So many days a report covers at most. */
const maxDays: Readonly<Record<string, number>> = { [ofOrders]: 31, [ofReturns]: 60 }

interface Report {
  id: string
  reportType: string
  from: Moment
  until: Moment
  at: Moment
}

const head =
  'amazon-order-id purchase-date last-updated-date order-status fulfillment-channel sales-channel product-name sku item-status quantity currency item-price item-tax shipping-price item-promotion-discount'.replaceAll(
    ' ',
    '\t',
  )

/** Prices with tax in them, as people see them in Germany; pending orders have none. */
function reportRow(order: ShopOrder, line: OrderLine, sender: string) {
  const time = (at: Moment) => inSeconds(at).replace('Z', '+00:00')
  const amount = (units: number) => (isPending(order) ? '' : decimal(units, marketplace.currency))
  const word = statuses[order.stage]
  const price = line.unitPrice * line.quantity + (order.taxIncluded ? 0 : line.tax)
  return [
    ...[orderIdOf(order.index), time(order.placedAt), time(order.updatedAt)],
    ...[`${word.charAt(0)}${word.slice(1).toLowerCase().replace('_s', ' S')}`, sender, marketplace.name],
    ...[
      line.title,
      line.sku,
      line.sent === line.quantity ? 'Shipped' : 'Unshipped',
      line.quantity,
      marketplace.currency,
    ],
    ...[amount(price), amount(line.tax), amount(line.line === 1 ? order.shipping : 0), amount(line.discount)],
  ]
}

const returnHead = [
  ...['Order ID', 'Return request date', 'Return request status', 'Amazon RMA ID', 'Merchant SKU', 'Return quantity'],
  ...['Return Reason', 'Return delivery date', 'Refunded Amount'],
]
const words = {
  ...{ requested: 'Pending', approved: 'Approved', received: 'Approved', rejected: 'Denied', refunded: 'Approved' },
} as const

/** Days alone, as `03-Nov-2026`. */
const dayOf = (at: Moment) => new Date(at / 1000).toUTCString().slice(5, 16).replaceAll(' ', '-')

const returnRows = ({ order, at, id, step, reason, lines }: Return) =>
  lines.map(({ line, quantity }) =>
    [
      ...[orderIdOf(order.index), dayOf(at), words[step], `D${id}`, order.lines[line - 1]?.sku, quantity, reason],
      ...[step === 'received' || step === 'refunded' ? dayOf(at + day) : '', step === 'refunded' ? '9.99' : ''],
    ].join('\t'),
  )

/** Reports of returns by their day, and of all orders by their last change: made in a while (variant `report_delay: yes`), packed, without buyers. */
export function reportRoutes({ clock, settings, shop: { book } }: World): readonly RouteRow[] {
  const both = settings.variant['fulfilled_by'] === 'both'
  const takes = settings.variant['report_delay'] === 'yes' ? 3 * minute : 0
  const reports = new Map<string, Report>()

  function create(call: Call): Answer {
    const fields = call.fields()
    const now = clock.now()
    const [from, until] = ['dataStartTime', 'dataEndTime'].map((name) => momentOf(textOf(fields[name]) ?? '') ?? now)
    const places = listOf(fields['marketplaceIds'])
    const reportType = textOf(fields['reportType']) ?? ''
    const days = maxDays[reportType]
    if (days === undefined || !places.includes(marketplace.id)) return invalid('reportType')
    if (from === undefined || until === undefined || from > until || until > now || until - from > days * day + minute)
      return invalid('dataStartTime')
    const id = String(reports.size + 1)
    reports.set(id, { id, reportType, from, until, at: now })
    return answer(202, { reportId: id })
  }

  const show = ({ id, reportType, at }: Report) => {
    const isDone = clock.now() >= at + takes
    const done = isDone ? { processingStatus: 'DONE', reportDocumentId: `document-${id}` } : {}
    return answer(200, {
      reportId: id,
      reportType,
      createdTime: inSeconds(at),
      processingStatus: 'IN_PROGRESS',
      ...done,
    })
  }

  function file({ reportType, from, until }: Report): Answer {
    const packed = (lines: readonly string[]) =>
      answer(200, gzipSync([...lines, ''].join('\r\n')), { 'content-type': 'text/plain' })
    if (reportType === ofReturns) {
      const inTime = listReturns(book, from).filter(
        ({ at, order }) => at < until && senderOf(order.index, both) !== 'AMAZON',
      )
      return packed([returnHead.join('\t'), ...inTime.flatMap(returnRows)])
    }
    const { indexes } = listOrders(book, { sort: 'changed', changed: { from, before: until }, limit: 1_000_000 })
    const rows = indexes.flatMap((index) => {
      const order = book.get(index)
      const sender = senderOf(index, both) === 'AMAZON' ? 'Amazon' : 'Merchant'
      return order === null ? [] : order.lines.map((line) => reportRow(order, line, sender).join('\t'))
    })
    return packed([head, ...rows])
  }

  const missing = () => no(404, 'NotFound', 'The requested report was not found.')
  const ofReport = forOne((id) => reports.get(id) ?? null, missing)
  const ofDocument = forOne((id) => reports.get(id.replace('document-', '')) ?? null, missing)
  const base = '/reports/2021-06-30'
  return [
    ['POST', `${base}/reports`, 'createReport', create],
    ['GET', `${base}/reports/:id`, 'getReport', ofReport(show)],
    [
      ...(['GET', `${base}/documents/:id`, 'getReportDocument'] as const),
      ofDocument(({ id }) =>
        answer(200, {
          ...{ reportDocumentId: `document-${id}`, compressionAlgorithm: 'GZIP' },
          url: `https://${fileHost}/report/${id}?X-Amz-Signature=1`,
        }),
      ),
    ],
    ['GET', '/report/:id', 'report', ofReport(file), { open: true }],
  ]
}
