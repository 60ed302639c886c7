import { writeUtf8 } from '../../../lib/text/utf8.ts'
import { inTurns } from '../../../lib/turns/in-turns.ts'

/** Grows to the largest batch there was, and stays: nobody else writes to it before the bytes are copied out. */
let sheet = Buffer.allocUnsafeSlow(256 * 1024)
const maxKeptBytes = 8 * 1024 * 1024

/**
 * Rows as one parameter of type jsonb, in the binary form that PostgreSQL takes (a version, then the text). Written row
 * by row, in turns with others: as one string it would be of twice the size, and such strings stay in memory until the next full collection.
 */
export async function jsonRows<Row extends object>(
  rows: readonly Row[],
  shown: (row: Row) => object = (row) => row,
): Promise<Buffer> {
  const texts: string[] = []
  await inTurns(rows, (row) => texts.push(JSON.stringify(shown(row))))
  return joinRows(texts)
}

/** The same of rows that are JSON already, for whoever need not hold them until all are there. */
export function joinRows(texts: readonly string[]): Buffer {
  let end = 0
  const write = (text: string) => {
    // A character takes three bytes at most.
    if (end + text.length * 3 > sheet.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(sheet.length * 2, end + text.length * 3))
      sheet.copy(larger, 0, 0, end)
      sheet = larger
    }
    end += writeUtf8(text, sheet, end)
  }
  write('\x01[')
  for (const [i, text] of texts.entries()) {
    if (i > 0) write(',')
    write(text)
  }
  write(']')
  const bytes = Buffer.from(sheet.subarray(0, end))
  if (sheet.length > maxKeptBytes) sheet = Buffer.allocUnsafeSlow(256 * 1024)
  return bytes
}
