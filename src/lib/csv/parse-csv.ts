export interface CsvRow {
  /** Of the file, where the row begins: fields may hold line ends, and empty lines are no rows. */
  line: number
  fields: string[]
}

/**
 * A file of comma-separated values as rows of texts: quoted fields may hold commas, quotes (doubled) and line ends. Throws a message
 * with the line where a quote is left open or stands where none may.
 */
export function parseCsv(text: string, separator: ',' | ';' | '\t' = ','): CsvRow[] {
  const rows: CsvRow[] = []
  let row: string[] = []
  let field = ''
  let quoted = false
  let wasQuoted = false
  let line = 1
  let begin = 1
  const endField = () => {
    row.push(field)
    field = ''
    wasQuoted = false
  }
  const endRow = () => {
    endField()
    if (row.length > 1 || row[0] !== '') rows.push({ line: begin, fields: row })
    row = []
    begin = line
  }
  const source = text.replace(/^\uFEFF/, '')
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? ''
    if (char === '\n') line++
    if (quoted) {
      if (char !== '"') field += char
      else if (source[at + 1] === '"') {
        field += '"'
        at++
      } else {
        quoted = false
        wasQuoted = true
      }
    } else if (char === separator) endField()
    else if (char === '\n') endRow()
    else if (char === '\r' && source[at + 1] === '\n') continue
    else if (char === '"') {
      if (field !== '' || wasQuoted) throw new SyntaxError(`Line ${line}: a quote stands within a field.`)
      quoted = true
    } else if (wasQuoted) throw new SyntaxError(`Line ${line}: something stands behind a quoted field.`)
    else field += char
  }
  if (quoted) throw new SyntaxError(`Line ${line}: a quoted field is not closed.`)
  if (field !== '' || row.length > 0 || wasQuoted) endRow()
  return rows
}
