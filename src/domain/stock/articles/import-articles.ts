import { Type } from 'typebox'
import { type CsvRow, parseCsv } from '../../../lib/csv/parse-csv.ts'
import { Fault, invalid, invalidField } from '../../../lib/fault.ts'
import { nameText, object, optional, text } from '../../../lib/validation/fields.ts'
import { validate } from '../../../lib/validation/validate.ts'
import type { Context } from '../../context.ts'
import { holdBundles } from '../pool-store.ts'
import type { Pool } from '../stock.ts'
import { articlesBySku, changeArticle, insertArticles } from './article-store.ts'
import { assertRoomForArticles, linkIn } from './link-articles.ts'
import { type PartWish, putTogether } from './manage-articles.ts'

const columns = [
  'sku',
  'barcode',
  'name',
  'parts',
  'integration_id',
  'shop_sku',
  'variant_remote_id',
  'location',
] as const
type Column = (typeof columns)[number]
type Row = Partial<Record<Column, string>>

/** As where articles are made one by one. Parts and whose shop it is are looked at where they are read. */
const rowSchema = object({
  sku: text({ min: 1 }),
  barcode: optional(text()),
  name: optional(nameText()),
  parts: optional(Type.String()),
  integration_id: optional(Type.String()),
  shop_sku: optional(text()),
  variant_remote_id: optional(text()),
  location: optional(text()),
})

export const maxRows = 2000

export interface Imported {
  rows: number
  articles: number
  links: number
  /** By the line of the file. */
  errors: { line: number; message: string }[]
}

/**
 * Articles, bundles and links from a file: a row for each article or link. Each row stands for itself: one that is wrong is
 * listed with its line and keeps none of the others back. Read again, the file changes nothing.
 */
export async function importArticles(
  context: Pick<Context, 'db' | 'transaction'>,
  pool: Pool,
  text: string,
): Promise<Imported> {
  const rows = rowsOf(text)
  const result: Imported = { rows: rows.length, articles: 0, links: 0, errors: [] }
  for (const { line, fields, isTooLong } of rows) {
    try {
      if (isTooLong)
        throw invalidField('csv', 'There are more fields than the first line names: one with a comma needs quotes.')
      const { isNew, linked } = await importRow(context, pool, fields)
      if (isNew) result.articles++
      if (linked) result.links++
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      result.errors.push({ line, message: wordsOf(error) })
    }
  }
  return result
}

const wordsOf = (error: Fault): string => {
  const texts = Object.values(error.errors ?? {}).flat()
  return texts.length > 0 ? texts.join(' ') : error.message
}

interface Line {
  /** Of the file. */
  line: number
  fields: Row
  isTooLong: boolean
}

function rowsOf(text: string): Line[] {
  if (text.includes('\ufffd')) throw invalidField('csv', 'The file is not in UTF-8: save it as “CSV UTF-8”.')
  const separator = /^[^\n]*;/.test(text) && !/^[^\n]*,/.test(text) ? ';' : ','
  let lines: CsvRow[]
  try {
    lines = parseCsv(text, separator)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw invalidField('csv', error.message)
  }
  const [head, ...rest] = lines
  const names = (head?.fields ?? []).map((name) => name.trim().toLowerCase())
  const unknown = names.filter((name) => !columns.some((column) => column === name))
  if (!names.includes('sku') || unknown.length > 0)
    throw invalidField('csv', `The first line names the columns: sku, and any of ${columns.slice(1).join(', ')}.`)
  if (rest.length > maxRows) throw invalidField('csv', `A file may have at most ${maxRows} rows.`)
  return rest.map(({ line, fields }) => ({
    line,
    fields: Object.fromEntries(names.flatMap((name, n) => (fields[n]?.trim() ? [[name, fields[n].trim()]] : []))),
    isTooLong: fields.slice(names.length).some((field) => field.trim() !== ''),
  }))
}

const importRow = (context: Pick<Context, 'transaction'>, pool: Pool, row: Row) =>
  context.transaction(async (trx) => {
    const checked = validate(rowSchema, row)
    if (!checked.ok) throw invalid(checked.errors)
    const { sku, barcode, name } = checked.value
    if (row.parts !== undefined) await holdBundles(trx, pool.id)
    const known = (await articlesBySku(trx, pool.id, [sku])).get(sku)
    if (!known) await assertRoomForArticles(trx, pool.id, 1)
    const [made] = known ? [] : await insertArticles(trx, pool.id, [{ sku, barcode, name }])
    const article = made ?? (known && (barcode || name) ? await changeArticle(trx, known, { barcode, name }) : known)
    if (!article) throw invalidField('sku', 'The article is being made by somebody else.')
    if (row.parts !== undefined) await putTogether(trx, pool, article, partsIn(row.parts))
    if (row.integration_id === undefined) return { isNew: made !== undefined, linked: false }
    if (!/^[1-9]\d{0,14}$/.test(row.integration_id))
      throw invalidField('integration_id', 'The integration id is no id.')
    const integrationId = Number(row.integration_id)
    const wish = {
      integrationId,
      sku: row.shop_sku ?? null,
      remoteId: row.variant_remote_id ?? null,
      location: row.location,
    }
    if (wish.sku === null && wish.remoteId === null) wish.sku = sku
    const link = await linkIn(trx, pool, article, wish, 'file', { again: true })
    return { isNew: made !== undefined, linked: link.isNew }
  })

const mostOfPart = 1_000_000

/** "PIECE x6; LID". */
function partsIn(text: string): PartWish[] {
  return text.split(';').map((part) => {
    const [, sku = '', quantity = '1'] = /^\s*(.+?)(?:\s+x\s*(\d{1,7}))?\s*$/.exec(part) ?? []
    if (sku === '' || Number(quantity) < 1) throw invalidField('parts', 'Parts are written as "SKU x6; OTHER x1".')
    if (Number(quantity) > mostOfPart) throw invalidField('parts', `At most ${mostOfPart} of a part are in a bundle.`)
    return { sku, quantity: Number(quantity) }
  })
}
