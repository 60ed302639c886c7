import { toast } from '../../parts/toast.ts'
import { Refusal } from '../api.ts'

/** What a list shows, as files that a spreadsheet opens. */

export interface CsvColumn<Row> {
  head: string
  csv: (row: Row) => unknown
}

/** How a cell begins that a spreadsheet would run as a formula; wide forms of the signs are signs to it too. */
const formula = /^[\s]*[=+\-@＝＋－＠]|^[\t\r\n]/
const plainNumber = /^-?\d+(\.\d+)?$/

export function csvCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** So many lines a file: more is slow to open in a spreadsheet. */
const linesInFile = 20_000

/** Without this sign spreadsheets take UTF-8 for something else. */
const mark = '\ufeff'

export interface Piece<Row> {
  rows: readonly Row[]
  /** Null after the last. */
  next: string | null
}

/** Piece by piece, until there is no more or `stop` says so. Answers how many lines there are. */
export async function saveCsv<Row>(options: {
  name: string
  columns: readonly CsvColumn<Row>[]
  read: (after: string | null) => Promise<Piece<Row>>
  progress: (lines: number) => void
  stop: AbortSignal
}): Promise<number> {
  const { name, columns, read, progress, stop } = options
  const head = csvLine(columns.map((column) => column.head))
  let lines: string[] = []
  let all = 0
  let files = 0
  const flush = () => {
    files++
    save(files === 1 ? `${name}.csv` : `${name}-${files}.csv`, [mark, head, ...lines])
    lines = []
  }
  for (let after: string | null = null; !stop.aborted; ) {
    const { rows, next }: Piece<Row> = await patiently(() => read(after), stop)
    for (const row of rows) lines.push(csvLine(columns.map(({ csv }) => csv(row))))
    all += rows.length
    progress(all)
    if (lines.length >= linesInFile && next !== null) flush()
    if (next === null) break
    after = next
  }
  if (lines.length > 0 || files === 0) flush()
  return all
}

/** Whoever asks too fast waits as long as the service says. */
async function patiently<T>(read: () => Promise<T>, stop: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 429 || stop.aborted) throw error
      toast('The service asks us to slow down; the export goes on in a moment.')
      await new Promise((resolve) => setTimeout(resolve, 5000))
    }
  }
}

function save(name: string, parts: string[]): void {
  const address = URL.createObjectURL(new Blob(parts, { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
