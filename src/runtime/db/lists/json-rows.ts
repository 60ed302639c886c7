/** Grows to the largest batch there was, and stays: nobody else writes to it before the bytes are copied out. */
let sheet = Buffer.allocUnsafeSlow(256 * 1024)
const maxKeptBytes = 8 * 1024 * 1024

/**
 * Rows as one parameter of type jsonb, in the binary form that PostgreSQL takes (a version, then the text). Written row
 * by row: as one string it would be of twice the size, and such strings stay in memory until the next full collection.
 * What stands in the column `written` is JSON already and goes in as it is.
 */
export function jsonRows<Row extends object>(rows: readonly Row[], written?: keyof Row & string): Buffer {
  let end = 0
  const write = (text: string) => {
    // A character takes three bytes at most.
    if (end + text.length * 3 > sheet.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(sheet.length * 2, end + text.length * 3))
      sheet.copy(larger, 0, 0, end)
      sheet = larger
    }
    end += sheet.write(text, end)
  }
  write('\x01[')
  for (const [i, row] of rows.entries()) {
    if (i > 0) write(',')
    const text = written && row[written]
    if (written && typeof text === 'string') {
      const { [written]: _, ...rest } = row
      write(`{${JSON.stringify(written)}:`)
      write(text)
      write(`,${JSON.stringify(rest).slice(1)}`)
    } else write(JSON.stringify(row))
  }
  write(']')
  const bytes = Buffer.from(sheet.subarray(0, end))
  if (sheet.length > maxKeptBytes) sheet = Buffer.allocUnsafeSlow(256 * 1024)
  return bytes
}
