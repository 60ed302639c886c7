import { isFields } from '../../commerce/reading.ts'

/** What a changed translator makes of the same records, field by field. */
export interface Differences {
  compared: number
  unchanged: number
  changed: number
  /** Records that only one of the two understands, or neither. */
  failed: number
  fields: readonly FieldDifference[]
  failures: readonly { reason: string; count: number; example: string }[]
}

export interface FieldDifference {
  /** Names with dots between; elements of a list have no number: `items.tax`. */
  field: string
  /** In how many records it differs. */
  count: number
  examples: readonly { remote_id: string; before: unknown; after: unknown }[]
}

const maxExamples = 5
const maxFields = 200
const maxFailures = 20
/** What is only ever about people: that it differs is said, and not what it says. */
const personal = /^(customer|billing_address|shipping_address|note|attributes|tax_ids|items\.attributes|parcels)(\.|$)/

export interface Counting {
  add(remoteId: string, before: unknown, after: unknown): void
  fail(remoteId: string, reason: string): void
  result(): Differences
}

export function countDifferences(): Counting {
  const fields = new Map<
    string,
    { count: number; examples: { remote_id: string; before: unknown; after: unknown }[] }
  >()
  const failures = new Map<string, { count: number; example: string }>()
  const counts = { compared: 0, unchanged: 0, changed: 0, failed: 0 }
  return {
    add(remoteId, before, after) {
      counts.compared += 1
      const found = new Map<string, { before: unknown; after: unknown }>()
      compare(before, after, '', found)
      if (found.size === 0) counts.unchanged += 1
      else counts.changed += 1
      for (const [field, values] of found) {
        const known = fields.get(field) ?? { count: 0, examples: [] }
        if (!fields.has(field) && fields.size >= maxFields) continue
        fields.set(field, known)
        known.count += 1
        const shown = personal.test(field) ? { before: null, after: null } : values
        if (known.examples.length < maxExamples) known.examples.push({ remote_id: remoteId, ...shown })
      }
    },
    fail(remoteId, reason) {
      counts.compared += 1
      counts.failed += 1
      const known = failures.get(reason)
      if (known) known.count += 1
      else if (failures.size < maxFailures) failures.set(reason, { count: 1, example: remoteId })
    },
    result: () => ({
      ...counts,
      fields: [...fields].map(([field, found]) => ({ field, ...found })).sort((a, b) => b.count - a.count),
      failures: [...failures].map(([reason, found]) => ({ reason, ...found })).sort((a, b) => b.count - a.count),
    }),
  }
}

type FoundAt = Map<string, { before: unknown; after: unknown }>

/** Missing and null are the same: what is stored knows no difference. */
function compare(before: unknown, after: unknown, at: string, found: FoundAt): void {
  const [was, is] = [before ?? null, after ?? null]
  if (Object.is(was, is)) return
  if (Array.isArray(was) && Array.isArray(is)) {
    if (was.length !== is.length && !found.has(at))
      found.set(at, { before: `${was.length} of them`, after: `${is.length} of them` })
    for (let n = 0; n < Math.min(was.length, is.length); n++) compare(was[n], is[n], at, found)
    return
  }
  if (isFields(was) && isFields(is)) {
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
      compare(was[name], is[name], at === '' ? name : `${at}.${name}`, found)
    }
    return
  }
  if (isEmpty(was) && isEmpty(is)) return
  // The first of several in a list stands for them all.
  if (!found.has(at)) found.set(at, { before: was, after: is })
}

const isEmpty = (value: unknown) =>
  value === null || (Array.isArray(value) && value.length === 0) || (isFields(value) && Object.keys(value).length === 0)
