import { fieldsOf, textIn } from '../../../commerce/reading.ts'
import { refused, shopAway } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask, readDocument } from '../ask.ts'
import { type AmazonShop, marketplaceIdsOf } from '../settings.ts'

const base = '/reports/2021-06-30'
/** Until it is looked whether a report is there. */
const lookAgainSeconds = 60

/** A time that a report is to cover, in Greenwich and to the second; and the report, once it has been asked for. */
export interface Slice {
  from: string
  /** Null is now. */
  until: string | null
  report: string | null
}

export const writeSlice = ({ from, until, report }: Slice): string => [from, until ?? '', report ?? ''].join(' ')

const moment = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d'
const pattern = new RegExp(`^(${moment}) (${moment})? (\\w{1,100})?$`)

export function readSlice(cursor: string): Slice {
  const [, from, until, report] = pattern.exec(cursor) ?? []
  if (!from) throw refused(say('invalid_cursor'))
  return { from, until: until ?? null, report: report ?? null }
}

export async function createReport(
  shop: AmazonShop,
  reportType: string,
  { from, until }: Pick<Slice, 'from' | 'until'>,
): Promise<string> {
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

/** Null where there is nothing to report on. Throws as long as it is not there yet. */
export async function readReport(shop: AmazonShop, id: string): Promise<string | null> {
  const report = fieldsOf(await ask(shop, { path: `${base}/reports/${id}`, budget: 'get_report' }))
  const status = textIn(report, 'processingStatus')
  if (status === 'CANCELLED') return null
  if (status === 'FATAL') throw refused(say('report_failed', { platform: 'Amazon' }))
  if (status !== 'DONE') throw shopAway(lookAgainSeconds, undefined, say('still_reporting', { platform: 'Amazon' }))
  const path = `${base}/documents/${textIn(report, 'reportDocumentId')}`
  const limits = { timeoutSeconds: 120, maxBytes: 100_000_000 }
  return await readDocument(shop, { path, budget: 'get_report_document', ...limits })
}
