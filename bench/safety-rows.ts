import { measureAudit } from './audit.ts'
import { options, say } from './options.ts'
import type { Row } from './report.ts'
import { measureSealedAnswers, measureSealedLists, type SealedListResult } from './sealed-lists.ts'
import { measureSealedSync } from './sealed-sync.ts'
import { withDatabase } from './support/database.ts'
import { median, spread } from './support/statistics.ts'

/** What keeping people's data safe, and writing down who did what, costs. */

export async function sealedLists(): Promise<Row[]> {
  const answers = await withDatabase((databaseUrl) => measureSealedAnswers({ databaseUrl }))
  const reads = await withDatabase((url) => measureSealedLists({ url }))
  return [
    ...sealedRows('a page of', answers),
    ...sealedRows('the same from the question to the text of the rows, of', reads),
  ]
}

function sealedRows(what: string, results: readonly SealedListResult[]): Row[] {
  return results.map(({ perPage, sealed, clear, ratios }) => ({
    measured: `${what} ${perPage} orders with customer data sealed: speed against the clear`,
    target: '≥ 0.85',
    result: median(ratios).toFixed(2),
    spread: spread(ratios),
    rounds: { values: ratios, better: 'more' },
    absolute: `${sealed.toFixed(2)} ms against ${clear.toFixed(2)} ms`,
    pass: median(ratios) >= 0.85,
  }))
}

export async function sealedSync(): Promise<Row[]> {
  const orders = Number(options.orders)
  const rounds = Math.ceil(Number(options.rounds) / 3)
  const { ratios, byClock, sealed, clear } = await withDatabase((databaseUrl) =>
    measureSealedSync({ databaseUrl, orders, rounds, progress: say }),
  )
  return [
    {
      measured: `a first sync of ${orders.toLocaleString('en')} orders with customer data sealed: speed against the clear, by processor time`,
      target: '≥ 0.95',
      result: median(ratios).toFixed(2),
      spread: spread(ratios),
      rounds: { values: ratios, better: 'more' },
      absolute: `${median(sealed).toFixed(2)} ms an order against ${median(clear).toFixed(2)} ms; by the clock ${median(byClock).toFixed(2)}`,
      pass: median(ratios) >= 0.95,
    },
  ]
}

export async function audit(): Promise<Row[]> {
  const { entries, write, searches } = await withDatabase((url) => measureAudit({ url, progress: say }))
  const among = `among ${entries.toLocaleString('en')} entries of 1,000 companies`
  return [
    {
      measured: `a change of one row with its entry in the audit trail against one without, ${among}`,
      target: '',
      result: median(write.ratios).toFixed(2),
      spread: spread(write.ratios),
      rounds: { values: write.ratios, better: 'less' },
      absolute: `${write.with.toFixed(2)} ms against ${write.without.toFixed(2)} ms`,
      pass: null,
    },
    ...searches.map(({ name, ms }) => ({
      measured: `${name}, ${among}: median`,
      target: '≤ 20 ms',
      result: `${ms.toFixed(1)} ms`,
      pass: ms <= 20,
    })),
  ]
}
