import type { RawPage, Reads } from '../../commerce/connector/reads.ts'
import type { Connector } from '../../commerce/connector.ts'
import type { Definition } from '../../commerce/definition/definition.ts'
import { type Place, placeName } from '../../commerce/definition/place.ts'
import { valueIn } from '../../commerce/definition/value-in.ts'
import { isFields } from '../../commerce/reading.ts'
import type { AnyFields, Shop } from '../../commerce/shop.ts'
import { asOneRecord } from '../../lib/expressions/expression.ts'
import { inTurns } from '../../lib/turns/in-turns.ts'
import { nextInLine } from '../../lib/turns/turns.ts'
import { cut, shownRecord, sizeOf } from './shown-record.ts'
import { type PartName, type Step, stepFailed, stepOk, stepSkipped, trying } from './try-step.ts'

export interface PartReport {
  part: PartName
  /** The record as the shop sent it, with what was joined to it; the beginning of one that no description reads. */
  theirs: unknown
  /** What we make of it; null where that failed. */
  ours: unknown
  error: string | null
  /** Each of our fields that the definition maps, where its value came from, and what was there. */
  fields: readonly { field: string; place: string; found: unknown }[]
}

interface PartTried {
  steps: Step[]
  report: PartReport | null
  /** The first page, to suggest from. */
  records: readonly unknown[]
}

const maxPages = 20
/** Enough to meet the words that are in use. */
export const sampleSize = 50

type AnyReads = Reads<AnyFields, AnyFields, unknown>

export async function tryPart(
  connector: Connector,
  { shop, definition, part, whole }: { shop: Shop; definition: Definition; part: PartName; whole: boolean },
): Promise<PartTried> {
  const reads: AnyReads | undefined = connector[part]
  if (!reads)
    return { steps: [stepSkipped('first page', part, `The description has no ${part}.`)], report: null, records: [] }
  const question = { updatedSince: null, statuses: [], cursor: null, limit: sampleSize }
  let page: RawPage = { items: [], next: null, total: null }
  const first = await trying('first page', part, async () => {
    page = await reads.list(shop, question)
    const total = page.total === null ? '' : ` of ${page.total}`
    return page.items.length === 0 ? 'The list is empty.' : `The first page has ${page.items.length} records${total}.`
  })
  const [sample] = page.items
  if (first.state === 'failed' || sample === undefined) return { steps: [first], report: null, records: [] }
  // Each of these may take as long as one record may: others are answered in between.
  await nextInLine()
  const report = reportOf(connector, definition, part, sample)
  await nextInLine()
  const steps = [first, await translationStep(reads, part, page.items, shop)]
  if (!whole) return { steps, report, records: page.items }
  steps.push(await pagesStep(reads, shop, part, page))
  if (report.ours !== null) {
    steps.push(await changesStep(reads, shop, part, report.ours), await oneStep(reads, shop, part, report.ours))
  }
  return { steps, report, records: page.items }
}

/** A record as it is read, field by field. */
export function reportOf(connector: Connector, definition: Definition, part: PartName, theirs: unknown): PartReport {
  const reads: AnyReads | undefined = connector[part]
  const facts = { shop: 'shop.invalid', settings: {} }
  const fields = asFarAsItGoes(theirs, () => fieldsFrom(definition[part], theirs))
  try {
    const { raw: _, ...ours } = Object(reads?.translate(theirs, facts))
    return { part, theirs: shownRecord(theirs), ours, error: null, fields }
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
    return { part, theirs: shownRecord(theirs), ours: null, error: error.message, fields }
  }
}

const maxReasons = 5

async function translationStep(reads: AnyReads, part: PartName, items: readonly unknown[], shop: Shop): Promise<Step> {
  const reasons: string[] = []
  await inTurns(items, (raw) => {
    try {
      reads.translate(raw, shop)
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error
      reasons.push(error.message)
    }
  })
  if (reasons.length === 0) return stepOk('translation', part, `All ${items.length} records are understood.`)
  const different = [...new Set(reasons)].slice(0, maxReasons).join(' ')
  return stepFailed(
    'translation',
    part,
    `${reasons.length} of ${items.length} records are not understood. ${different}`,
  )
}

/** To the end, or as far as a trial goes; the same record twice means that pages do not fit. */
const pagesStep = (reads: AnyReads, shop: Shop, part: PartName, first: RawPage): Promise<Step> =>
  trying('all pages', part, async () => {
    const seen = new Set<string>()
    let [page, pages, records] = [first, 1, 0]
    for (;;) {
      await inTurns(page.items, (raw) => {
        records += 1
        // What is too large to be read counts as itself.
        seen.add(sizeOf(raw) === null ? `too large: ${records}` : JSON.stringify(raw))
      })
      if (page.next === null || pages >= maxPages) break
      page = await reads.list(shop, { updatedSince: null, statuses: [], cursor: page.next, limit: 50 })
      pages += 1
    }
    const ended = page.next === null ? '' : ' The list goes on; a trial does not.'
    if (seen.size < records) {
      return stepFailed(
        'all pages',
        part,
        `${records} records on ${pages} pages, but only ${seen.size} different ones.`,
      )
    }
    return `${records} records on ${pages} pages, all different.${ended}`
  })

const changesStep = (reads: AnyReads, shop: Shop, part: PartName, ours: unknown): Promise<Step> =>
  trying('changes', part, async () => {
    const at = Object(ours)['remote_updated_at'] ?? Object(ours)['updated_at']
    if (typeof at !== 'string') return stepSkipped('changes', part, 'The records do not say when they changed.')
    const page = await reads.list(shop, { updatedSince: at, statuses: [], cursor: null, limit: 50 })
    return `Since ${at} ${page.items.length === 1 ? 'one record has' : `${page.items.length} records have`} changed, on the first page.`
  })

/** A single record must be what its list said it is. */
const oneStep = (reads: AnyReads, shop: Shop, part: PartName, ours: unknown): Promise<Step> =>
  trying('one record', part, async () => {
    const id = Object(ours)['remote_id']
    if (!reads.get || typeof id !== 'string')
      return stepSkipped('one record', part, 'Single records are not asked for.')
    const raw = await reads.get(shop, id)
    if (raw === null) return stepFailed('one record', part, `The shop has no record ${id}, although its list does.`)
    const single = Object(reads.translate(raw, shop))
    const different = Object.entries(Object(ours)).flatMap(([name, value]) =>
      JSON.stringify(value) === JSON.stringify(single[name]) ? [] : [name],
    )
    if (different.length === 0) return `Record ${id} by itself is the same as in the list.`
    return stepFailed('one record', part, `Record ${id} by itself differs from the list in ${different.join(', ')}.`)
  })

/** A record that costs too much is not looked at field by field either: its translation says why. */
function asFarAsItGoes<T>(record: unknown, look: () => T[]): T[] {
  try {
    return asOneRecord(record, look)
  } catch (error) {
    if (error instanceof TypeError) return []
    throw error
  }
}

type Rules = Definition[PartName]

/** Where each of our fields comes from, and what the record has there. Lists are shown by their first record. */
function fieldsFrom(rules: Rules, record: unknown): { field: string; place: string; found: unknown }[] {
  if (!rules) return []
  const lists = Object.entries(rules).flatMap(([name, part]) =>
    isFields(part) && isFields(part['fields']) ? [{ name, items: part['items'], fields: part['fields'] }] : [],
  )
  return [
    ...mapped(rules.fields, record, ''),
    ...lists.flatMap(({ name, items, fields }) => mapped(fields, firstIn(record, items), `${name}.`)),
  ]
}

const isPlace = (value: unknown): value is Place =>
  typeof value === 'string' || (isFields(value) && ['at', 'select', 'template', 'value'].some((key) => key in value))

function mapped(fields: object, record: unknown, prefix: string): { field: string; place: string; found: unknown }[] {
  return Object.entries(fields).flatMap(([name, place]) => {
    if (isPlace(place)) return [{ field: prefix + name, place: placeName(place), found: cut(foundAt(record, place)) }]
    return isFields(place) ? mapped(place, record, `${prefix}${name}.`) : []
  })
}

function firstIn(record: unknown, items: unknown): unknown {
  const list = isPlace(items) ? foundAt(record, items) : record
  return Array.isArray(list) ? list[0] : list
}

/** Nothing, where an expression does not fit: the translation says why. */
function foundAt(record: unknown, place: Place): unknown {
  try {
    return valueIn(record, place) ?? null
  } catch {
    return null
  }
}
