import { Ajv } from 'ajv'
import type { VendorSpecification } from './checker.ts'
import { type Checker, complaintsOf, field, isNews, type Json, strip } from './checker.ts'

type Specification = Extract<VendorSpecification, { kind: 'records' }>

/** Against a JSON Schema of records: lists that were asked for in full; what was written is no JSON, and lists of a few fields are no records. */
export function recordsChecker(document: Json, { base, records, wrong = [] }: Specification): Checker {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, logger: false })
  ajv.addSchema(document, 'document', true, false)
  const checks = new Map(
    Object.entries(records).map(([list, name]) => [list, ajv.compile({ $ref: `document#/definitions/${name}` })]),
  )
  return ({ url, request: { method, query = {} } }, answer) => {
    const rest = strip(new URL(url).pathname, base)
    if (rest === null || method !== 'GET' || query['display'] !== 'full') return null
    const list = rest.slice(1)
    const check = checks.get(list)
    const rows = field(answer.body, list)
    if (!check || !Array.isArray(rows)) return null
    return rows.flatMap((row: unknown) => complaintsOf(check, row, list)).filter(isNews(wrong))
  }
}
